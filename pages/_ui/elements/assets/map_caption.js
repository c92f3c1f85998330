// What stands below a picture that is saved: what the search finds, what the colours say, the note.

import { partsAt } from "./map_follow.js"
import { css } from "./map_dots.js"
import { LAST, palette, STEPS } from "./map_shades.js"
import { oneLine, shortened, widthOf } from "./map_text.js"

const [MARGIN, SIZE, LINE] = [12, 13, 20]
const KINDS = 12 // swatches of a legend
const DOTS = 10 // of a scale

export class Caption {
  constructor(store, width) {
    const { message } = store
    const room = width - 2 * MARGIN
    const wrap = (text) => wrapped(oneLine(text), room)
    this.rows = [
      ...(message.followed ? wrap(partsAt(store).join("")) : []),
      ...legend(store, room),
      ...(message.layout.note ? wrap(message.layout.note) : []),
    ]
    this.height = this.rows.length * LINE + (this.rows.length ? MARGIN : 0)
  }

  draw(pen, top, { text }) {
    this.rows.forEach((row, i) => {
      const y = top + MARGIN / 2 + (i + 0.5) * LINE
      for (const { x, words, dot } of row) {
        if (dot) pen.circles([[MARGIN + x + 5, y]], 5, { fill: dot })
        else pen.text([[words, 400]], MARGIN + x, y, SIZE, { fill: text })
      }
    })
  }
}

// Rows of {x, words} or {x, dot}.
function legend(store, room) {
  const { colouring, levels } = store.message
  const { kind, label, names, low, high, reach } = colouring
  const colours = palette(store.colours)
  if (kind === "groups") {
    const level = levels[store.level]
    return wrapped(`Colours tell neighbouring ${level.nouns[1]} apart; ${level.label}.`, room)
  }
  if (kind === "values") {
    const shade = (i) => css(colours, STEPS + Math.round((LAST * reach * i) / (DOTS - 1)))
    const dots = Array.from({ length: DOTS }, (_, i) => ({ dot: shade(i), width: 13 }))
    const number = (value) => ({ words: String(Number(value.toPrecision(3))) })
    return flow([{ words: label }, number(low), ...dots, number(high)], room)
  }
  const swatch = (name, i) => [{ dot: css(colours, i % 12), width: 14 }, { words: shortened(name), gap: 14 }]
  const kinds = names.slice(0, KINDS).flatMap(swatch)
  const more = names.length > KINDS ? [{ words: `and ${names.length - KINDS} more` }] : []
  return flow([{ words: `${label}:` }, ...kinds, ...more], room)
}

// Pieces one after the other, in as many rows as they need.
function flow(pieces, room) {
  const rows = [[]]
  let x = 0
  for (const { words, dot, width = widthOf([[words, 400]], SIZE), gap = dot ? 2 : 8 } of pieces) {
    if (x + width > room && x > 0) {
      rows.push([])
      x = 0
    }
    rows.at(-1).push({ x, words, dot })
    x += width + gap
  }
  return rows
}

function wrapped(text, room) {
  const lines = []
  for (const word of text.split(" ")) {
    const longer = lines.length ? `${lines.at(-1)} ${word}` : word
    if (lines.length && widthOf([[longer, 400]], SIZE) <= room) lines[lines.length - 1] = longer
    else lines.push(word)
  }
  return lines.map((words) => [{ x: 0, words }])
}
