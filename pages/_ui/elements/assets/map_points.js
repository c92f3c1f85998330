// All items as points, drawn by the graphics card. A move of the camera or of the slider changes a
// few numbers and no array; a new layout replaces the places and nothing else.

import { make, oncePerFrame } from "./dom.js"
import { build, upload } from "./map_gl.js"
import { emphasis, palette, pointLook, rgbOf, Shades } from "./map_shades.js"

const MODES = { "": 0, open: 1, selected: 2, group: 3 }
const SHOWN = ["message", "arrays", "camera", "size", "theme", "level", "position", "selected", "focus", "hoveredGroup"]
const RINGS = 300 // of a larger selection no point gets a ring

export class Points {
  static possible() {
    const gl = make("canvas", "").getContext("webgl")
    gl?.getExtension("WEBGL_lose_context")?.loseContext() // a browser keeps few at a time
    return Boolean(gl)
  }

  constructor(store) {
    this.store = store
    this.element = make("canvas", "mx-map-points")
    this.shades = new Shades(store)
    this.webgl = true
    this.drawn = this.frames = 0
    this.begin()
    this.element.addEventListener("webglcontextlost", (event) => {
      event.preventDefault() // so that it is given back
      this.gl = null
    })
    this.element.addEventListener("webglcontextrestored", () => {
      this.begin()
      store.touch("camera")
    })
    store.on(SHOWN, oncePerFrame(() => this.draw()))
  }

  begin() {
    this.gl = this.element.getContext("webgl", { antialias: false, premultipliedAlpha: true })
    this.program = build(this.gl)
  }

  // Brings the arrays on the card up to date; those that did not change are not sent.
  refresh() {
    const { gl, program, shades, store } = this
    const { places, of } = store.arrays
    const send = (name, array) => { if (program.sent[name] !== array) upload(gl, program, name, array) }
    if (shades.refresh() || program.sent.shades !== shades.bytes) upload(gl, program, "shades", shades.bytes)
    send("places", places)
    if (this.noGroups?.length !== shades.n) this.noGroups = new Int32Array(shades.n).fill(-1)
    send("groups", of[store.level] ?? this.noGroups)
    if (this.mode !== store.mode || !program.sent.palette) upload(gl, program, "palette", palette(store.colours))
    this.mode = store.mode
  }

  draw() {
    const { element, gl, program, store } = this
    if (!gl || !store.arrays.places || !store.width) return
    this.refresh()
    if (!this.shades.coloured) return
    const ratio = Math.min(window.devicePixelRatio || 1, 2)
    const [width, height] = [store.width, store.height].map((size) => Math.round(size * ratio))
    if (element.width !== width || element.height !== height) Object.assign(element, { width, height })
    gl.viewport(0, 0, width, height)
    gl.clearColor(0, 0, 0, 0)
    gl.clear(gl.COLOR_BUFFER_BIT | gl.DEPTH_BUFFER_BIT)
    const { by, group = -1 } = emphasis(store)
    const { size, opacity } = pointLook(store)
    const scale = store.camera.scale(store)
    const rings = store.selected && store.selected.length <= RINGS ? 1 : 0
    const paint = (token) => rgbOf(store.colours[token]).map((part) => part / 255)
    program.set({
      middle: store.camera.middle, scale: [(2 * scale) / store.width, (2 * scale) / store.height],
      size: size * ratio, ratio, opacity, mode: MODES[by], group, position: store.position, rings,
      candidate: paint("candidate"), ink: paint("text"),
    })
    gl.drawArrays(gl.POINTS, 0, this.shades.n)
    this.drawn = this.shades.n
    this.frames += 1
  }

  // Draws the points as they stand into a picture to keep.
  paintTo(context, width, height) {
    this.draw()
    context.drawImage(this.element, 0, 0, width, height)
  }

  close() {
    this.gl?.getExtension("WEBGL_lose_context")?.loseContext()
  }
}
