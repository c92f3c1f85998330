// Outlines and centroids of the groups of the level shown.

import { groupPlace, inSight } from "./map_frame.js"
import { openedGroups, stepShown } from "./map_searched.js"

const LEAST = 3 // px across below which an outline is left out
const STRENGTHS = [{ alpha: 0.35 }, { fillAlpha: 0.08 }, { fillAlpha: 0.2, width: 2.5 }]
const MANY = 200 // centroids in sight, above which their rings are small
const CENTROIDS = 1500 // in sight, at most, above which rings would hide the points

// All rings of one group, in the units of the layout.
class Outline {
  constructor(group) {
    this.group = group
    this.rings = []
    this.box = { left: Infinity, top: Infinity, right: -Infinity, bottom: -Infinity }
  }

  add(ring) {
    this.rings.push(ring)
    const { box } = this
    for (const [x, y] of ring) {
      box.left = Math.min(box.left, x)
      box.right = Math.max(box.right, x)
      box.top = Math.min(box.top, y)
      box.bottom = Math.max(box.bottom, y)
    }
  }

  get path() {
    if (this.made) return this.made
    this.made = new Path2D()
    for (const ring of this.rings) {
      for (const [i, [x, y]] of ring.entries()) i ? this.made.lineTo(x, y) : this.made.moveTo(x, y)
      this.made.closePath()
    }
    return this.made
  }

  // Whether it can be seen: in sight and larger than a speck.
  seen(frame) {
    const { left, top, right, bottom } = this.box
    const [one, other] = [frame.at(left, top), frame.at(right, bottom)]
    const low = [Math.min(one[0], other[0]), Math.min(one[1], other[1])]
    const high = [Math.max(one[0], other[0]), Math.max(one[1], other[1])]
    const large = high[0] - low[0] >= LEAST || high[1] - low[1] >= LEAST
    return large && high[0] >= 0 && high[1] >= 0 && low[0] <= frame.width && low[1] <= frame.height
  }
}

function outlinesOf({ points, starts, groups }) {
  const found = new Map()
  groups.forEach((group, r) => {
    if (!found.has(group)) found.set(group, new Outline(group))
    found.get(group).add(Array.from(points.slice(starts[r], starts[r + 1])))
  })
  return [...found.values()]
}

export class Outlines {
  constructor(store) {
    this.store = store
  }

  // The outlines of the message, read once.
  get made() {
    const { outlines } = this.store.message
    if (outlines !== this.read) {
      this.read = outlines
      this.kept = outlines ? outlinesOf(outlines) : []
    }
    return this.kept ?? []
  }

  draw(pen, frame) {
    const { store } = this
    if (store.level !== store.message.level || stepShown(store)) return
    const { colours } = store.message.levels[store.level] ?? {}
    const opened = openedGroups(store)
    const batches = [{}, {}, {}] // {colour: outlines} of groups that are faint, as usual, strong
    for (const outline of this.made) {
      if (!outline.seen(frame)) continue
      const { group } = outline
      const strong = group === store.hoveredGroup || group === store.focus
      const strength = strong ? 2 : opened && !opened[group] ? 0 : 1
      const colour = frame.colours[`c${colours[group]}`]
      ;(batches[strength][colour] ??= []).push(outline)
    }
    batches.forEach((byColour, strength) => {
      for (const [colour, outlines] of Object.entries(byColour)) {
        pen.outlines(outlines, frame.matrix, { ...STRENGTHS[strength], fill: strength && colour, stroke: colour })
      }
    })
  }
}

// Small rings where the centroids of the level shown stand.
export class Centroids {
  constructor(store) {
    this.store = store
  }

  draw(pen, frame) {
    const { store } = this
    const level = store.message.levels[store.level]
    if (!level?.centroids || stepShown(store)) return
    const byColour = new Map()
    let seen = 0
    for (let group = 0; group < level.sizes.length; group++) {
      const place = frame.at(...groupPlace(store, store.level, group))
      if (!inSight(frame, place, 4)) continue
      if (++seen > CENTROIDS) return
      const colour = `c${level.colours[group]}`
      if (!byColour.has(colour)) byColour.set(colour, [])
      byColour.get(colour).push(place)
    }
    for (const [colour, places] of byColour) {
      const look = { fill: frame.colours.background, fillAlpha: 0.8, stroke: frame.colours[colour], width: 1.25 }
      pen.circles(places, seen > MANY ? 2 : 3, look)
    }
  }
}
