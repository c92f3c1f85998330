// What the colours of the points say: a line in words, swatches with names, or a gradient.

import { count, make, set } from "./dom.js"
import { sequence } from "./map_tones.js"

const MOST = 24 // names of kinds; a palette of 12 says no more
const SHADES = 12
const short = new Intl.NumberFormat("en-US", { maximumSignificantDigits: 3 })

export class Legend {
  constructor(store) {
    this.store = store
    this.element = make("div", "mx-legend")
    store.on(["message", "arrays", "theme", "level"], () => this.draw())
  }

  draw() {
    const { message, colours } = this.store
    if (!message) return
    const { kind, label } = message.colouring
    const told = { groups: () => this.groups(), kinds: () => this.kinds(), values: () => this.values() }[kind]()
    const title = label && kind !== "groups" ? [make("span", "mx-legend-title", label)] : []
    this.element.replaceChildren(...title, ...told)
    this.element.hidden = told.length === 0
    for (const node of this.element.querySelectorAll("[data-token]")) node.style.background = colours[node.dataset.token]
  }

  groups() {
    const { message: { levels }, level } = this.store
    const shown = levels[level]
    if (!shown) return []
    const [, many] = shown.nouns
    const used = new Set(shown.colours.filter((_, group) => shown.sizes[group])).size
    if (used < 2) return [make("span", "", shown.label)]
    return [make("span", "", `Colours tell neighbouring ${many} apart; ${shown.label}, ${used} colours`)]
  }

  kinds() {
    const { message: { colouring: { names } }, arrays } = this.store
    const swatches = names.slice(0, MOST).map((name, kind) => {
      return make("span", "mx-legend-kind", swatch(`c${kind % SHADES}`), name)
    })
    if (arrays.values?.some((kind) => kind < 0)) swatches.push(unknown())
    const rest = names.length - MOST
    return rest > 0 ? [...swatches, make("span", "", `and ${count(rest)} more, in the same ${SHADES} colours`)] : swatches
  }

  values() {
    const { message: { colouring }, arrays, colours } = this.store
    return [scale(colours, colouring), ...(arrays.values?.some(Number.isNaN) ? [unknown()] : [])]
  }
}

// A bar of the sequential palette between its ends in words.
export function scale(colours, { low, high, below = false, above = false, log = false, reach = 1 }) {
  const bar = make("span", "mx-legend-bar")
  set(bar, { "aria-hidden": "true" })
  bar.style.background = `linear-gradient(to right, ${sequence(colours).slice(0, Math.ceil(reach * sequence(colours).length)).join(",")})`
  const written = [`${below ? "≤ " : ""}${short.format(low)}`, `${above ? "≥ " : ""}${short.format(high)}`]
  const ends = written.map((end) => make("span", "mx-legend-end", end))
  return make("span", "mx-legend-scale", ends[0], bar, ends[1], ...(log ? [make("span", "", "log scale")] : []))
}

const unknown = () => make("span", "mx-legend-kind", swatch("muted"), "not known")

function swatch(token) {
  const node = make("span", "mx-legend-swatch")
  node.dataset.token = token
  return node
}
