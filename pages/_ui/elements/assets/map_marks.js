// A followed search on the map: the query's star, its true answers as hits and misses with their
// labels, and the numbers of the clusters in the order in which they are opened.

import { beside, boxAround } from "./map_grid.js"
import { groupPlace, inSight, itemPlace } from "./map_frame.js"
import { foundAt, openedCount, stepShown } from "./map_searched.js"
import { shortened, widthOf } from "./map_text.js"

const NUMBERS = 9 // clusters whose place in the order is written
const LABELS = 40 // at most, the query's and the missed ones' first
const SIZE = 14
const HEIGHT = 18
const DISC = 9 // radius behind a number
const [BOLD, PLAIN] = [650, 400]

export class Marks {
  constructor(store) {
    this.store = store
    this.clear()
  }

  clear() {
    Object.assign(this, { star: null, hits: [], misses: [], numbers: [], labels: [] })
  }

  // Takes the places of the marks first, then those of their labels, by weight of what they say.
  place(frame, grid) {
    this.clear()
    const { store } = this
    const { followed } = store.message
    if (!followed || stepShown(store)) return
    const found = foundAt(followed, store.position)
    const marks = Array.from(followed.true, (item, rank) => ({ item, rank, at: frame.at(...itemPlace(store, item)) }))
      .filter(({ at }) => inSight(frame, at, 6))
    this.hits = marks.filter(({ rank }) => found[rank])
    this.misses = marks.filter(({ rank }) => !found[rank])
    const query = frame.at(...followed.place)
    this.star = inSight(frame, query, 10) ? query : null
    if (this.star) grid.block(boxAround(this.star, 9))
    for (const { at } of marks) grid.block(boxAround(at, 6))
    if (this.star) this.label(grid, query, [[shortened(followed.name), BOLD]])
    for (const mark of this.misses) this.label(grid, mark.at, [...this.named(mark), [", missed", PLAIN]])
    this.number(frame, grid, followed)
    for (const mark of this.hits) if (mark.item !== followed.item) this.label(grid, mark.at, this.named(mark))
  }

  named = ({ item }) => [[shortened(this.store.label(item)), BOLD]]

  label(grid, at, parts) {
    if (this.labels.length >= LABELS || !parts[0][0]) return
    const box = beside(grid, at, widthOf(parts, SIZE), HEIGHT, 11)
    if (!box) return // the list below the map and the card name it
    grid.block(box)
    this.labels.push({ parts, box })
  }

  // 1, 2, 3 … at the centroids or central items of the clusters opened first.
  number(frame, grid, followed) {
    const finest = this.store.message.levels.length - 1
    const last = Math.min(openedCount(followed, this.store.position), NUMBERS)
    for (let i = 0; i < last; i++) {
      const at = frame.at(...groupPlace(this.store, finest, followed.order[i]))
      if (!inSight(frame, at)) continue
      const own = boxAround(at, DISC)
      const near = (gap) => beside(grid, at, 2 * DISC, 2 * DISC, gap)
      const box = grid.free(own) ? own : near(8) ?? near(18)
      if (!box) continue
      grid.block(box)
      this.numbers.push({ text: String(i + 1), group: followed.order[i], box })
    }
  }

  draw(pen, { colours }) {
    const { background, hit, miss, query, text, candidate } = colours
    const around = (look) => ({ ...look, halo: background })
    for (const { box, text: digits } of this.numbers) {
      const [x, y] = [box.left + DISC, box.top + DISC]
      pen.circles([[x, y]], DISC, { fill: background, stroke: candidate, width: 1.5 })
      const parts = [[digits, BOLD]]
      pen.text(parts, x - widthOf(parts, 12) / 2, y + 0.5, 12, { fill: text })
    }
    pen.circles(this.hits.map(({ at }) => at), 5, { fill: hit, stroke: background, width: 1.5 })
    const arms = this.misses.flatMap(({ at }) => cross(at, 4.5))
    pen.lines(arms, { stroke: background, width: 6 })
    pen.lines(arms, { stroke: miss, width: 3 })
    if (this.star) pen.polygon(star(this.star, 12, 5.4), { fill: background })
    if (this.star) pen.polygon(star(this.star, 9, 3.8), { fill: query, stroke: background, width: 1 })
    for (const { parts, box } of this.labels) {
      pen.text(parts, box.left, (box.top + box.bottom) / 2, SIZE, around({ fill: text }))
    }
  }
}

const cross = ([x, y], arm) => [[x - arm, y - arm, x + arm, y + arm], [x - arm, y + arm, x + arm, y - arm]]

function star([x, y], outer, inner) {
  return Array.from({ length: 10 }, (_, i) => {
    const radius = i % 2 ? inner : outer
    const angle = (i * Math.PI) / 5 - Math.PI / 2
    return [x + radius * Math.cos(angle), y + radius * Math.sin(angle)]
  })
}
