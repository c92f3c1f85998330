// Where the picture looks: a middle and a zoom, relative to the box around all items, so that it
// keeps its place when the items get new places.

const MARGIN = 14 // px free around all items
const MOST = 4000 // times: beyond it float32 places show as a grid

export class Camera {
  constructor() {
    this.bounds = { x: 0, y: 0, halfWidth: 1, halfHeight: 1 }
    this.reset()
  }

  // All items in sight; `resting` until the visitor looks elsewhere.
  reset() {
    this.moveTo({ x: 0, y: 0, zoom: 1 })
    this.resting = true
  }

  get half() { return Math.max(this.bounds.halfWidth, this.bounds.halfHeight) }

  // px of one data unit in a picture {width, height}.
  scale({ width, height }, zoom = this.zoom) {
    const room = (size) => Math.max(size - 2 * MARGIN, 1) / 2
    return zoom * Math.min(room(width) / this.bounds.halfWidth, room(height) / this.bounds.halfHeight)
  }

  // The middle of the picture in data units.
  get middle() {
    const { bounds, half } = this
    return [bounds.x + this.x * half, bounds.y + this.y * half]
  }

  screen(x, y, size) {
    const [mx, my] = this.middle
    const scale = this.scale(size)
    return [size.width / 2 + (x - mx) * scale, size.height / 2 - (y - my) * scale]
  }

  place(px, py, size) {
    const [mx, my] = this.middle
    const scale = this.scale(size)
    return [mx + (px - size.width / 2) / scale, my - (py - size.height / 2) / scale]
  }

  // By px on the screen.
  pan(dx, dy, size) {
    const unit = this.scale(size) * this.half
    this.resting = false
    this.moveTo({ x: this.x - dx / unit, y: this.y + dy / unit })
  }

  // `factor` times larger, about a px that stays where it is.
  zoomAt(factor, px, py, size) {
    const zoom = Math.min(Math.max(this.zoom * factor, 0.5), MOST)
    const real = zoom / this.zoom
    const unit = this.scale(size) * this.half
    this.resting = false
    const [dx, dy] = [(px - size.width / 2) / unit, (size.height / 2 - py) / unit]
    this.moveTo({ x: this.x + dx * (1 - 1 / real), y: this.y + dy * (1 - 1 / real), zoom })
  }

  // Its middle stays where items are.
  moveTo({ x = this.x, y = this.y, zoom = this.zoom }) {
    cancelAnimationFrame(this.flight)
    const within = (value) => Math.min(Math.max(value, -1), 1)
    Object.assign(this, { x: within(x), y: within(y), zoom })
  }

  fly(to, duration, onMove) {
    const { x, y, zoom } = this
    this.resting = false
    const start = performance.now()
    const step = (now) => {
      const part = duration ? Math.min((now - start) / duration, 1) : 1
      const eased = part * part * (3 - 2 * part)
      const between = (a, b) => a + (b - a) * eased
      this.moveTo({ x: between(x, to.x), y: between(y, to.y), zoom: zoom * (to.zoom / zoom) ** eased })
      onMove()
      if (part < 1) this.flight = requestAnimationFrame(step)
    }
    step(duration ? start : 0)
  }
}
