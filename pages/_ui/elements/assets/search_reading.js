// What the answers to one query say at one effort: a sentence, and figures with what they are made of.

import { count, counted, fill, keepRoom, make, partOfCost, percent, times } from "./dom.js"
import { Reading } from "./reading.js"
import { significant } from "./search_tables.js"

export class SearchReading {
  constructor() {
    this.reading = new Reading()
    this.tiles = Array.from({ length: 4 }, () => new Figure())
    this.few = make("p", "mx-note")
    const tiles = make("div", "mx-tiles", ...this.tiles.map(({ element }) => element))
    this.elements = [this.reading.sentence, this.reading.spoken, tiles, this.few]
  }

  // After a change of the question, rooms are measured anew.
  resize() {
    this.reading.resize()
    for (const { parts } of this.tiles) parts[2].style.minHeight = ""
  }

  show(message, at) {
    this.say(message, at)
    this.figures(message, at)
  }

  // Labels go in after the marks of a template were read, so that theirs are none.
  say(message, at) {
    const { reading } = this
    const { words, found, speedup, items, name, K } = message
    const hits = found[at].reduce((sum, hit) => sum + hit, 0)
    const values = { ...effortsAt(message, at), name, K, hits, times: times(speedup[at]) }
    let template = speedup[at] >= message.savesFrom ? words.saves : words.savesNothing
    const next = nextFound(message, at)
    if (next) {
      template += ` ${words.next}`
      values.next = items.labels?.[message.true[next.place]] ?? fill(words.row, { row: items.rows[message.true[next.place]] })
      values.enough = effortsAt(message, next.at).counted
    } else if (hits < K) template += ` ${words.noMore}`
    const parts = template.split("**").map((part) => fill(part, values))
    reading.say(parts.join(""))
    reading.sentence.replaceChildren(...parts.map((part, i) => (i % 2 ? make("strong", "", part) : part)))
    keepRoom(reading.sentence)
  }

  figures(message, at) {
    const { tiles } = this
    const { words, found, ties, speedup, parts, cost, n, K, loss, total, returned, instead } = message
    const precision = found[at].reduce((sum, hit) => sum + hit, 0) / K
    const tied = ties[at] > precision ? fill(words.ties, { precision: percent(ties[at]) }) : ""
    const empty = found[at].filter((hit, k) => !hit && instead[at][k] < 0).length
    const share = total > 0 ? fill(words.share, { share: percent(loss[at] / total), total: significant(total) }) : words.sum
    tiles[0].set(fill(words.precision, { K }), `${percent(precision)}%`, tied)
    tiles[1].set(words.cost, count(cost[at]), parts.map(({ name, cost }) => partOfCost(cost[at], name)).join(" + "))
    tiles[2].set(words.speedup, `${times(speedup[at])}×`, fill(words.quotient, { items: counted(n, "item", "items"), cost: count(cost[at]) }))
    tiles[3].set(words.lost, significant(loss[at]), empty ? fill(words.empty, { empty }) : share)
    const proposed = returned[at].filter((item) => item >= 0).length
    this.few.textContent = proposed < K ? fill(words.few, { proposed, K }) : ""
    this.few.hidden = proposed >= K
  }
}

// How an effort is written, alone and with what it counts.
function effortsAt({ efforts, slider }, at) {
  const [effort, live] = [efforts[at], efforts[efforts.length - 1]].map(count)
  return { effort, live, counted: `${effort} ${slider.nouns[efforts[at] === 1 ? 0 : 1]}` }
}

// The missed answer that the least more effort finds: its place, and the position of that effort.
function nextFound({ efforts, found }, at) {
  for (let later = at + 1; later < efforts.length; later++) {
    const place = found[later].findIndex((hit, k) => hit && !found[at][k])
    if (place >= 0) return { place, at: later }
  }
  return null
}

class Figure {
  constructor() {
    this.parts = ["title", "value", "note"].map((part) => make("div", `mx-tile-${part}`))
    this.element = make("div", "mx-tile", ...this.parts)
  }

  set(...texts) {
    texts.forEach((text, i) => { this.parts[i].textContent = text })
    keepRoom(this.parts[2])
  }
}
