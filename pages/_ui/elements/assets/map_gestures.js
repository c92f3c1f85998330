// What a hand does on the picture: drag, pinch, tap, hover and lasso. Wheel and keys: map_keys.js.

import { oncePerFrame } from "./dom.js"
import { Near } from "./map_near.js"

const CLICK = 5 // px a press may move and still be a click
const REACH = { mouse: 8, pen: 10, touch: 18 } // px around a point
const HEARD = ["pointerdown", "pointermove", "pointerup", "pointercancel", "pointerleave", "dblclick"]

export class Gestures {
  constructor(store, stage) {
    Object.assign(this, { store, stage, near: new Near(store), touching: new Map(), hover: null })
    for (const name of HEARD) stage.addEventListener(name, (event) => { if (!isFree(event)) this[name](event) })
    stage.addEventListener("pointermove", (event) => { if (isFree(event)) this.pointerleave() }) // onto a button
    // Two fingers are for the map, never for the page below it.
    const two = (event) => { if (event.touches.length > 1) event.preventDefault() }
    for (const name of ["touchstart", "touchmove"]) stage.addEventListener(name, two, { passive: false })
    this.look = oncePerFrame(() => this.lookAt())
    store.on(["camera", "lassoing", "hovered"], () => this.dress())
    store.on(["camera", "arrays"], () => this.look())
  }

  // One finger scrolls the page, until the map is enlarged or a lasso is to be drawn.
  dress() {
    const { camera, lassoing, hovered } = this.store
    this.stage.style.touchAction = camera.zoom > 1.01 || lassoing ? "none" : "pan-x pan-y"
    this.stage.style.cursor = lassoing ? "crosshair" : this.pressed?.moved ? "grabbing" : hovered >= 0 ? "pointer" : "grab"
  }

  at({ clientX, clientY }) {
    const { left, top } = this.stage.getBoundingClientRect()
    return [clientX - left - this.stage.clientLeft, clientY - top - this.stage.clientTop]
  }

  pointerdown(event) {
    if (event.button !== 0) return
    const [x, y] = this.at(event)
    this.stage.setPointerCapture(event.pointerId)
    this.touching.set(event.pointerId, [x, y])
    if (this.touching.size > 1) return this.letGo()
    this.pressed = { x, y, moved: false, lasso: this.store.lassoing || event.shiftKey }
  }

  pointermove(event) {
    const [x, y] = this.at(event)
    const before = this.touching.get(event.pointerId)
    if (!before) {
      this.hover = event.pointerType === "touch" ? null : { x, y }
      return this.look()
    }
    if (this.touching.size > 1) this.pinch(event.pointerId, [x, y])
    else if (this.pressed) this.drag(x, y, before)
    this.touching.set(event.pointerId, [x, y])
  }

  drag(x, y, before) {
    const { pressed, store } = this
    if (!pressed.moved && Math.hypot(x - pressed.x, y - pressed.y) < CLICK) return
    const [fromX, fromY] = pressed.moved ? before : [pressed.x, pressed.y]
    if (pressed.lasso && !pressed.moved) store.lasso.begin(pressed.x, pressed.y)
    pressed.moved = true
    store.set({ hovered: -1 })
    if (pressed.lasso) return store.lasso.extend(x, y)
    store.camera.pan(x - fromX, y - fromY, store)
    store.touch("camera")
  }

  pinch(moving, to) {
    const { store, touching } = this
    const from = touching.get(moving)
    const [, other] = [...touching].find(([id]) => id !== moving)
    const away = ([x, y]) => Math.max(Math.hypot(x - other[0], y - other[1]), 10)
    const middle = ([x, y]) => [(x + other[0]) / 2, (y + other[1]) / 2]
    const [[x1, y1], [x2, y2]] = [middle(from), middle(to)]
    store.camera.pan(x2 - x1, y2 - y1, store)
    store.camera.zoomAt(away(to) / away(from), x2, y2, store)
    store.touch("camera")
  }

  pointerup(event) {
    const { pressed, store } = this
    this.touching.delete(event.pointerId)
    this.pressed = null
    if (!pressed) return
    if (pressed.moved && pressed.lasso) store.lasso.end()
    else if (!pressed.moved) this.click(pressed.x, pressed.y, event)
    this.dress()
  }

  pointercancel(event) {
    this.touching.delete(event.pointerId)
    this.letGo()
  }

  letGo() {
    this.pressed = null
    this.store.lasso.cancel()
  }

  pointerleave() {
    this.hover = null
    this.look()
  }

  // Selects one item, or one more; its card stays. A click beside all items puts the card away.
  click(x, y, { shiftKey, pointerType }) {
    const { store } = this
    const item = this.near.at(x, y, REACH[pointerType] ?? REACH.mouse)
    store.set({ pinned: item, hovered: -1 })
    if (item < 0) return
    const others = shiftKey ? Array.from(store.selected ?? []) : []
    const items = others.includes(item) ? others.filter((other) => other !== item) : [...others, item]
    store.select(items.length ? Int32Array.from(items).sort() : null, items.length ? "click" : "")
  }

  // Not while places are still moving: what is under the pointer would change by itself.
  lookAt() {
    const { hover, near, store } = this
    const looks = hover && !this.pressed && store.message?.layout.settled
    store.set({ hovered: looks ? near.at(hover.x, hover.y, REACH.mouse) : -1 })
  }

  dblclick() { this.store.zoomTo(null) }
}

// Whether an event belongs to a card or a button upon the map.
export const isFree = ({ target }) => Boolean(target.closest(".mx-map-free"))
