// Finds the item under the pointer: a grid over all places, made when it is first asked for.

import { emphasis, standsOut } from "./map_shades.js"

const PER_CELL = 3
const MOST = 1024 // cells a side
const [ANSWER, FADED] = [-1, 1] // an answer is met before a candidate, and that before what fades

export class Near {
  constructor(store) {
    this.store = store
  }

  // The item drawn nearest to a px, within `reach` px; -1 if there is none.
  at(px, py, reach) {
    const { store } = this
    const { places } = store.arrays
    if (!places) return -1
    if (this.places !== places) this.build(places, store.camera.bounds)
    const scale = store.camera.scale(store)
    const [x, y] = store.place(px, py)
    const answers = new Set(store.message.followed?.true)
    const shown = emphasis(store)
    let [best, least] = [-1, Infinity]
    this.visit(x, y, reach / scale, (item) => {
      const away = Math.hypot(places[2 * item] - x, places[2 * item + 1] - y) * scale
      if (away > reach) return
      const class_ = answers.has(item) ? ANSWER : standsOut(store, store.points.shades, item, shown) ? 0 : FADED
      const cost = away + class_ * reach
      if (cost < least) [best, least] = [item, cost]
    })
    return best
  }

  // Calls `act` for each item in the cells within `reach` of a place.
  visit(x, y, reach, act) {
    const { left, bottom, side, cells, starts, items } = this
    const cell = (value, start) => Math.min(Math.max(Math.floor((value - start) / side), 0), cells - 1)
    for (let row = cell(y - reach, bottom); row <= cell(y + reach, bottom); row++) {
      const first = starts[row * cells + cell(x - reach, left)]
      const last = starts[row * cells + cell(x + reach, left) + 1]
      for (let i = first; i < last; i++) act(items[i])
    }
  }

  // Counting sort of the items by cell.
  build(places, { x, y, halfWidth, halfHeight }) {
    const n = places.length / 2
    const half = Math.max(halfWidth, halfHeight)
    this.cells = Math.min(Math.max(Math.ceil(Math.sqrt(n / PER_CELL)), 1), MOST)
    Object.assign(this, { places, left: x - half, bottom: y - half, side: (2 * half) / this.cells })
    const { cells, side, left, bottom } = this
    const within = (value) => Math.min(Math.max(Math.floor(value), 0), cells - 1)
    const cellOf = new Uint32Array(n)
    const starts = new Uint32Array(cells * cells + 1)
    for (let i = 0; i < n; i++) {
      cellOf[i] = within((places[2 * i + 1] - bottom) / side) * cells + within((places[2 * i] - left) / side)
      starts[cellOf[i] + 1] += 1
    }
    for (let i = 0; i < cells * cells; i++) starts[i + 1] += starts[i]
    const next = starts.slice()
    this.items = new Uint32Array(n)
    for (let i = 0; i < n; i++) this.items[next[cellOf[i]]++] = i
    this.starts = starts
  }
}
