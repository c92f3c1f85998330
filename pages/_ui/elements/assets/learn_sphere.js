// A half sphere of radius one over its disc, turned and tilted, as if seen from far away: whatever
// is drawn on it is SVG, as in the plane.

import { line, path, rad } from "./learn_marks.js"

const TURN = 2 * Math.PI

export class Sphere {
  // yaw: how far it is turned, pitch: how high the eye is, from 0 beside it to 90 above; in degrees.
  constructor({ w, h }, yaw, pitch) {
    this.r = Math.max(20, Math.min(w * 0.36, h * 0.44))
    Object.assign(this, { turn: rad(yaw), tilt: rad(pitch) })
    this.cx = w / 2
    this.cy = h / 2 + (this.r * (1 - Math.sin(this.tilt))) / 2 // the half sphere stands in the middle
  }

  // Where a point lies in the picture, and how far away: what is nearer is drawn later.
  at([x, y, z = 0]) {
    const [right, back] = [x * Math.cos(this.turn) - y * Math.sin(this.turn), x * Math.sin(this.turn) + y * Math.cos(this.turn)]
    const [up, into] = [Math.sin(this.tilt), Math.cos(this.tilt)]
    return [this.cx + right * this.r, this.cy - (z * into + back * up) * this.r, back * into - z * up]
  }

  // The disc, circles of height and half circles over the pole.
  ground() {
    const curve = (point, length, look) => path(Array.from({ length: 49 }, (_, i) => this.at(point((i * length) / 48)).slice(0, 2)), look)
    const disc = curve((t) => [Math.cos(t), Math.sin(t)], TURN, { stroke: "axis", fill: "surface", closed: true })
    const heights = [30, 60].map(rad).map((height) => curve((t) => [Math.cos(t) * Math.cos(height), Math.sin(t) * Math.cos(height), Math.sin(height)], TURN, THIN))
    const arches = [0, 1, 2, 3, 4, 5].map((i) => (i * Math.PI) / 6).map((way) => curve((t) => [Math.cos(way) * Math.cos(t), Math.sin(way) * Math.cos(t), Math.sin(t)], Math.PI, THIN))
    return [disc, ...heights, ...arches].join("")
  }

  line(from, to, look) {
    return line(...this.at(from).slice(0, 2), ...this.at(to).slice(0, 2), look)
  }
}

const THIN = { stroke: "axis", alpha: 0.65 }

// A drag turns and tilts: where it began, and where it is.
export function turned({ yaw, pitch }, from, [x, y]) {
  return { yaw: yaw - (x - from.x) * 0.4, pitch: pitch + (y - from.y) * 0.3 }
}
