// Where the names of curves go: beside their curve, crossing no curve and no other name.
// A name with no such place is left out, because the chips below the chart name all curves.

const CELL = 4
const TAKEN = 1 << 30
const HEIGHT = 18

// curves: {key, width of the name or 0 for none, points: [[x, y], …]}; area, taken: boxes in px.
export function gridOf(curves, area, taken) {
  const grid = new Grid(area)
  curves.forEach((curve, i) => grid.trace(curve.points, (curve.bit = 1 << (i % 30))))
  taken.forEach((box) => grid.block(box))
  return grid
}

// The box of a label of this width beside a point, where no curve runs: at the first of the places
// that is free, beginning with the one it had; null where none is.
export function beside(x, y, width, grid, had = 0) {
  const places = PLACES.map((place, i) => [i, place(x, y, width)])
  places.unshift(places[had])
  for (const [i, [left, top]] of places) {
    const box = boxAt(left, top, width)
    if (within(box, grid.area) && grid.free(box, 2, 0)) return { ...box, place: i }
  }
  return null
}

// Returns {key, x, y} of each name's left middle; blocks their boxes in the grid.
export function placeLabels(curves, grid) {
  const { area } = grid
  const placed = []
  const named = curves.filter((curve) => curve.width > 0)
  for (const curve of named.sort((a, b) => spread(a) - spread(b))) {
    const box = best(curve, grid, area)
    if (!box) continue
    grid.block(box)
    placed.push({ key: curve.key, x: box.left, y: box.top + HEIGHT / 2, box })
  }
  return placed
}

function best(curve, grid, area) {
  const samples = along(curve.points, 10).filter(([x, y]) => inside(area, x, y))
  const middle = samples.length * 0.55
  samples.forEach((sample, i) => { sample.push(Math.abs(i - middle)) })
  samples.sort((a, b) => a[2] - b[2])
  for (const [side, rooms] of SIDES) {
    for (const room of rooms) {
      for (const [x, y] of samples) {
        const box = side(x, y, curve.width).map(([left, top]) => boxAt(left, top, curve.width))
          .find((b) => within(b, area) && grid.free(b, room, curve.bit))
        if (box) return box
      }
    }
  }
  return null
}

// Where a name may stand beside a point of its curve, and the px to be kept free around it. On the
// left its sign is far from the curve, so there it needs more room not to be taken for another's.
const SIDES = [
  [(x, y) => [[x + 9, y - 16], [x + 9, y - 10], [x + 9, y - 3]], [10, 6, 3]],
  [(x, y, width) => [[x - width / 2, y - 24], [x - width / 2, y + 6]], [10, 6]],
  [(x, y, width) => [[x - 9 - width, y - 2], [x - 9 - width, y - 16]], [14]],
]
// Of a label beside the ring: right of it or left, above or below; else along the line below it.
const PLACES = [14, 26, 40].flatMap((far) => [
  (x, y) => [x + 14, y - far - 11], (x, y) => [x + 14, y + far - 7],
  (x, y, width) => [x - 14 - width, y - far - 11], (x, y, width) => [x - 14 - width, y + far - 7],
]).concat(Array.from({ length: 40 }, (_, i) => 50 + 10 * i).flatMap((far) => [
  (x, y) => [x + 8, y + far], (x, y, width) => [x - 8 - width, y + far],
]))
const boxAt = (left, top, width) => ({ left, top, right: left + width, bottom: top + HEIGHT })

// Which curves pass through which cells of the plot.
class Grid {
  constructor(area) {
    this.area = area
    this.columns = Math.ceil((area.right - area.left) / CELL) + 1
    this.rows = Math.ceil((area.bottom - area.top) / CELL) + 1
    this.cells = new Int32Array(this.columns * this.rows)
  }

  trace(points, bit) {
    for (const [x, y] of along(points, CELL / 2)) {
      if (inside(this.area, x, y)) this.cells[this.row(y) * this.columns + this.column(x)] |= bit
    }
  }

  block(box) {
    this.each(box, 0, (cell) => { this.cells[cell] |= TAKEN })
  }

  // Nothing in the box, and nothing but the curve itself in the room around it.
  free(box, room, own) {
    let free = true
    this.each(box, 1, (cell) => { free &&= this.cells[cell] === 0 })
    if (free) this.each(box, room, (cell) => { free &&= (this.cells[cell] & ~own) === 0 })
    return free
  }

  each(box, room, visit) {
    const right = Math.min(this.column(box.right + room), this.columns - 1)
    const bottom = Math.min(this.row(box.bottom + room), this.rows - 1)
    for (let row = Math.max(this.row(box.top - room), 0); row <= bottom; row++) {
      for (let column = Math.max(this.column(box.left - room), 0); column <= right; column++) {
        visit(row * this.columns + column)
      }
    }
  }

  column(x) { return Math.floor((x - this.area.left) / CELL) }
  row(y) { return Math.floor((y - this.area.top) / CELL) }
}

// Points every `step` px along a polyline. Far outside pieces are cut short by the caller's area.
function along(points, step) {
  const found = points.length ? [points[0]] : []
  for (let i = 1; i < points.length; i++) {
    const [x0, y0] = points[i - 1]
    const [x1, y1] = points[i]
    const pieces = Math.min(Math.ceil(Math.hypot(x1 - x0, y1 - y0) / step) || 0, 4000)
    for (let j = 1; j <= pieces; j++) found.push([x0 + ((x1 - x0) * j) / pieces, y0 + ((y1 - y0) * j) / pieces])
  }
  return found
}

const spread = ({ points }) => Math.max(...points.map(([x]) => x), 0) - Math.min(...points.map(([x]) => x), 0)
const inside = (area, x, y) => x >= area.left && x <= area.right && y >= area.top && y <= area.bottom
const within = (box, area) => box.left >= area.left + 3 && box.right <= area.right - 2 && box.top >= area.top + 1 && box.bottom <= area.bottom - 3

export const overlap = (a, b) => a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom
