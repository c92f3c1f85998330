// The points where the browser has no WebGL: as many as a plain canvas draws well.

import { count, make, oncePerFrame } from "./dom.js"
import { emphasis, palette, pointLook, Shades, standsOut } from "./map_shades.js"

const MOST = 20_000

export class Still {
  constructor(store) {
    this.store = store
    this.element = make("canvas", "mx-map-points")
    this.shades = new Shades(store)
    this.webgl = false
    this.drawn = this.frames = 0
    const draw = oncePerFrame(() => this.draw())
    store.on(["message", "arrays", "camera", "size", "theme", "level", "position", "selected", "focus", "hoveredGroup"], draw)
    store.on("message", () => {
      const { n } = store.message
      const some = n > MOST ? `, with one item in ${Math.ceil(n / MOST)} of all ${count(n)}` : ""
      store.set({ plainly: `This browser draws without WebGL, so the map is a plain picture${some}.` })
    })
  }

  draw() {
    const { element, shades, store } = this
    if (!store.arrays.places || !store.width) return
    shades.refresh()
    if (!shades.coloured) return
    const ratio = Math.min(window.devicePixelRatio || 1, 2)
    const [width, height] = [store.width, store.height].map((size) => Math.round(size * ratio))
    Object.assign(element, { width, height }) // which also clears it
    const context = element.getContext("2d")
    context.scale(ratio, ratio)
    const shown = emphasis(store)
    this.drawn = this.dots(context, shown)
    this.frames += 1
  }

  // Those that fade first, the others upon them; returns how many.
  dots(context, shown) {
    const { shades, store } = this
    const { places } = store.arrays
    const step = Math.ceil(shades.n / MOST)
    const { size, opacity } = pointLook(store)
    const colours = cssColours(store.colours)
    let drawn = 0
    for (const out of shown.by ? [false, true] : [true]) {
      context.globalAlpha = !shown.by ? opacity : out ? 0.9 : 0.28
      const side = out && shown.by === "open" ? Math.max(size * 1.4, 3) : size
      for (let item = 0; item < shades.n; item += step) {
        if (shown.by && standsOut(store, shades, item, shown) !== out) continue
        const [x, y] = store.screen(places[2 * item], places[2 * item + 1])
        context.fillStyle = out && shown.by === "open" ? store.colours.candidate : colours[shades.bytes[4 * item]]
        context.fillRect(x - side / 2, y - side / 2, side, side)
        drawn += 1
      }
    }
    return drawn
  }

  paintTo(context, width, height) {
    context.drawImage(this.element, 0, 0, width, height)
  }

  close() {}
}

function cssColours(colours) {
  const bytes = palette(colours)
  return Array.from({ length: 256 }, (_, i) => `rgb(${bytes.subarray(4 * i, 4 * i + 3).join(" ")})`)
}
