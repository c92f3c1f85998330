// One step of the walk of a search on the map: what was scored in grey, what was kept in accent.

import { groupPlace, inSight } from "./map_frame.js"
import { beside, boxAround } from "./map_grid.js"
import { stepShown } from "./map_searched.js"
import { shortened, widthOf } from "./map_text.js"

const SIZE = 14
const NAMES = 20 // of groups kept, at most

export class Walk {
  constructor(store, outlines) {
    Object.assign(this, { store, outlines, step: null, scored: [], kept: [], labels: [] })
  }

  // The groups of the step: px where they are marked, and the names of those kept.
  place(frame, grid) {
    const { store } = this
    const step = stepShown(store)
    const level = store.message.levels[step?.level]
    Object.assign(this, { step: level ? step : null, scored: [], kept: [], labels: [] })
    if (!level) return
    const kept = new Set(step.kept)
    const mark = (group) => ({ group, at: frame.at(...groupPlace(store, step.level, group)) })
    const marks = (groups) => groups.map(mark).filter(({ at }) => inSight(frame, at, 8))
    this.kept = marks([...kept])
    this.scored = marks(Array.from(step.scored).filter((group) => !kept.has(group)))
    for (const { at } of this.kept) grid.block(boxAround(at, 7))
    for (const { at, group } of this.kept.slice(0, NAMES)) {
      const parts = [[shortened(level.names[group]), 650]]
      const box = beside(grid, at, widthOf(parts, SIZE), 18, 10)
      if (!box) continue
      grid.block(box)
      this.labels.push({ parts, box })
    }
  }

  draw(pen, frame) {
    const { step, store, scored, kept, labels } = this
    if (!step) return
    const { background, candidate, hit, text } = frame.colours
    if (step.level === store.message.level) this.outline(pen, frame, new Set(step.scored), new Set(step.kept))
    const places = (marks) => marks.map(({ at }) => at)
    pen.circles(places(scored), 4, { fill: background, fillAlpha: 0.7, stroke: candidate, width: 1.5 })
    pen.circles(places(kept), 6, { fill: hit, stroke: background, width: 1.5 })
    for (const { parts, box } of labels) {
      pen.text(parts, box.left, (box.top + box.bottom) / 2, SIZE, { fill: text, halo: background })
    }
  }

  outline(pen, frame, scored, kept) {
    const { candidate, hit } = frame.colours
    const seen = this.outlines.made.filter((outline) => outline.seen(frame))
    const grey = seen.filter(({ group }) => scored.has(group) && !kept.has(group))
    pen.outlines(grey, frame.matrix, { stroke: candidate })
    const accent = seen.filter(({ group }) => kept.has(group))
    pen.outlines(accent, frame.matrix, { fill: hit, fillAlpha: 0.12, stroke: hit, width: 2 })
  }
}
