// What lessons draw with: pieces of SVG as text. Colours are names of the page's own variables, so
// that a change of theme draws nothing anew; text goes in through `text` alone, which escapes it.

export const ink = (name) => `var(--${name})`
export const rad = (degrees) => (degrees * Math.PI) / 180
export const clamp = (value, low, high) => Math.max(low, Math.min(high, value))
export const list = (words) => (words.length < 2 ? words.join("") : `${words.slice(0, -1).join(", ")} and ${words.at(-1)}`)
export const short = (value) => String(Math.round(10 * value) / 10)

const ENTITIES = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" }
export const escaped = (words) => String(words).replace(/[&<>"]/g, (sign) => ENTITIES[sign])

// size in px; weight 400 to 700; halo: ground around the letters, for words that lie on something.
export function text(x, y, words, { anchor = "start", size = 13, weight = 400, fill = "text", halo = false } = {}) {
  const around = halo ? ` paint-order="stroke" stroke="${ink("background")}" stroke-width="4" stroke-linejoin="round"` : ""
  return `<text x="${short(x)}" y="${short(y)}" text-anchor="${anchor}" font-size="${size}" font-weight="${weight}" fill="${ink(fill)}"${around}>${escaped(words)}</text>`
}

// About how wide words are in px, in the font of the page.
export const widthOf = (words, size = 13) => 0.54 * size * String(words).length

export function path(points, { stroke = "", width = 1, fill = "", alpha = 1, dash = "", closed = false } = {}) {
  const d = points.length ? `M${points.map(([x, y]) => `${short(x)} ${short(y)}`).join("L")}${closed ? "Z" : ""}` : ""
  return stroked(d, { stroke, width, fill, alpha, dash })
}

export function stroked(d, { stroke = "", width = 1, fill = "", alpha = 1, dash = "" } = {}) {
  const line = stroke ? ` stroke="${ink(stroke)}" stroke-width="${width}" stroke-linejoin="round"${dash ? ` stroke-dasharray="${dash}"` : ""}` : ""
  return `<path d="${d}" fill="${fill ? ink(fill) : "none"}"${line}${alpha < 1 ? ` opacity="${alpha}"` : ""}/>`
}

export const line = (x0, y0, x1, y1, look) => path([[x0, y0], [x1, y1]], look)

export function dot(x, y, r, fill, { stroke = "", width = 1.5, alpha = 1 } = {}) {
  const around = stroke ? ` stroke="${ink(stroke)}" stroke-width="${width}"` : ""
  return `<circle cx="${short(x)}" cy="${short(y)}" r="${r}" fill="${fill ? ink(fill) : "none"}"${around}${alpha < 1 ? ` opacity="${alpha}"` : ""}/>`
}

export function bar(x, y, width, height, fill, { alpha = 1, stroke = "", round = 0 } = {}) {
  const around = stroke ? ` stroke="${ink(stroke)}"` : ""
  return `<rect x="${short(x)}" y="${short(y)}" width="${short(Math.max(width, 0.5))}" height="${short(height)}" rx="${round}" fill="${fill ? ink(fill) : "none"}"${around}${alpha < 1 ? ` opacity="${alpha}"` : ""}/>`
}

// A true answer that was found, and one that was missed: never told apart by colour alone.
export const hit = (x, y, r = 6) => dot(x, y, r, "hit", { stroke: "background" })
export function miss(x, y, r = 6) {
  const d = `M${short(x - r)} ${short(y - r)}L${short(x + r)} ${short(y + r)}M${short(x + r)} ${short(y - r)}L${short(x - r)} ${short(y + r)}`
  return stroked(d, { stroke: "background", width: 6 }) + stroked(d, { stroke: "miss", width: 3 })
}

// Clusters are known by shape and colour: the i-th of eight.
const SHAPES = [[], [4, Math.PI / 4, 1.25], [3, 0, 1.35], [4, 0, 1.25], [3, Math.PI, 1.35], [5, 0, 1.15], [6, 0, 1.15], [5, Math.PI, 1.15]]
export function shape(i, x, y, r, fill) {
  const [corners, turn, grown] = SHAPES[i % SHAPES.length]
  if (!corners) return dot(x, y, r, fill)
  const at = (j) => turn + (j * 2 * Math.PI) / corners
  const points = Array.from({ length: corners }, (_, j) => [x + grown * r * Math.sin(at(j)), y - grown * r * Math.cos(at(j))])
  return path(points, { fill, closed: true })
}

export function arrow(x0, y0, x1, y1, { stroke = "query", width = 3, head = 14 } = {}) {
  const angle = Math.atan2(y1 - y0, x1 - x0)
  const [dx, dy] = [head * Math.cos(angle), head * Math.sin(angle)]
  const [bx, by] = [x1 - dx, y1 - dy]
  const tip = [[x1, y1], [bx - dy / 2, by + dx / 2], [bx + dy / 2, by - dx / 2]]
  return line(x0, y0, bx, by, { stroke, width }) + path(tip, { fill: stroke, closed: true })
}

// A letter or number in a ring.
export function badge(x, y, words, stroke, { r = 10, width = 2, size = 13 } = {}) {
  return dot(x, y, r, "background", { stroke, width }) + text(x, y + 0.36 * size, words, { anchor: "middle", size, weight: 650 })
}
