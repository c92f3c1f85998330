// A line drawn around items selects those whose place on the screen lies inside, exactly.

import { set, svg } from "./dom.js"

const STEP = 2 // px between corners of the line

export class Lasso {
  constructor(store) {
    this.store = store
    store.lasso = this
    this.line = svg("path", { class: "mx-map-line" })
    this.element = svg("svg", { class: "mx-map-lasso", "aria-hidden": "true" }, this.line)
    this.corners = null // while it is drawn
  }

  begin(x, y) {
    this.corners = [[x, y]]
    this.show()
  }

  extend(x, y) {
    const [lastX, lastY] = this.corners?.at(-1) ?? [x, y] // none after Escape
    if (Math.hypot(x - lastX, y - lastY) < STEP) return
    this.corners.push([x, y])
    this.show()
  }

  // Selects what is inside.
  end() {
    const { corners, store } = this
    this.cancel()
    if (!(corners?.length > 2) || !store.arrays.places) return
    const inside = itemsInside(store, corners)
    store.set({ pinned: -1 })
    store.select(inside.length ? inside : null, inside.length ? "lasso" : "")
  }

  cancel() {
    this.corners = null
    this.show()
  }

  show() {
    set(this.line, { d: this.corners ? `M${this.corners.map((corner) => corner.join(" ")).join("L")}Z` : "" })
  }
}

// Items whose px lie inside the closed line through `corners` (even-odd rule), ascending.
export function itemsInside(store, corners) {
  const { arrays: { places }, camera } = store
  const [xs, ys] = [0, 1].map((k) => corners.map((corner) => corner[k]))
  const [left, right, top, bottom] = [Math.min(...xs), Math.max(...xs), Math.min(...ys), Math.max(...ys)]
  const edges = edgesByRow(corners, top, bottom)
  const scale = camera.scale(store)
  const [x0, y0] = store.screen(0, 0)
  const found = []
  for (let item = 0; item < places.length / 2; item++) {
    const x = x0 + places[2 * item] * scale
    const y = y0 - places[2 * item + 1] * scale
    if (x < left || x > right || y < top || y > bottom) continue
    if (isInside(x, y, edges[Math.floor(y - top)])) found.push(item)
  }
  return Int32Array.from(found)
}

// For each row of px the edges that reach it, so that few are looked at for an item.
function edgesByRow(corners, top, bottom) {
  const rows = Array.from({ length: Math.floor(bottom - top) + 1 }, () => [])
  corners.forEach(([x1, y1], i) => {
    const [x2, y2] = corners[(i + 1) % corners.length]
    const last = Math.floor(Math.max(y1, y2) - top)
    for (let row = Math.floor(Math.min(y1, y2) - top); row <= last; row++) rows[row].push([x1, y1, x2, y2])
  })
  return rows
}

function isInside(x, y, edges) {
  let inside = false
  for (const [x1, y1, x2, y2] of edges) {
    if (y1 > y !== y2 > y && x < x1 + ((x2 - x1) * (y - y1)) / (y2 - y1)) inside = !inside
  }
  return inside
}
