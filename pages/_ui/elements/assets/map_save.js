// Saves the picture as it stands: points, what lies on them, and a caption, in the theme shown.

import { count, make, set, svg } from "./dom.js"
import { Caption } from "./map_caption.js"
import { drawDots, itemsInSight } from "./map_dots.js"
import { frameOf } from "./map_frame.js"
import { CanvasPen } from "./map_pen.js"
import { SvgPen } from "./map_svg.js"
import { oneLine } from "./map_text.js"

const SCALE = 2 // px of a PNG for one on the screen
const VECTORS = 20_000 // points that an SVG holds as circles; more become one picture inside it
const CIRCLES = 200_000 // points drawn anew for a PNG; more are copied from the screen

export class Saves {
  constructor(store) {
    this.element = make("div", "mx-map-saves", ...["svg", "png"].map((format) => {
      const button = make("button", "mx-save", format.toUpperCase())
      set(button, { type: "button", title: `Save the picture as ${format.toUpperCase()}` })
      button.addEventListener("click", () => save(store, format))
      return button
    }))
    store.on("message", () => { this.element.hidden = !store.message.fileName })
  }
}

export async function save(store, format) {
  if (!store.arrays.places) return
  const blob = format === "svg" ? svgBlob(store) : await pngBlob(store)
  const link = document.createElement("a")
  link.href = URL.createObjectURL(blob)
  link.download = `${store.message.fileName.replace(/[^\w.-]+/g, "-")}.${format}`
  link.click()
  setTimeout(() => URL.revokeObjectURL(link.href), 10000)
}

function pngBlob(store) {
  const { width, height, colours } = store
  const caption = new Caption(store, width)
  const canvas = canvasOf(width, height + caption.height)
  const context = canvas.getContext("2d")
  context.fillStyle = colours.background
  context.fillRect(0, 0, width, height + caption.height)
  context.save()
  context.beginPath()
  context.rect(0, 0, width, height)
  context.clip()
  drawPoints(context, store)
  store.overlay.paint(new CanvasPen(context))
  context.restore()
  caption.draw(new CanvasPen(context), height, colours)
  return new Promise((done) => canvas.toBlob(done, "image/png"))
}

function drawPoints(context, store) {
  const frame = frameOf(store)
  const items = itemsInSight(store, frame, CIRCLES)
  if (items.length <= CIRCLES) drawDots(new CanvasPen(context), store, frame, items)
  else store.points.paintTo(context, frame.width, frame.height)
}

function canvasOf(width, height) {
  const canvas = document.createElement("canvas")
  Object.assign(canvas, { width: Math.round(SCALE * width), height: Math.round(SCALE * height) })
  canvas.getContext("2d", { willReadFrequently: true }).scale(SCALE, SCALE) // it is read, not shown
  return canvas
}

function svgBlob(store) {
  const { width, height, colours, message } = store
  const caption = new Caption(store, width)
  const whole = height + caption.height
  const clip = svg("clipPath", { id: "map" }, svg("rect", { width, height }))
  const ground = svg("rect", { width, height: whole, fill: colours.background })
  const [points, marks] = ["points", "marks"].map((id) => svg("g", { id, "clip-path": "url(#map)" }))
  const below = svg("g", { id: "caption" })
  const frame = frameOf(store)
  const items = itemsInSight(store, frame, VECTORS)
  const few = items.length <= VECTORS
  if (few) drawDots(new SvgPen(points), store, frame, items)
  else points.append(svg("image", { width, height, href: pointsAsPng(store) }))
  store.overlay.paint(new SvgPen(marks))
  caption.draw(new SvgPen(below), height, colours)
  const title = svg("title", {}, oneLine(message.fileName))
  const about = few ? "" : ` The points, more than ${count(VECTORS)}, are a picture; all else is drawn as vectors.`
  const desc = svg("desc", {}, oneLine(message.alt) + about)
  const size = { width, height: whole, viewBox: `0 0 ${width} ${whole}` }
  const root = svg("svg", size, title, desc, clip, ground, points, marks, below)
  return new Blob([new XMLSerializer().serializeToString(root)], { type: "image/svg+xml" })
}

function pointsAsPng(store) {
  const canvas = canvasOf(store.width, store.height)
  drawPoints(canvas.getContext("2d"), store)
  return canvas.toDataURL("image/png")
}
