// The plane of the first chapters: points within a circle, a query from its middle to its rim.

import { arrow, dot, line, path, rad, short, stroked, text, widthOf } from "./learn_marks.js"

export class Plane {
  // margin: px left free at the sides and above for what is written around the circle.
  constructor({ w, h }, [side, above] = [60, 24]) {
    this.r = Math.max(20, Math.min(w / 2 - side, h / 2 - above))
    this.cx = w / 2
    this.cy = h / 2
  }

  x([x]) { return this.cx + x * this.r }
  y([, y]) { return this.cy - y * this.r }
  at(point) { return [this.x(point), this.y(point)] }
  rim(degrees, beyond = 0) { return around(this, rad(degrees), this.r + beyond) }

  // The angle, in degrees from 0 to 360, under a place of the picture.
  angle([x, y]) { return ((Math.atan2(this.cy - y, x - this.cx) * 180) / Math.PI + 360) % 360 }

  circle(look = { stroke: "grid" }) {
    return dot(this.cx, this.cy, short(this.r), "", { width: 1, ...look })
  }

  // An arrow from the middle; it ends below the ring that the frame draws at the rim.
  query(degrees, length = 1, short = 11) {
    const [x, y] = around(this, rad(degrees), length * this.r - short)
    return arrow(this.cx, this.cy, x, y) + dot(this.cx, this.cy, 3, "query")
  }

  // The line square to a direction, `far` along it, as long as the circle is there wide.
  square(degrees, far, look = { stroke: "muted", width: 1.25, dash: "5 5" }) {
    const [ux, uy] = [Math.cos(rad(degrees)), Math.sin(rad(degrees))]
    const half = Math.sqrt(Math.max(0, 1.1 - far * far))
    const end = (t) => this.at([far * ux - t * half * uy, far * uy + t * half * ux])
    return line(...end(-1), ...end(1), look)
  }

  // Arcs around the circle, `beyond` px outside it; `ranges` of degrees, from and to.
  arcs(ranges, beyond, look) {
    const r = this.r + beyond
    const d = ranges.map(([from, to]) => {
      const [start, end] = [from, to].map((angle) => around(this, rad(angle), r).map(short).join(" "))
      return `M${start}A${short(r)} ${short(r)} 0 ${to - from > 180 ? 1 : 0} 0 ${end}`
    })
    return stroked(d.join(""), look)
  }

  region(corners, look) {
    return path(corners.map((point) => this.at(point)), { ...look, closed: true })
  }

  // How far a point reaches along a direction.
  along(degrees, [x, y]) { return x * Math.cos(rad(degrees)) + y * Math.sin(rad(degrees)) }

  // Where the names of `marks`, {x, y, words}, stand: beside them; or, where one would lie on another
  // mark or on the ring, all in a column with lines (`led`). Adds tx, ty, right (of its mark).
  named(marks, [ringX, ringY], width) {
    const toRight = ringX >= this.cx
    const placed = marks.map((mark) => ({ ...mark, wide: widthOf(mark.words, 15) })).sort((a, b) => a.y - b.y)
    let last = -Infinity
    for (const mark of placed) {
      mark.right = toRight ? mark.x + 14 + mark.wide <= width : mark.x - 14 - mark.wide < 0
      mark.tx = mark.x + (mark.right ? 14 : -14)
      mark.ty = last = Math.max(mark.y + 5, last + 18)
    }
    const covers = (mark, { x, y }) => Math.abs(y - mark.ty + 5) < 15
      && (mark.right ? x > mark.x - 8 && x < mark.tx + mark.wide + 8 : x < mark.x + 8 && x > mark.tx - mark.wide - 8)
    const things = [...placed, { x: ringX, y: ringY }]
    if (!placed.some((mark) => things.some((thing) => thing !== mark && covers(mark, thing)))) return placed
    const widest = Math.max(...placed.map(({ wide }) => wide))
    const [leftmost, rightmost] = [Math.min, Math.max].map((pick) => pick(...placed.map(({ x }) => x)))
    const right = toRight && Math.max(ringX, rightmost) + 24 + widest <= width
    const middle = placed[placed.length >> 1].y
    const beyond = Math.abs(ringY - middle) < 46
    const column = right ? (beyond ? Math.max(rightmost, ringX) : rightmost) + 24 : (beyond ? Math.min(leftmost, ringX) : leftmost) - 24
    return placed.map((mark, j) => ({ ...mark, right, led: true, tx: column, ty: middle + (j - (placed.length >> 1)) * 19 + 5 }))
  }

  // Small names outside their points, {point, words}, moved down where they would meet.
  beside(points) {
    const boxes = []
    return [...points].sort((a, b) => b.point[1] - a.point[1]).map(({ point, words }) => {
      const right = point[0] >= 0
      const x = this.x(point) + (right ? 8 : -8)
      const [from, to] = right ? [x, x + widthOf(words, 12)] : [x - widthOf(words, 12), x]
      let y = this.y(point) + 4
      while (boxes.some(([left, end, at]) => Math.abs(at - y) < 12 && from < end && to > left)) y += 12
      boxes.push([from, to, y])
      return text(x, y, words, { anchor: right ? "start" : "end", size: 12, halo: true })
    }).join("")
  }
}

const around = ({ cx, cy }, angle, r) => [cx + r * Math.cos(angle), cy - r * Math.sin(angle)]

// Where a word beside a circle, at this angle of it, is held.
export function anchorAt(degrees) {
  const across = Math.cos(rad(degrees))
  return across > 0.3 ? "start" : across < -0.3 ? "end" : "middle"
}

// The convex hull of points, counterclockwise.
export function hull(points) {
  const sorted = [...points].sort((a, b) => a[0] - b[0] || a[1] - b[1])
  const half = (ordered) => ordered.reduce((kept, point) => {
    while (kept.length > 1 && turn(kept.at(-2), kept.at(-1), point) <= 0) kept.pop()
    kept.push(point)
    return kept
  }, [])
  return [...half(sorted).slice(0, -1), ...half(sorted.reverse()).slice(0, -1)]
}

const turn = (a, b, c) => (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0])

// Where `holds(i)` is true of the i-th of n positions round a circle: ranges of degrees.
export function rangesOf(n, holds) {
  const part = 360 / n
  const ranges = []
  for (let i = 0; i < n; i++) {
    if (!holds(i)) continue
    const last = ranges.at(-1)
    if (last && last[1] > (i - 0.6) * part) last[1] = (i + 0.5) * part
    else ranges.push([(i - 0.5) * part, (i + 0.5) * part])
  }
  return ranges
}

// Where values at equal steps round a circle stay the same: [from, to, value], in degrees.
export function runsOf(values) {
  const part = 360 / values.length
  const runs = []
  values.forEach((value, i) => {
    if (runs.at(-1)?.[2] === value) runs.at(-1)[1] = (i + 0.5) * part
    else runs.push([(i - 0.5) * part, (i + 0.5) * part, value])
  })
  if (runs.length > 1 && runs[0][2] === runs.at(-1)[2]) runs[0][0] = runs.pop()[0] - 360
  return runs
}
