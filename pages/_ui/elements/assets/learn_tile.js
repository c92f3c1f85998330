// A tile beside the picture: a title, a number, a small drawing, a note.

import { bold, make } from "./dom.js"

export function tileOf({ title, value = "", svg = null, note = "", full = false }) {
  const tile = make("div", full ? "mx-fact mx-full" : "mx-fact", bolded("small", title))
  if (value !== "") tile.append(make("strong", "", value))
  if (svg) tile.append(drawing(svg))
  if (note) tile.append(bolded("small", note))
  return tile
}

// svg: {width, height, drawn}, as `bill` gives it.
export function drawing({ width, height, drawn }) {
  const node = make("div", "mx-fact-drawing")
  node.style.setProperty("--drawn", width)
  node.innerHTML = `<svg viewBox="0 0 ${width} ${height}" aria-hidden="true">${drawn}</svg>` // text in it was escaped
  return node
}

function bolded(tag, text) {
  const node = make(tag, "")
  bold(node, text)
  return node
}
