// The plane of the first chapters: points within a circle, a query from its middle to its rim.

import { arrow, dot, line, path, rad, short, stroked } from "./learn_marks.js"

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
}

const around = ({ cx, cy }, angle, r) => [cx + r * Math.cos(angle), cy - r * Math.sin(angle)]

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
