// The points in sight as shapes for a pen, for pictures that are saved: circles of the colours and
// sizes they have on the screen, those that stand out on top.

import { inSight } from "./map_frame.js"
import { emphasis, palette, pointLook, standsOut } from "./map_shades.js"

// Items in sight, at most `limit` and one more.
export function itemsInSight({ arrays: { places } }, frame, limit) {
  const found = []
  for (let item = 0; item < places.length / 2 && found.length <= limit; item++) {
    if (inSight(frame, frame.at(places[2 * item], places[2 * item + 1]))) found.push(item)
  }
  return found
}

export function drawDots(pen, store, frame, items) {
  const { shades } = store.points
  const shown = emphasis(store)
  const { size, opacity } = pointLook(store)
  const [out, faded] = [new Map(), new Map()] // colour in the palette -> points
  for (const item of items) {
    const stands = shown.by === "" || standsOut(store, shades, item, shown)
    const colour = stands && shown.by === "open" ? -1 : shades.bytes[4 * item]
    const kept = stands ? out : faded
    if (!kept.has(colour)) kept.set(colour, [])
    const { places } = store.arrays
    kept.get(colour).push(frame.at(places[2 * item], places[2 * item + 1]))
  }
  const colours = palette(store.colours)
  const fill = (colour) => (colour < 0 ? store.colours.candidate : css(colours, colour))
  const large = shown.by === "open" ? Math.max(size * 1.5, 3.4) : size
  const weak = 0.28 * (0.4 + 0.6 * opacity)
  for (const [colour, points] of faded) pen.dots(points, 0.45 * size, fill(colour), weak)
  for (const [colour, points] of out) pen.dots(points, large / 2, fill(colour), shown.by ? 0.9 : opacity)
}

export function css(colours, at) {
  return `#${[0, 1, 2].map((i) => colours[4 * at + i].toString(16).padStart(2, "0")).join("")}`
}
