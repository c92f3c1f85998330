// Where the cells of the treemap are: areas as the numbers of items, groups of a coarser level
// side by side where levels nest.

import { hierarchy, treemap } from "./d3-hierarchy.min.js"

export const MOST = 20000 // cells; more would be less than 4 px wide
const LEAST_AREA = 30 // px² of a cell on average, below which cells touch each other
const [GAP, COARSE_GAP] = [1, 3] // px between cells, and between groups of the coarsest level

// Cells of the MOST largest groups of levels[shown] that hold items, largest first:
// {group, left, top, right, bottom}.
export function cellsOf(levels, shown, width, height) {
  const { sizes } = levels[shown]
  const root = hierarchy({ children: branches(levels, shown) }, ({ children }) => children)
  root.sum(({ group, children }) => (children ? 0 : sizes[group])).sort((a, b) => b.value - a.value || a.data.group - b.data.group)
  const leaves = root.leaves()
  const fine = (width * height) / leaves.length > LEAST_AREA ? GAP : 0
  const nested = leaves.some(({ depth }) => depth > 1)
  treemap().size([width, height]).paddingInner(({ depth }) => (depth || !nested ? fine : fine && COARSE_GAP))(root)
  return leaves
    .map(({ data, x0, y0, x1, y1 }) => ({ group: data.group, left: x0, top: y0, right: x1, bottom: y1 }))
    .sort((a, b) => sizes[b.group] - sizes[a.group] || a.group - b.group)
}

// The groups of the coarsest level above `shown` that leads down to it without a break, each with
// the groups within it; a group that is alone in its parent takes its parent's place.
function branches(levels, shown) {
  const { sizes } = levels[shown]
  const held = Array.from(sizes.keys()).filter((group) => sizes[group]).sort((a, b) => sizes[b] - sizes[a])
  let nodes = Array.from(sizes, () => null)
  for (const group of held.slice(0, MOST)) nodes[group] = { group }
  for (let level = shown; levels[level].parents && level > 0; level--) {
    const { parents } = levels[level]
    const above = Array.from(levels[level - 1].sizes, () => [])
    nodes.forEach((node, group) => { if (node) above[parents[group]].push(node) })
    nodes = above.map((children, group) => {
      if (children.length < 2) return children[0] ?? null
      return { group, children }
    })
  }
  return nodes.filter(Boolean)
}

export const cellAt = (cells, x, y) =>
  cells.find(({ left, top, right, bottom }) => x >= left && x <= right && y >= top && y <= bottom) ?? null
