// The levels of the index as a treemap under the map, each cell as large as its group. What is
// pointed at here is shown there, and the other way round.

import { count, make, set } from "./dom.js"
import { oneLine } from "./map_text.js"
import { scale } from "./map_legend.js"
import { candidatesOf, groupWords, missesOf } from "./map_tree_words.js"
import { cellAt, cellsOf, MOST } from "./map_tree_layout.js"
import { clusterShades, ends, paintCells, paintMarks, valueShades } from "./map_tree_paint.js"

const [HEIGHT, NARROW_HEIGHT, NARROW] = [220, 180, 560] // px
const OWN = "" // colours of the clusters, not a measure

export class Tree {
  constructor(store) {
    Object.assign(this, { store, cells: [], places: new Map(), measure: OWN })
    this.select = make("select", "mx-tree-measure")
    this.select.addEventListener("change", () => { this.measure = this.select.value; this.paint() })
    this.scale = make("span", "mx-tree-scale")
    this.words = make("output", "mx-tree-words")
    set(this.words, { "aria-live": "polite" })
    this.canvases = ["cells", "marks"].map((name) => make("canvas", `mx-tree-${name}`))
    this.host = make("div", "mx-tree-host", ...this.canvases)
    set(this.host, { tabindex: 0, role: "application", "aria-roledescription": "treemap" })
    this.choice = make("label", "mx-tree-choice", "Cells show ", this.select)
    const head = make("div", "mx-tree-head", this.choice, this.scale, this.words)
    this.element = make("div", "mx-tree", head, this.host)
    this.listen()
  }

  listen() {
    const { host, store } = this
    store.on(["message", "level", "size"], () => this.layOut())
    store.on(["arrays", "position", "theme"], () => this.paint())
    store.on(["hovered", "hoveredGroup", "focus"], () => this.mark())
    host.addEventListener("pointermove", (event) => this.point(event))
    host.addEventListener("pointerleave", () => store.set({ hoveredGroup: -1 }))
    host.addEventListener("click", (event) => { this.point(event); this.toggle(store.hoveredGroup) })
    host.addEventListener("keydown", (event) => { if (this.press(event.key)) event.preventDefault() })
    host.addEventListener("focus", () => { if (host.matches(":focus-visible") && store.hoveredGroup < 0) this.step(0) })
    document.fonts?.addEventListener?.("loadingdone", () => { if (host.isConnected) this.paint() })
  }

  get level() { return this.store.message?.levels[this.store.level] }

  layOut() {
    const { message } = this.store
    this.element.hidden = !message?.showTree || !this.level || !this.store.width
    if (this.element.hidden) return
    const width = this.element.clientWidth
    const height = width < NARROW ? NARROW_HEIGHT : HEIGHT
    this.host.style.height = `${height}px`
    const kept = JSON.stringify([message.levels.map(({ of }) => of.address), this.store.level, width])
    if (kept !== this.kept) this.cells = cellsOf(message.levels, this.store.level, width, height)
    this.kept = kept
    this.places = new Map(this.cells.map((cell, i) => [cell.group, i]))
    this.offer()
    this.paint()
  }

  // The measures to choose from; one that is gone gives way to the clusters' own colours.
  offer() {
    const names = Object.keys(this.level.measures)
    if (!names.includes(this.measure)) this.measure = OWN
    const options = [[OWN, `the colours of the ${this.level.nouns[1]}`], ...names.map((name) => [name, name])]
    this.select.replaceChildren(...options.map(([value, text]) => new Option(text, value, false, value === this.measure)))
    this.choice.hidden = names.length === 0
  }

  paint() {
    const { level, store } = this
    if (this.element.hidden || !level || !store.colours.text) return
    const { colours } = store
    const values = level.measures[this.measure]
    const [low, high] = values ? ends(values, level.sizes) : [0, 0]
    const shadeOfGroup = values ? valueShades(values, [low, high], colours) : clusterShades(level, colours)
    this.scale.replaceChildren(...(values ? [scale(colours, { low, high })] : []))
    this.candidates = candidatesOf(store)
    const shares = this.candidates && Float32Array.from(this.candidates, (held, group) => held / Math.max(level.sizes[group], 1))
    this.misses = missesOf(store)
    paintCells(this.context(0), this.cells, { shadeOfGroup, shares, names: level.names, colours })
    set(this.host, { "data-opened": this.candidates?.filter(Boolean).length ?? "", "data-cells": this.cells.length })
    this.note = this.cells.length === MOST ? `The ${count(MOST)} largest ${level.nouns[1]} are drawn.` : ""
    this.alt = `${oneLine(level.label)} as a treemap. Arrow keys go from one to the next by size, Enter shows it on the map.`
    this.mark()
  }

  mark() {
    const { level, store } = this
    if (this.element.hidden || !level || !store.colours.text) return
    const { focus, colours, hoveredGroup } = store
    const hovered = hoveredGroup < 0 && store.hovered >= 0 ? store.groupOf(store.hovered) : hoveredGroup
    const cellOf = (group) => this.cells[this.places.get(group)]
    paintMarks(this.context(1), cellOf, { misses: this.misses, hovered, focus, colours })
    const group = hovered >= 0 ? hovered : focus
    const said = group >= 0 ? groupWords(store, group, { candidates: this.candidates, misses: this.misses }) : this.note
    if (this.words.textContent !== said) this.words.textContent = said
    set(this.host, { "aria-label": group >= 0 ? said : this.alt })
  }

  // An empty canvas, as fine as the screen.
  context(which) {
    const canvas = this.canvases[which]
    const ratio = window.devicePixelRatio || 1
    const [width, height] = [this.host.clientWidth, this.host.clientHeight]
    Object.assign(canvas, { width: Math.round(width * ratio), height: Math.round(height * ratio) })
    const context = canvas.getContext("2d")
    context.scale(ratio, ratio)
    return context
  }

  point({ clientX, clientY }) {
    const { left, top } = this.host.getBoundingClientRect()
    this.store.set({ hoveredGroup: cellAt(this.cells, clientX - left, clientY - top)?.group ?? -1 })
  }

  // Shows the group on the map, or all again if it was shown.
  toggle(group) {
    if (group < 0) return
    const focus = group === this.store.focus ? -1 : group
    this.store.focusOn(focus)
    this.store.choose({ focus })
  }

  press(key) {
    const { store } = this
    const steps = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1, Home: -Infinity, End: Infinity }
    if (key in steps) this.step(steps[key])
    else if (key === "Enter" || key === " ") this.toggle(store.hoveredGroup)
    else if (key === "Escape" && store.focus >= 0) this.toggle(store.focus)
    else return false
    return true
  }

  step(by) {
    const { cells, places, store } = this
    const at = places.get(store.hoveredGroup) ?? places.get(store.focus) ?? (by > 0 ? -1 : 0)
    store.set({ hoveredGroup: cells[Math.min(Math.max(at + by, 0), cells.length - 1)].group })
  }
}
