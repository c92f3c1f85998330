// Cards about items: one follows the pointer, one stays at the item that was clicked and has buttons.

import { count, make, set } from "./dom.js"

const ASIDE = 12 // px between a point and its card
const number = new Intl.NumberFormat("en-US", { maximumSignificantDigits: 4 })

export class Cards {
  constructor(store) {
    this.store = store
    this.passing = new Card(store, "mx-map-card mx-map-passing")
    this.staying = new Card(store, "mx-map-card mx-map-free", this.buttons())
    set(this.staying.element, { role: "group", "aria-label": "The item chosen" })
    this.element = make("div", "mx-map-cards", this.passing.element, this.staying.element)
    const shown = ["message", "arrays", "position", "level", "hovered", "pinned", "camera", "size"]
    store.on(shown, () => {
      const { hovered, pinned } = store
      this.passing.show(hovered === pinned ? -1 : hovered)
      this.staying.show(pinned)
      this.cluster.hidden = store.groupOf(pinned) < 0
    })
  }

  buttons() {
    const { store } = this
    const leave = () => store.stage.focus({ preventScroll: true })
    const ask = button("Ask with this item", () => store.choose({ follow: `item ${store.pinned}` }))
    this.cluster = button("Show its cluster", () => {
      const focus = store.groupOf(store.pinned)
      store.focusOn(focus)
      store.choose({ focus })
      leave() // the card may go out of sight
    })
    const close = button("Close", () => {
      store.set({ pinned: -1 })
      leave()
    })
    return make("div", "mx-map-acts", ask, this.cluster, close)
  }
}

function button(text, act) {
  const node = make("button", "mx-save", text)
  set(node, { type: "button" })
  node.addEventListener("click", act)
  return node
}

class Card {
  constructor(store, className, ...more) {
    this.store = store
    this.title = make("div", "mx-map-title")
    this.facts = make("div", "mx-map-facts")
    this.element = make("div", className, this.title, this.facts, ...more)
    this.element.hidden = true
  }

  show(item) {
    const { element, store, title, facts } = this
    const { places } = store.arrays
    element.hidden = item < 0 || !places
    if (element.hidden) return
    const told = wordsOf(store, item)
    const text = JSON.stringify(told)
    if (text !== this.text) {
      const outcome = told.outcome ? [`${told.outcome}: `] : []
      title.replaceChildren(...outcome, make("strong", "", told.label))
      facts.replaceChildren(...told.facts.map((fact) => make("div", "", fact)))
    }
    this.text = text
    this.put(...store.screen(places[2 * item], places[2 * item + 1]))
  }

  // Beside the point, on the side that has room; out of sight with it.
  put(x, y) {
    const { element, store: { width, height } } = this
    const { offsetWidth, offsetHeight } = element
    element.hidden = x < -1 || y < -1 || x > width + 1 || y > height + 1
    const left = x + ASIDE + offsetWidth > width && x > offsetWidth + ASIDE ? x - ASIDE - offsetWidth : x + ASIDE
    const within = (value, size, whole) => Math.max(Math.min(value, whole - size - 2), 2)
    const place = [within(left, offsetWidth, width), within(y - offsetHeight / 2, offsetHeight, height)]
    element.style.transform = `translate(${place.map((value) => `${Math.round(value)}px`).join(",")})`
  }
}

// {label, outcome, facts} of an item.
export function wordsOf(store, item) {
  const { arrays, level, message } = store
  const { followed, levels } = message
  const group = store.groupOf(item)
  const line = [
    arrays.labels && `row ${item}`,
    arrays.norms && `norm ${number.format(arrays.norms[item])}`,
    group >= 0 && groupWords(levels[level], group),
  ]
  const rank = store.rank(item)
  const found = rank >= 0 && followed.found[store.position][rank]
  const why = rank >= 0 && !found ? followed.why[rank] : ""
  return {
    label: store.label(item),
    outcome: rank < 0 ? "" : found ? "found" : "missed",
    facts: [line.filter(Boolean).join(" · "), valueWords(store, item), why].filter(Boolean),
  }
}

function groupWords({ nouns, names, sizes }, group) {
  const name = names[group] ? `, ${names[group]}` : ""
  return `${nouns[0]} ${group}${name} (${count(sizes[group])} ${sizes[group] === 1 ? "item" : "items"})`
}

// The value behind the colour, unless that is the group.
function valueWords({ arrays: { values }, message: { colouring } }, item) {
  const { kind, label, names } = colouring
  if (kind === "groups" || !values) return ""
  if (kind === "kinds") return names[values[item]] === undefined ? "" : `${label}: ${names[values[item]]}`
  return `${label}: ${Number.isNaN(values[item]) ? "not known" : number.format(values[item])}`
}
