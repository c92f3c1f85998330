// What lies on the points: outlines, centroids, names, and a followed search. One canvas, drawn
// once a frame when the camera or what it shows has changed, sharp on every screen.

import { make, set } from "./dom.js"
import { frameOf } from "./map_frame.js"
import { boxAt, BoxGrid } from "./map_grid.js"
import { Marks } from "./map_marks.js"
import { Names } from "./map_names.js"
import { Centroids, Outlines } from "./map_outlines.js"
import { CanvasPen } from "./map_pen.js"
import { Walk } from "./map_walk.js"

const SHOWN = [
  "message", "arrays", "camera", "position", "hoveredGroup", "focus", "selected", "size", "theme", "level", "step",
]
const COVERS = [".mx-map-buttons", ".mx-find", ".mx-map-steps"] // what lies upon the picture

export class Overlay {
  constructor(store) {
    this.store = store
    store.overlay = this // a picture that is saved is drawn by it too
    this.element = make("canvas", "mx-map-overlay")
    set(this.element, { "aria-hidden": "true" })
    this.context = this.element.getContext("2d")
    this.covers = [] // boxes where nothing is written
    this.outlines = new Outlines(store)
    this.marks = new Marks(store)
    this.names = new Names(store)
    this.walk = new Walk(store, this.outlines)
    this.layers = [this.outlines, new Centroids(store), this.names, this.walk, this.marks]
    this.element.overlayState = () => this.state()
    store.on(SHOWN, (changed) => this.draw(changed))
    document.fonts?.ready.then(() => this.draw())
  }

  draw(changed) {
    const { element, context, store } = this
    if (!store.message || !store.width) return
    const started = performance.now()
    if (!changed || ["message", "arrays", "size", "focus", "selected", "step"].some((name) => changed.has(name))) {
      this.covers = COVERS.map((name) => boxOf(element.parentElement?.querySelector(name))).filter(Boolean)
    }
    const ratio = window.devicePixelRatio || 1
    const [width, height] = [store.width, store.height].map((size) => Math.round(size * ratio))
    if (element.width !== width || element.height !== height) Object.assign(element, { width, height })
    context.setTransform(1, 0, 0, 1, 0, 0)
    context.clearRect(0, 0, width, height)
    context.setTransform(ratio, 0, 0, ratio, 0, 0)
    if (store.arrays.places) this.paint(new CanvasPen(context))
    this.took = performance.now() - started
  }

  // All layers with any pen; a picture that is saved is drawn the same way.
  paint(pen) {
    const frame = frameOf(this.store)
    const grid = new BoxGrid(frame.width, frame.height)
    for (const box of this.covers) grid.block(box)
    this.walk.place(frame, grid)
    this.marks.place(frame, grid)
    this.names.place(frame, grid)
    for (const layer of this.layers) layer.draw(pen, frame)
  }

  // What tests read.
  state() {
    const { hits, misses, star, labels, numbers } = this.marks
    const { scored, kept } = this.walk
    const groups = (marks) => marks.map(({ group }) => group)
    const text = (parts) => parts.map(([words]) => words).join("")
    return {
      star, took: this.took, scored: groups(scored), kept: groups(kept),
      hits: hits.map(({ item, at }) => ({ item, at })),
      misses: misses.map(({ item, at }) => ({ item, at })),
      labels: labels.map(({ parts, box }) => ({ text: text(parts), box })),
      numbers: numbers.map(({ text: digits, group, box }) => ({ text: digits, group, box })),
      names: this.names.shown.map(({ group, parts, box }) => ({ group, text: text(parts), box })),
    }
  }
}

// Where a node stands in the picture; nothing is written below it.
function boxOf(node) {
  return node?.offsetWidth ? boxAt(node.offsetLeft, node.offsetTop, node.offsetWidth, node.offsetHeight) : null
}
