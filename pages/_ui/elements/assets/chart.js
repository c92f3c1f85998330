// The chart element. Streamlit calls `render` at first and again with every rerun; the chart of a
// place on the page is made once and then updated, so zoom, hidden curves and a drag survive.

import { Chips } from "./chips.js"
import { MODE_BAR } from "./copy_link.js"
import { make, oncePerFrame } from "./dom.js"
import { Live } from "./live.js"
import { Picture } from "./picture.js"
import { save } from "./save.js"
import { merge, modeOf, paint } from "./theme.js"
import { same, unpack } from "./wire.js"

const NARROW = 560
const WIDE = 720
const LARGE = 1300 // as on a projector: type and height grow
const GROWN = { font: { size: 16 }, tickfont: { size: 15 }, title: { font: { size: 16 } } }
const LARGE_LAYOUT = { font: GROWN.font, hoverlabel: { font: GROWN.font }, xaxis: GROWN, yaxis: GROWN }
const charts = new WeakMap()

export default function render({ data, parentElement, setStateValue }) {
  const root = parentElement.querySelector(".mx")
  if (!charts.has(root)) charts.set(root, new Chart(root))
  charts.get(root).update(data, setStateValue)
  // Streamlit may also call this for an outdated rerun, while the element lives on.
  return () => setTimeout(() => { if (!root.isConnected) charts.get(root)?.close() })
}

export class Chart {
  static Picture = Picture

  constructor(root) {
    this.root = root
    this.hidden = new Set()
    this.draws = 0
    this.host = make("div", "mx-plot")
    this.picture = new this.constructor.Picture(this.host)
    this.picture.plot.setAttribute("role", "img")
    this.chips = new Chips(() => this.draw(), (format) => this.save(format), this.hidden)
    root.append(this.host, this.chips.element)
    const again = oncePerFrame(() => this.draw())
    this.resized = new ResizeObserver(() => { if (root.clientWidth !== this.width) again() })
    this.resized.observe(root)
    root.addEventListener("transitionend", (event) => { if (event.target === root) again() }) // the theme changed
  }

  update(bytes, setStateValue) {
    this.commit = (choice) => setStateValue("choice", choice)
    const news = !same(this.bytes, bytes)
    if (news) this.read(bytes)
    if (news || modeOf(this.root) !== this.root.dataset.mode) this.draw() // most reruns change nothing
  }

  read(bytes) {
    const message = unpack(bytes)
    if (message.topic !== this.message?.topic) this.hidden.clear()
    Object.assign(this, { bytes, message })
    if (message.live && !this.live) this.begin()
    this.live?.update(message.live, message.topic)
    this.chips.update(message)
    this.describe("")
  }

  // The sentence of the page says what the picture shows.
  describe(sentence) {
    this.picture.plot.setAttribute("aria-label", [sentence, this.message.alt].filter(Boolean).join(" "))
  }

  // Sliders, sentence and tiles of a live curve take their places.
  begin() {
    this.live = new Live({ onMove: () => this.move(), onBuild: () => this.draw(), onChoice: (choice) => this.commit(choice) })
    const { builds, efforts, reading } = this.live
    const sliders = make("div", "mx-sliders", builds.element, efforts.element)
    this.root.prepend(sliders, reading.sentence, reading.spoken)
    this.root.insertBefore(reading.tiles, this.chips.element)
  }

  draw() {
    const { root, live, message } = this
    if (!root.clientWidth) return // not on screen
    if (root.clientWidth !== this.width) live?.reading.resize()
    this.width = root.clientWidth
    const narrow = this.width < NARROW
    const side = live && !live.reading.tiles.hidden
    root.classList.toggle("mx-narrow", narrow)
    root.classList.toggle("mx-large", this.large)
    root.classList.toggle("mx-wide", Boolean(side) && this.width >= WIDE)
    root.dataset.mode = modeOf(root)
    this.colours = message.tokens[root.dataset.mode]
    this.chips.paint(this.colours)
    this.tell()
    const height = this.height(narrow)
    this.picture.draw({
      figure: this.figure(narrow, height),
      config: { ...message.config, displayModeBar: narrow ? false : message.config.displayModeBar, modeBarButtonsToAdd: message.alone ? [] : MODE_BAR },
      labels: narrow ? [] : this.chips.labels(this.colours),
      point: this.point(),
      colours: this.colours,
    })
  }

  // The operating point moved; the curves stay.
  move() {
    this.picture.move(this.point())
    this.tell()
  }

  point() {
    const point = this.live?.point(this.colours)
    return point && !this.hidden.has(point.style) ? point : null
  }

  get large() { return this.width >= LARGE }

  // As asked for, or as high as the tiles beside it.
  height(narrow) {
    const { height, narrowHeight } = this.message
    this.host.style.height = `${narrow ? narrowHeight : height * (this.large ? 1.3 : 1)}px`
    const beside = this.root.classList.contains("mx-wide") ? this.live.reading.tiles.offsetHeight : 0
    return Math.max(parseFloat(this.host.style.height), beside)
  }

  figure(narrow, height) {
    const { figure, topic } = this.message
    // A copy: Plotly writes a zoom into the arrays it is given.
    const patch = narrow ? this.message.narrow : this.large ? LARGE_LAYOUT : {}
    const layout = structuredClone(merge(figure.layout, patch))
    const data = [...figure.data, ...(this.live?.traces() ?? [])]
    const shown = data.map((trace) => (this.hidden.has(trace.legendgroup) ? { ...trace, visible: false } : trace))
    const size = { width: this.host.clientWidth, height, autosize: false }
    const touch = narrow ? { dragmode: false } : {}
    return paint({ data: shown, layout: { ...layout, ...size, ...touch, uirevision: `chart ${topic}` } }, this.colours)
  }

  // Words and numbers around the plot, and what tests read.
  tell() {
    const { live, root } = this
    root.dataset.draws = ++this.draws
    if (!live) return
    live.show(this.colours)
    this.describe(live.reading.sentence.textContent)
    const { build, index } = live
    const at = (name) => (index === null ? "" : build.points[name][index])
    Object.assign(root.dataset, { build: build.value, ready: index !== null, effort: at("efforts"), precision: at("precision"), speedup: at("speedup") })
  }

  save(format) { save(this.picture, format, this.message.fileName) }

  close() {
    this.resized.disconnect()
    charts.delete(this.root)
    for (const plot of this.root.querySelectorAll(".js-plotly-plot")) window.Plotly?.purge(plot)
  }
}
