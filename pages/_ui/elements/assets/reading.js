// What a curve says at one point: the sentence, the tiles, and how the queries spread.

import { bold, counted, fill, keepRoom, lessonMark, make, set } from "./dom.js"
import { paint } from "./theme.js"
import { plotly } from "./picture.js"

const REST = 300 // ms of rest before the sentence is read out

export class Reading {
  constructor() {
    this.sentence = make("p", "mx-sentence")
    this.spoken = make("div", "mx-spoken")
    set(this.spoken, { role: "status", "aria-live": "polite" })
    this.tiles = make("div", "mx-tiles")
    this.tile = Object.fromEntries(["precision", "speedup", "cost", "missed"].map((name) => [name, new Tile(name)]))
    this.bar = make("div", "mx-parts")
    this.tile.cost.element.append(this.bar)
    this.bars = make("div", "mx-spread-plot")
    this.bars.setAttribute("role", "img")
    this.spread = new Tile("spread")
    this.spread.element.replaceChildren(this.spread.title, this.bars)
  }

  arrange(live) {
    const wanted = [...(live.tiles ? Object.values(this.tile) : []), ...(live.histogram ? [this.spread] : [])]
    const elements = wanted.map((tile) => tile.element)
    if (elements.some((element, i) => element !== this.tiles.children[i])) this.tiles.replaceChildren(...elements)
    this.tiles.hidden = elements.length === 0
    const { words } = live
    const known = { K: live.K, asked: counted(live.m, "query", "queries") }
    for (const [name, tile] of Object.entries(this.tile)) tile.title.replaceChildren(fill(words[name], known), ...lessonMark(live.lessons[name]))
    this.spread.title.textContent = fill(words.spread, known)
    this.bars.setAttribute("aria-label", fill(words.spreadAlt, known))
  }

  // After a change of width, rooms are measured anew.
  resize() {
    for (const node of [this.sentence, ...Object.values(this.tile).map((tile) => tile.note)]) node.style.minHeight = ""
  }

  // `aloud` is what is read out after a rest, without marks.
  say(text, aloud = text) {
    bold(this.sentence, text)
    keepRoom(this.sentence)
    clearTimeout(this.timer)
    this.heard ??= aloud // nothing is read out on arrival
    this.timer = setTimeout(() => {
      if (aloud !== this.heard) this.spoken.textContent = aloud.replaceAll("**", "")
      this.heard = aloud
    }, REST)
  }

  // build, i: what is read; null where there is nothing yet.
  show(live, values, build, i, colours) {
    const { tile } = this
    const { words } = live
    const wait = words.waiting
    const text = (template) => (values ? fill(template, values) : "\u00a0")
    tile.precision.set(values?.points ?? wait, text(words.interval))
    tile.speedup.set(values ? `${values.speedup}×` : wait, text(words.quotient))
    tile.cost.set(values?.cost ?? wait, text("{parts}"))
    tile.missed.set(values?.missed ?? wait, text(words.missedShare))
    this.split(build?.points, i, colours[build?.style] ?? colours.muted)
    if (live.histogram) this.plot(live, build, i, colours)
  }

  // The cost's parts, side by side, as shares of a bar.
  split(points, i, colour) {
    const parts = points?.parts ?? []
    while (this.bar.children.length > parts.length) this.bar.lastChild.remove()
    while (this.bar.children.length < parts.length) this.bar.append(make("span", ""))
    parts.forEach((part, j) => {
      const { style } = this.bar.children[j]
      style.flexGrow = part.cost[i] / points.cost[i]
      style.background = colour
      style.opacity = Math.max(1 - 0.45 * j, 0.2)
    })
  }

  async plot(live, build, i, colours) {
    const Plotly = await plotly()
    const { clientWidth: width, clientHeight: height } = this.bars
    if (!width || !height) return
    const counts = build?.points.histogram[i] ?? new Int32Array(live.K + 1)
    await Plotly.react(this.bars, ...spread(live, build, counts, width, height, colours))
  }
}

class Tile {
  constructor(name) {
    this.title = make("div", "mx-tile-title")
    this.value = make("div", "mx-tile-value")
    this.note = make("div", "mx-tile-note")
    this.element = make("div", `mx-tile mx-tile-${name}`, this.title, this.value, this.note)
  }

  set(value, note) {
    this.value.textContent = value
    this.note.textContent = note
    keepRoom(this.note)
  }
}

// The small plot: data, layout, config. Its height steps by quarters, so that bars are not rescaled at each move.
function spread(live, build, counts, width, height, colours) {
  const { K, m, words } = live
  const found = Array.from(counts, (_, h) => h)
  const top = [0.25, 0.5, 1].map((share) => share * m).find((limit) => Math.max(...counts) <= limit) ?? m
  const colour = `$${build?.style ?? "muted"}@0.75`
  const asked = counted(m, "query", "queries")
  const bars = {
    type: "bar", x: found, y: counts, hovertemplate: "%{text}<extra></extra>", textposition: "none",
    text: found.map((h) => fill(words.bar, { count: counts[h], asked, found: h, K })),
    marker: { color: found.map((h) => (h ? colour : "$miss")), line: { width: 0 } },
  }
  const ticks = { color: "$muted", size: 11 }
  const layout = {
    width, height, bargap: K > 40 ? 0 : 0.15, margin: { l: 26, r: 2, t: 6, b: 18 }, dragmode: false, showlegend: false,
    paper_bgcolor: "rgba(0,0,0,0)", plot_bgcolor: "rgba(0,0,0,0)", hovermode: "closest",
    font: { family: getComputedStyle(document.body).fontFamily, size: 11, color: "$text" },
    hoverlabel: { bgcolor: "$background", bordercolor: "$axis", font: { color: "$text", size: 12 } },
    xaxis: { tickvals: K > 1 ? [0, Math.round(K / 2), K] : [0, 1], tickfont: ticks, showgrid: false, zeroline: false, linecolor: "$axis", showline: true, range: [-0.7, K + 0.7], fixedrange: true },
    yaxis: { tickvals: [0, top], tickfont: ticks, gridcolor: "$grid", zeroline: false, range: [0, top * 1.04], fixedrange: true },
  }
  return [paint([bars], colours), paint(layout, colours), { displayModeBar: false }]
}
