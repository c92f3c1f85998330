// Panels over one x axis: a line at one place of it runs through all of them, and the curves of the
// first panel carry their names at their right ends.

import { set, svg } from "./dom.js"
import { Picture } from "./picture.js"

const ROOM = 17 // px from one name to the next
const BESIDE = 8 // px from the panel to its names

export class Panels extends Picture {
  constructor(host) {
    super(host)
    this.names = {} // key -> what stands at the end of a curve instead of its name
    this.line = svg("line", { "stroke-width": 1, "stroke-dasharray": "2 3" })
    this.overlay.layer.prepend(this.line)
    this.overlay.move(null)
  }

  // Plotly tells of no plot where only values changed, and names go where values are.
  async draw(asked) {
    await super.draw(asked)
    if (this.figure === asked.figure) this.annotate()
  }

  annotate() {
    const panels = panelsOf(this.plot)
    if (!panels) return
    this.overlay.layer.classList.remove("mx-away")
    this.placed = this.ends(panels)
    this.overlay.name(this.placed)
    this.move(this.point)
  }

  // point: {x}, the place of the line
  move(point) {
    this.point = point
    const panels = panelsOf(this.plot)
    if (!panels) return
    const { left, right, top, bottom, x } = panels
    const across = x(point.x)
    set(this.line, { x1: across, x2: across, y1: top - 4, y2: bottom, stroke: this.colours.text })
    this.line.style.display = across >= left - 1 && across <= right + 1 ? "" : "none"
  }

  // Names in the order of their curves' ends, as near to them as they go without touching.
  ends({ right, x, y, first }) {
    const found = this.labels.map((label) => ({ ...label, end: this.end(label.key) })).filter(({ end }) => end)
    const shown = found.map((label) => ({ ...label, across: x(label.end[0]), wanted: y(label.end[1]) }))
      .filter(({ across, wanted }) => across <= right + 1 && wanted >= first.top - 1 && wanted <= first.bottom + 1)
      .sort((one, other) => one.wanted - other.wanted)
    const heights = apart(shown.map(({ wanted }) => wanted), first.top, first.bottom)
    return shown.map(({ key, glyph, name, colour }, i) => {
      const spot = { x: right + BESIDE, y: heights[i] }
      const box = { left: spot.x, right: spot.x, top: spot.y, bottom: spot.y }
      return { key, glyph, colour, name: this.names[key] ?? name, ...spot, box }
    })
  }

  // The last known point of a method's curve in the first panel.
  end(key) {
    const curve = this.figure.data.find((trace) =>
      trace.legendgroup === key && trace.mode === "lines+markers" && !trace.yaxis && trace.visible !== false)
    const last = curve ? Array.from(curve.y).findLastIndex(Number.isFinite) : -1
    return last < 0 ? null : [curve.x[last], curve.y[last]]
  }

  // For saving: names relative to the first panel's height, as save.js counts them on all panels.
  placedNames() {
    const { left, top, bottom, first } = panelsOf(this.plot)
    const scale = (first.bottom - first.top) / (bottom - top)
    return this.placed.map((spot) => ({ ...spot, fromLeft: spot.x - left, fromTop: (spot.y - top) * scale }))
  }

  // The picture with its line as part of the figure.
  asSaved() {
    const { host, plot, figure, colours, point } = this
    const line = {
      type: "line", x0: point.x, x1: point.x, yref: "paper", y0: 0, y1: 1,
      line: { color: colours.text, width: 1, dash: "dot" },
    }
    const layout = { ...figure.layout, shapes: [...(figure.layout.shapes ?? []), line] }
    return { host, plot, colours, figure: { ...figure, layout }, point: null, placedNames: () => this.placedNames() }
  }
}

// Their common box in px, how values map onto it, and the box of the first.
function panelsOf(plot) {
  const layout = plot._fullLayout
  if (!layout?.xaxis?._length || !layout.yaxis?._length) return null
  const { xaxis, yaxis } = layout
  const axes = Object.keys(layout).filter((name) => /^yaxis\d*$/.test(name)).map((name) => layout[name])
  const edges = axes.map((axis) => ({ top: axis._offset, bottom: axis._offset + axis._length }))
  const left = xaxis._offset
  return {
    left, right: left + xaxis._length,
    top: Math.min(...edges.map(({ top }) => top)), bottom: Math.max(...edges.map(({ bottom }) => bottom)),
    x: (value) => left + xaxis.d2p(value), y: (value) => yaxis._offset + yaxis.d2p(value),
    first: { top: yaxis._offset, bottom: yaxis._offset + yaxis._length },
  }
}

// Heights ROOM apart, as near as can be to the wanted ones, which ascend: isotonic regression by
// pooling adjacent violators, then kept between `low` and `high`.
function apart(wanted, low, high) {
  const pools = []
  wanted.forEach((height, i) => {
    let pool = { sum: height - i * ROOM, size: 1 }
    while (pools.length && mean(pools.at(-1)) > mean(pool)) {
      const { sum, size } = pools.pop()
      pool = { sum: pool.sum + sum, size: pool.size + size }
    }
    pools.push(pool)
  })
  const most = high - (wanted.length - 1) * ROOM
  const starts = pools.flatMap((pool) => Array(pool.size).fill(Math.max(Math.min(mean(pool), most), low)))
  return starts.map((start, i) => start + i * ROOM)
}

const mean = ({ sum, size }) => sum / size
