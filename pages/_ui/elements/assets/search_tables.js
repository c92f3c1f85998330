// The tables of one query at one effort: its true answers, what is returned, and why answers are missed.

import { fill, make, set } from "./dom.js"

const four = new Intl.NumberFormat("en-US", { minimumSignificantDigits: 4, maximumSignificantDigits: 4 })
const three = new Intl.NumberFormat("en-US", { maximumSignificantDigits: 3 })
const whole = new Intl.NumberFormat("en-US")
export const significant = (value) => (value ? four.format(value) : "0")

class Table {
  constructor(name) {
    this.title = make("h3", "mx-table-title")
    this.head = make("tr", "")
    this.body = make("tbody", "")
    this.table = make("table", "mx-table", make("thead", "", this.head), this.body)
    this.scroller = make("div", "mx-table-host", this.table)
    this.element = make("section", `mx-table-of-${name}`, this.title, this.scroller)
  }

  // columns: [[head, cells], …], a cell being text, or [text, class]; without cells a column is left out.
  fill(title, columns) {
    const there = columns.filter(([, cells]) => cells)
    this.title.textContent = title
    set(this.table, { "aria-label": title })
    this.head.replaceChildren(...there.map(([head, cells]) => make("th", alike(cells), head)))
    for (const cell of this.head.children) set(cell, { scope: "col" })
    resize(this.body, there[0][1].length, "tr")
    Array.from(this.body.children, (row, i) => {
      resize(row, there.length, "td")
      there.forEach(([head, cells], j) => write(row.children[j], cells[i], head))
    })
    if (this.scroller.scrollHeight > this.scroller.clientHeight) set(this.scroller, { tabindex: 0, "aria-label": title, role: "region" })
  }
}

// The class of a head, where it stands over numbers, or over what is left out where room is scarce.
const alike = ([first]) => (Array.isArray(first) && /mx-(number|spare)/.test(first[1]) ? first[1] : "")
const number = (text) => [text, "mx-number"]

// Most cells stay as they are from one effort to the next, so only what changed is written.
function resize(node, length, tag) {
  while (node.children.length > length) node.lastChild.remove()
  while (node.children.length < length) node.append(make(tag, ""))
}

// The head goes along, for where there is no room for a line of them.
function write(node, cell, head) {
  const [text, className] = Array.isArray(cell) ? cell : [cell, ""]
  if (node.written !== text) node.textContent = node.written = text
  if (node.className !== className) node.className = className
  if (node.dataset.head !== head) node.dataset.head = head
}

// What is told of any item: label, row, score.
function about({ items, measure, words }, ids) {
  return [
    [words.label, items.labels && ids.map((id) => [items.labels[id], "mx-label"])],
    [words.rowHead, ids.map((id) => [whole.format(items.rows[id]), items.labels ? "mx-number mx-spare" : "mx-number"])],
    [measure, ids.map((id) => number(significant(items.values[id])))],
  ]
}

const shares = (words, values) => [words.probability, values && Array.from(values, (share) => number(three.format(share)))]
const places = (count) => Array.from({ length: count }, (_, k) => number(k + 1))

export class True extends Table {
  constructor() { super("true") }

  show(message, at) {
    const { K, words, found, since, trueShares } = message
    const answers = Array.from(found[at], (hit) => (hit ? [words.found, "mx-hit"] : [words.missed, "mx-miss"]))
    this.fill(fill(words.trueTitle, { K }), [
      ["#", places(K)], [words.answer, answers], ...about(message, Array.from(message.true)),
      shares(words, trueShares), [words.since, since],
    ])
  }
}

export class Returned extends Table {
  constructor() { super("returned") }

  show(message, at) {
    const { words, right, returnedShares } = message
    const ids = Array.from(message.returned[at]).filter((id) => id >= 0)
    const rank = new Map(Array.from(message.true, (id, k) => [id, k + 1]))
    const ranks = ids.map((id, j) => {
      if (rank.has(id)) return [fill(words.hit, { rank: rank.get(id) }), "mx-hit"]
      return right[at][j] ? words.tie : [words.other, "mx-miss"]
    })
    this.fill(words.returnedTitle, [
      ["#", places(ids.length)], [words.rank, ranks], ...about(message, ids),
      shares(words, returnedShares?.[at].subarray(0, ids.length)),
    ])
    this.scroller.hidden = ids.length === 0
  }
}

export class Missed extends Table {
  constructor(showOnMap) {
    super("missed")
    this.button = make("button", "mx-save mx-to-map")
    set(this.button, { type: "button" })
    this.button.addEventListener("click", showOnMap)
    this.title.after(this.button)
  }

  show(message, at) {
    const { words, found, instead, items, losses, ranks, why } = message
    const missed = Array.from(message.true.keys()).filter((k) => !found[at][k])
    const named = (id) => items.labels?.[id] ?? fill(words.row, { row: whole.format(items.rows[id]) })
    this.button.textContent = words.map
    const other = missed.map((k) => instead[at][k])
    this.fill(missed.length === 1 ? words.whyOne : fill(words.whyMany, { missed: missed.length }), [
      ["#", missed.map((k) => number(k + 1))],
      [words.answer, missed.map((k) => [`${words.missedSign} ${named(message.true[k])}`, "mx-label mx-miss"])],
      [words.reason, missed.map((k) => [why ? why[k] : words.waiting, "mx-reason"])],
      [words.groupRank, ranks && missed.map((k) => number(ranks[k]))],
      [words.instead, other.map((id) => [id < 0 ? words.nothing : named(id), "mx-label"])],
      [words.lost, missed.map((k, j) => number(other[j] < 0 ? "–" : significant(losses[at][k])))],
    ])
    this.element.hidden = missed.length === 0
  }
}

// The steps of the search, at the effort where the slider was let go last; of another they are pale.
export class Walk extends Table {
  constructor() {
    super("walk")
    this.caption = make("p", "mx-note")
    this.element.append(this.caption)
  }

  show({ walk, words, efforts }, at) {
    this.element.hidden = !walk
    if (!walk) return
    const column = (name) => walk.steps.map((step) => number(step[name]))
    this.fill(words.walkTitle, [
      ["#", places(walk.steps.length)], [words.step, walk.steps.map(({ step }) => step)],
      [words.part, walk.steps.map(({ part }) => [part, "mx-spare"])], [words.scored, column("scored")], [words.kept, column("kept")],
      [words.spent, column("spent")], [words.soFar, column("soFar")],
    ])
    this.caption.textContent = walk.caption
    this.element.classList.toggle("mx-pale", walk.effort !== efforts[at])
  }
}
