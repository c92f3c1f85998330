// Text on the map: cleaned, measured once and kept. A text is written as parts, [words, weight].

const LONGEST = 28 // characters of a name on the map; cards and tables show all of it
const FAMILY = '"Source Sans", system-ui, sans-serif'
const context = document.createElement("canvas").getContext("2d")
const widths = new Map()

export const fontOf = (size, weight) => `${weight} ${size}px ${FAMILY}`
export const family = FAMILY

export function widthOf(parts, size) {
  return parts.reduce((sum, [words, weight]) => sum + measured(words, fontOf(size, weight)), 0)
}

function measured(words, font) {
  const key = `${font} ${words}`
  let width = widths.get(key)
  if (width === undefined) {
    if (widths.size > 20000) widths.clear()
    context.font = font
    width = context.measureText(words).width
    widths.set(key, width)
  }
  return width
}

// Widths change when the page's font has come.
document.fonts?.addEventListener?.("loadingdone", () => widths.clear())

// One line, without the characters that a canvas draws as boxes and that XML forbids.
export function oneLine(text) {
  return text.toWellFormed().replace(/[\s\p{Cc}\uFFFE\uFFFF]+/gu, " ").trim()
}

export function shortened(text) {
  const line = oneLine(text.slice(0, 8 * LONGEST))
  const signs = [...line]
  return signs.length > LONGEST ? `${signs.slice(0, LONGEST - 1).join("").trimEnd()}…` : line
}
