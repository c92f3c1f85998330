// One Plotly plot that is redrawn in place, with an overlay that follows its axes.

import { make } from "./dom.js"
import { gridOf, placeLabels } from "./labels.js"
import { Overlay } from "./overlay.js"

const REST = 250 // ms after a move until names are placed anew around the point

let library
export function plotly() {
  library ??= window.mipsPlotly ? Promise.resolve(window.mipsPlotly) : new Promise((done, failed) => { // it is within a file
    const script = document.createElement("script")
    script.src = new URL("./plotly-basic.min.js", import.meta.url).href
    script.onload = () => {
      window.Plotly.setPlotConfig({ showSendToCloud: false, plotlyServerURL: "" }) // nothing leaves the machine
      done(window.Plotly)
    }
    script.onerror = () => failed(new Error("plotly-basic.min.js did not load"))
    document.head.append(script)
  })
  return library
}

export class Picture {
  constructor(host) {
    this.host = host
    this.plot = make("div", "mx-plotly")
    host.append(this.plot)
    this.overlay = new Overlay(host)
    this.labels = []
    this.point = null
    this.colours = {}
  }

  // figure: painted data and layout; labels: what may be named; point: see `move`.
  async draw({ figure, config, labels, point, colours }) {
    this.host.style.height = `${figure.layout.height}px`
    Object.assign(this, { figure, labels, point, colours })
    const Plotly = await plotly()
    if (this.figure !== figure || !this.host.isConnected) return // a later draw has come
    const first = !this.plot._fullLayout
    await Plotly.react(this.plot, figure.data, figure.layout, config)
    if (!first) return
    this.plot.on("plotly_afterplot", () => this.annotate())
    this.plot.on("plotly_relayouting", () => this.overlay.layer.classList.add("mx-away"))
    this.annotate()
  }

  // Names and the point, after the axes may have changed.
  annotate() {
    const frame = frameOf(this.plot)
    if (!frame) return
    this.overlay.layer.classList.remove("mx-away")
    const curves = this.curves(frame)
    const taken = [...this.plot.querySelectorAll(".annotation")].map((node) => boxOf(node, this.host))
    this.grid = gridOf(curves, frame.area, taken)
    this.overlay.name([])
    const around = this.point ? this.mark(frame) : []
    this.placed = placeLabels(curves, gridOf(curves, frame.area, [...taken, ...around])).map((spot) => {
      const { glyph, name, colour } = this.labels.find((label) => label.key === spot.key)
      return { ...spot, glyph, name, colour }
    })
    this.overlay.name(this.placed)
    this.mark(frame)
  }

  // point: {x, y, text, colour} in the figure's own units, or null.
  move(point) {
    this.point = point
    const frame = frameOf(this.plot)
    if (!frame || !this.grid) return
    this.mark(frame)
    clearTimeout(this.resting)
    this.resting = setTimeout(() => this.annotate(), REST)
  }

  mark(frame) {
    const { point, colours: { background } } = this
    return this.overlay.move(point && { ...point, x: frame.x(point.x), y: frame.y(point.y), background }, frame.area, this.grid)
  }

  // Every drawn line of the first panel in px; the first of each group that has a name carries it.
  curves(frame) {
    const open = new Map(this.labels.map((label) => [label.key, label]))
    const lines = this.figure.data.filter((t) => t.visible !== false && t.mode?.includes("lines") && !t.fill && inFirstPanel(t))
    const preferred = [...lines].sort((a, b) => (b.line?.width ?? 0) - (a.line?.width ?? 0))
    return preferred.map((trace) => {
      const label = open.get(trace.legendgroup)
      open.delete(trace.legendgroup)
      const points = Array.from(trace.x, (x, i) => [frame.x(x), frame.y(trace.y[i])])
      const known = points.filter(([x, y]) => Number.isFinite(x) && Number.isFinite(y))
      return { key: trace.legendgroup, width: label ? this.widthOf(`${label.glyph} ${label.name}`) : 0, points: known }
    })
  }

  widthOf(text) {
    pen.font = `${getComputedStyle(this.overlay.layer).fontSize} "Source Sans", system-ui, sans-serif`
    return pen.measureText(text).width + 6
  }

  // Names and point as Plotly annotations would need them: in the figure's own units.
  placedNames() {
    const frame = frameOf(this.plot)
    return (this.placed ?? []).map((spot) => ({ ...spot, fromLeft: spot.x - frame.area.left, fromTop: spot.y - frame.area.top }))
  }
}

const inFirstPanel = ({ xaxis = "x", yaxis = "y" }) => xaxis === "x" && yaxis === "y"

// The first panel's box in px and how its axes map onto it.
function frameOf(plot) {
  const { xaxis, yaxis } = plot._fullLayout ?? {}
  if (!xaxis?._length || !yaxis?._length) return null
  const left = xaxis._offset
  const top = yaxis._offset
  return {
    area: { left, top, right: left + xaxis._length, bottom: top + yaxis._length },
    x: (value) => left + xaxis.d2p(value),
    y: (value) => top + yaxis.d2p(value),
  }
}

function boxOf(node, host) {
  const { left, top, right, bottom } = node.getBoundingClientRect()
  const origin = host.getBoundingClientRect()
  return { left: left - origin.left, top: top - origin.top, right: right - origin.left, bottom: bottom - origin.top }
}

const pen = document.createElement("canvas").getContext("2d")
