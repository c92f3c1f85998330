// Names of groups, placed so that none lies on another: larger groups first, but a name once shown
// stays while it fits, so that panning does not make names change places.

import { boxAround, boxAt } from "./map_grid.js"
import { groupPlace, inSight } from "./map_frame.js"
import { shortened, widthOf } from "./map_text.js"

const ROOM = 8 // px kept free around a name, twice that sideways
const WEIGHT = 650
const SIZES = [14, 13, 12] // px: of the largest eighth, the next eighth, the rest
const AREA = 15_000 // px of the picture for each name, twice that beside a search: more would hide the points

export class Names {
  constructor(store) {
    this.store = store
    this.shown = []
  }

  // Order by size, texts and the memory of what is shown, when another level comes.
  prepare() {
    const level = this.store.message.levels[this.store.level]
    if (level === this.level) return
    const k = level?.sizes.length ?? 0
    this.level = level
    this.texts = new Array(k)
    this.since = new Float64Array(k) // scale at which each name was given its place; 0: not shown
    this.rank = new Int32Array(k)
    this.order = Array.from({ length: k }, (_, group) => group)
      .filter((group) => level.sizes[group] > 0)
      .sort((one, other) => level.sizes[other] - level.sizes[one] || one - other)
    this.order.forEach((group, rank) => { this.rank[group] = rank })
  }

  // Chooses what is shown; what it takes is blocked in the grid.
  place(frame, grid) {
    this.prepare()
    this.shown = []
    const { hoveredGroup, focus, message } = this.store
    for (const group of new Set([hoveredGroup, focus])) if (group >= 0) this.insist(group, frame, grid)
    if (!message.showNames || !message.levels.length) return
    const stays = this.order.filter((group) => frame.scale >= this.since[group] * 0.999 && this.since[group] > 0)
    const most = (frame.width * frame.height) / AREA / (message.followed ? 2 : 1)
    const kept = new Set(stays.filter((group) => this.shown.length < most && this.fits(group, frame, grid)))
    for (const group of this.order) {
      if (kept.has(group)) continue
      const fits = this.shown.length < most && this.fits(group, frame, grid)
      this.since[group] = fits ? frame.scale : 0
    }
  }

  // The name of the group pointed at is shown in any case.
  insist(group, frame, grid) {
    const at = this.anchor(group, frame)
    if (!at) return
    const { parts, size, width, height } = this.written(group)
    const left = Math.max(Math.min(at[0] - width / 2, frame.width - width), 0)
    this.show(group, parts, size, boxAt(left, at[1] - height / 2, width, height), grid)
  }

  fits(group, frame, grid) {
    const at = this.anchor(group, frame)
    // Most are refused here, before the width of their name must be known.
    if (!at || !grid.free(boxAround(at, 7), ROOM)) return false
    const { parts, size, width, height } = this.written(group)
    const box = boxAt(at[0] - width / 2, at[1] - height / 2, width, height)
    if (!width || !grid.free(box, ROOM)) return false
    this.show(group, parts, size, box, grid)
    return true
  }

  show(group, parts, size, box, grid) {
    grid.block(box)
    this.shown.push({ group, parts, size, box })
  }

  // Where a group's name belongs in px, or null if that is out of sight.
  anchor(group, frame) {
    if (!(group < this.texts.length)) return null
    const at = frame.at(...groupPlace(this.store, this.store.level, group))
    return inSight(frame, at) ? at : null
  }

  written(group) {
    const size = SIZES[Math.min(Math.floor((8 * this.rank[group]) / this.order.length), SIZES.length - 1)]
    this.texts[group] ??= [[shortened(this.level.names[group]), WEIGHT]]
    const parts = this.texts[group]
    return { parts, size, width: widthOf(parts, size), height: size * 1.3 }
  }

  draw(pen, { colours }) {
    for (const { parts, size, box } of this.shown) {
      const look = { fill: colours.text, halo: colours.background }
      pen.text(parts, box.left, (box.top + box.bottom) / 2, size, look)
    }
  }
}
