// A bill as stacked bars on one scale.

import { bar, text } from "./learn_marks.js"

const ROW = 42 // px

// rows: {name, label, parts: [[value, colour, alpha]]}; `most`: what fills the width.
export function bill(rows, most, width = 188) {
  const drawn = rows.map(({ name, label, parts }, i) => {
    const y = i * ROW
    let x = 0
    const bars = parts.map(([value, colour, alpha = 1]) => {
      const wide = (value / most) * width
      const part = bar(x, y + 19, wide - 1, 14, colour, { alpha })
      x += wide
      return part
    })
    return text(0, y + 13, name, { fill: "muted" }) + text(width, y + 13, label, { anchor: "end", weight: 650 }) + bars.join("")
  })
  return { width, height: rows.length * ROW - 8, drawn: drawn.join("") }
}
