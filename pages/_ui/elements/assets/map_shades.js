// How each item is drawn: its colour in the palette, whether it is lost or selected, and the
// position at which a search opens it. Four bytes an item, laid out as the graphics card reads them.

export const LOST = 1
export const SELECTED = 2
export const NEVER = 65535
export const UNKNOWN = 12 // palette: 12 clusters, unknown, then the sequential colours from STEPS
export const STEPS = 16
export const LAST = 63

export class Shades {
  constructor(store) {
    this.store = store
    this.resize(0)
    this.stale = new Set()
    store.on(["message", "arrays", "level"], () => { for (const part of ["colours", "opened", "marks"]) this.stale.add(part) })
    store.on(["selected", "position"], () => { this.stale.add("marks") })
  }

  resize(n) {
    this.n = n
    this.bytes = new Uint8Array(4 * n) // colour, state, opened (uint16, as the machine orders it)
    this.words = new Uint16Array(this.bytes.buffer)
    this.marked = [] // lists of items with a state
    this.shown = {} // what the bytes were made of
  }

  // Brings the bytes up to date; says whether any may have changed.
  refresh() {
    const { stale, store: { message } } = this
    if (this.n !== message.n) this.resize(message.n)
    const changed = [["marks", "mark"], ["colours", "colour"], ["opened", "open"]]
      .filter(([part, bring]) => stale.has(part) && this[bring]())
    stale.clear()
    return changed.length > 0
  }

  // Whether the colours have come, if any are to come; before that nothing is worth drawing.
  get coloured() {
    return Boolean(this.shown.values) || (this.store.message.colouring.kind === "groups" && !this.store.message.levels.length)
  }

  // Colours by what the message says; they stay as they are until that has come.
  colour() {
    const { message: { colouring, levels }, arrays, level } = this.store
    const values = colouring.kind === "groups" ? arrays.of[level] : arrays.values
    if (!values || (this.shown.values === values && this.shown.colouring === colouring)) return false
    Object.assign(this.shown, { values, colouring })
    const shade = shadeOf(colouring, levels[level]?.colours)
    for (let i = 0; i < this.n; i++) this.bytes[4 * i] = shade(values[i])
    return true
  }

  // When the search followed opens each item.
  open() {
    const { opened } = this.store.arrays
    if (this.shown.opened === opened) return false
    this.shown.opened = opened
    for (let i = 0; i < this.n; i++) this.words[2 * i + 1] = opened ? Math.min(opened[i], NEVER) : NEVER
    return true
  }

  // Marks the items selected, and those lost at this position; says if there are or were any.
  mark() {
    const { selected, message, arrays } = this.store
    const lost = message.followed && arrays.opened ? this.store.lost : []
    const before = this.marked
    this.marked = [lost, selected ?? []].filter((items) => items.length)
    for (const items of before) for (const item of items) this.bytes[4 * item + 1] = 0
    for (const item of lost) this.bytes[4 * item + 1] |= LOST
    for (const item of selected ?? []) this.bytes[4 * item + 1] |= SELECTED
    return before.length > 0 || this.marked.length > 0
  }
}

// A function from a value to its colour in the palette; `groups` has the colour of each group.
function shadeOf({ kind, low, high, log, reach }, groups) {
  if (kind === "groups") return (value) => (value < 0 ? UNKNOWN : groups[value])
  if (kind === "kinds") return (value) => (value < 0 ? UNKNOWN : value % 12)
  const scale = log ? Math.log : (value) => value
  const [start, end] = [scale(low), scale(high)]
  const last = Math.round(LAST * reach)
  const unit = end > start ? last / (end - start) : 0
  const step = (value) => (unit ? Math.min(Math.max(Math.round((scale(value) - start) * unit), 0), last) : 0)
  return (value) => (Number.isNaN(value) ? UNKNOWN : STEPS + step(value))
}

// What stands out while the others fade: {by: "", "open", "selected" or "group", group}.
export function emphasis({ hoveredGroup, focus, selected, arrays }) {
  if (hoveredGroup >= 0) return { by: "group", group: hoveredGroup }
  if (arrays.opened) return { by: "open" }
  if (selected?.length > 1) return { by: "selected" }
  return focus >= 0 ? { by: "group", group: focus } : { by: "" }
}

// Whether an item stands out so.
export function standsOut(store, shades, item, { by, group } = emphasis(store)) {
  const state = shades.bytes[4 * item + 1]
  if (by === "open") return shades.words[2 * item + 1] <= store.position && !(state & LOST)
  if (by === "selected") return Boolean(state & SELECTED)
  return by === "" || store.groupOf(item) === group
}

// Diameter of a point in px and its opacity: as large and as solid as so many points allow.
export function pointLook({ message: { n }, width, height, camera: { zoom } }) {
  const area = Math.max(width * height, 1)
  const size = Math.min(Math.max(3 * (area / 28 / n) ** 0.18 * zoom ** 0.3, 1.4), 9)
  const covered = (n * size ** 2) / zoom ** 2 / area // times over, if points lay evenly
  return { size, opacity: Math.min(Math.max(0.8 / (0.75 + covered) ** 0.6, 0.3), 0.9) }
}

// 256 colours as RGBA bytes for the colours of the theme.
export function palette(colours) {
  const bytes = new Uint8Array(4 * 256)
  const put = (at, rgb) => bytes.set([...rgb, 255], 4 * at)
  for (let i = 0; i < 12; i++) put(i, rgbOf(colours[`c${i}`]))
  put(UNKNOWN, rgbOf(colours.muted))
  const steps = Object.keys(colours).filter((name) => /^s\d+$/.test(name)).map((name) => rgbOf(colours[name]))
  for (let i = 0; i <= LAST; i++) {
    const at = (i / LAST) * (steps.length - 1)
    const [low, high] = [steps[Math.floor(at)], steps[Math.ceil(at)]]
    put(STEPS + i, low.map((part, k) => Math.round(part + (high[k] - part) * (at % 1))))
  }
  return bytes
}

export const rgbOf = (hex) => [1, 3, 5].map((i) => parseInt(hex.slice(i, i + 2), 16))
