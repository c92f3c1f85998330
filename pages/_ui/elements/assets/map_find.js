// The search box upon the map: any part of a label, a row, or words to add and subtract. The search
// for what is chosen is followed on the map; where one is followed already, the box names it.

import { count, make, set } from "./dom.js"
import { matching } from "./map_find_labels.js"
import { oneLine } from "./map_text.js"

const MOST = 8 // matches listed
const REST = 120 // ms after a key before anything is sought
const LONGEST = 200 // characters of a label in the list
const SUM = /\S\s+[-+−]\s+\S/ // words to add and subtract
let made = 0

export class Find {
  constructor(store) {
    Object.assign(this, { store, found: [], active: -1, asked: 0 })
    const id = `mx-find-${made++}`
    const label = make("label", "mx-spoken", "Search on the map")
    label.htmlFor = id
    this.box = make("input", "mx-find-box")
    this.end = make("button", "mx-find-end", "✕")
    this.list = make("ul", "mx-find-list")
    this.said = make("span", "mx-find-said")
    set(this.box, {
      id, type: "text", role: "combobox", autocomplete: "off", spellcheck: "false", maxlength: LONGEST,
      "aria-expanded": "false", "aria-controls": `${id}-list`, "aria-autocomplete": "list",
    })
    set(this.end, { type: "button", title: "End this search", "aria-label": "End this search" })
    set(this.list, { id: `${id}-list`, role: "listbox", "aria-label": "What can be asked" })
    set(this.said, { role: "status" })
    this.element = make("div", "mx-find mx-map-free", label, this.box, this.end, this.list, this.said)
    this.list.hidden = true
    this.listen()
  }

  listen() {
    const { box, end, list, store } = this
    store.on(["message"], () => {
      this.chosen = null
      this.show()
    })
    store.on(["arrays"], () => { if (this.labels !== store.arrays.labels && document.activeElement === box) this.seek() })
    box.addEventListener("input", () => {
      clearTimeout(this.timer)
      this.timer = setTimeout(() => this.seek(), REST)
    })
    box.addEventListener("keydown", (event) => {
      if (!this.press(event.key)) return
      event.preventDefault()
      event.stopPropagation() // Escape empties the box first, and clears the map at the next press
    })
    box.addEventListener("focus", () => {
      box.select()
      this.seek()
    })
    box.addEventListener("blur", () => {
      this.open(false)
      this.show()
    })
    end.addEventListener("click", () => store.choose({ follow: "" }))
    list.addEventListener("pointerdown", (event) => {
      event.preventDefault() // the box keeps the focus, so the list stays until the press is over
      const option = event.target.closest("li")
      if (option) this.choose(this.found[Number(option.dataset.at)])
    })
  }

  // What is followed, or was chosen just now; not while something is typed.
  show() {
    const { box, end, store: { message } } = this
    box.placeholder = message.labels ? "Search for a label" : "Search for a row"
    end.hidden = !message.query
    if (document.activeElement !== box) box.value = this.chosen ?? message.query
  }

  async seek() {
    const { store: { arrays: { labels }, message } } = this
    const text = this.box.value.trim()
    const own = ++this.asked
    this.labels = labels
    if (!text || text === message.query) return this.offer(message.offers.map(([ask, name]) => ({ ask, text: name, aside: "" })), "")
    const told = message.labels ? labels && await matching(labels, text, MOST, () => own !== this.asked) : rowOf(text, message.n)
    if (!told || own !== this.asked) return
    const found = told.items.map((item) => ({ ask: `item ${item}`, text: labels?.[item] ?? `Row ${item}`, aside: labels ? `row ${item}` : "" }))
    if (labels && SUM.test(text)) found.push({ ask: `words ${text}`, text, aside: "sum of words" })
    const more = told.count > MOST ? `, the first ${MOST} listed` : ""
    const labelled = told.count ? `${count(told.count)} ${told.count === 1 ? "label" : "labels"}${more}` : ""
    const none = labels ? `No label holds “${oneLine(text)}”.` : `Rows are 0 to ${count(message.n - 1)}.`
    this.offer(found, found.length ? labels && labelled : none)
  }

  offer(found, said) {
    Object.assign(this, { found, active: -1 })
    this.said.textContent = said || ""
    this.list.replaceChildren(...found.map((entry, at) => this.option(entry, at)))
    this.open(found.length > 0 && document.activeElement === this.box)
  }

  option({ text, aside }, at) {
    const words = make("span", "mx-find-text", oneLine(text.slice(0, LONGEST)) || "(empty)")
    const option = make("li", "", words, make("span", "mx-find-row", aside))
    set(option, { role: "option", id: `${this.list.id}-${at}`, "data-at": at, "aria-selected": "false" })
    return option
  }

  open(wanted) {
    this.list.hidden = !wanted
    set(this.box, { "aria-expanded": wanted })
    if (!wanted) this.mark(-1)
  }

  mark(at) {
    this.active = at
    Array.from(this.list.children).forEach((option, i) => set(option, { "aria-selected": i === at }))
    const option = this.list.children[at]
    if (option) set(this.box, { "aria-activedescendant": option.id })
    else this.box.removeAttribute("aria-activedescendant")
    option?.scrollIntoView({ block: "nearest" })
  }

  press(key) {
    const { found, list } = this
    if (key === "Escape") return this.clear()
    if (!found.length) return false
    if (key === "ArrowDown" || key === "ArrowUp") {
      if (list.hidden) this.open(true)
      const from = key === "ArrowUp" && this.active < 0 ? 0 : this.active
      this.mark((from + (key === "ArrowDown" ? 1 : -1) + found.length) % found.length)
      return true
    }
    if (key === "Enter") this.choose(found[Math.max(this.active, 0)])
    return key === "Enter"
  }

  // The map has the keys then.
  choose({ ask, text }) {
    const { store } = this
    this.chosen = oneLine(text)
    this.said.textContent = ""
    store.set({ pinned: -1, hovered: -1 })
    store.stage.focus({ preventScroll: true })
    store.choose({ follow: ask })
  }

  clear() {
    clearTimeout(this.timer)
    const filled = this.box.value !== this.store.message.query
    this.box.value = this.store.message.query
    this.seek()
    return filled
  }
}

// The row that is typed where there are no labels.
function rowOf(text, n) {
  const row = /^\d{1,9}$/.test(text) && Number(text) < n ? [Number(text)] : []
  return { items: row, count: 0 }
}
