// The rows of a tree: each cluster a box as wide as the leaves below it, on one line with its level.

import { bar, stroked } from "./learn_marks.js"

const HATCH = 8.5 // px from one line to the next

// up: for each level but the coarsest, and for the leaves' own items last, the cluster above each.
export class TreeRows {
  constructor(up) {
    this.up = up
    const above = up.slice(0, -1) // of clusters alone
    const leaves = above.length ? above.at(-1).length : Math.max(...up[0]) + 1
    this.paths = Array.from({ length: leaves }, (_, leaf) => ways(above, leaf))
    this.order = [...this.paths.keys()].sort((a, b) => compared(this.paths[a], this.paths[b]))
    this.places = Array(leaves)
    this.order.forEach((leaf, place) => { this.places[leaf] = place })
    this.rows = this.paths[0].map((_, level) => spans(this.order, this.paths, level))
  }

  get leaves() { return this.places.length }

  // The clusters that an item lies in, the coarsest first.
  above(item) { return this.paths[this.up.at(-1)[item]] }

  // The place of an item's leaf in its row.
  place(item) { return this.places[this.up.at(-1)[item]] }

  // The level at which the way to an item was left, where `kept` lists what was kept of each; -1: never.
  left(item, kept) { return this.above(item).findIndex((cluster, level) => !kept[level].includes(cluster)) }
}

function ways(above, leaf) {
  const way = [leaf]
  for (const labels of [...above].reverse()) way.unshift(labels[way[0]])
  return way
}

function compared(a, b) {
  const level = a.findIndex((cluster, i) => cluster !== b[i])
  return level < 0 ? 0 : a[level] - b[level]
}

// Of each cluster of a level, its first place in the row of leaves and the one after its last.
function spans(order, paths, level) {
  const found = []
  order.forEach((leaf, place) => {
    const cluster = paths[leaf][level]
    found[cluster] = [found[cluster]?.[0] ?? place, place + 1]
  })
  return found
}

// look: kept | dropped (scored, and left) | unseen.
export function clusterBox(x, y, width, height, look) {
  if (look === "kept") return bar(x, y, width, height, "flat-kmeans", { stroke: "flat-kmeans", round: 3 })
  if (look === "unseen") return bar(x, y, width, height, "surface", { stroke: "grid", round: 3 })
  return bar(x, y, width, height, "background", { stroke: "candidate", round: 3 }) + hatched(x, y, width, height)
}

function hatched(x, y, width, height) {
  const lines = []
  for (let at = HATCH - height; at < width; at += HATCH) {
    const [from, to] = [Math.max(at, 0), Math.min(at + height, width)]
    if (to > from) lines.push(`M${fixed(x + from)} ${fixed(y + height - (from - at))}L${fixed(x + to)} ${fixed(y + height - (to - at))}`)
  }
  return stroked(lines.join(""), { stroke: "candidate", width: 1.4 })
}

const fixed = (value) => value.toFixed(1)
