// A box upon the map that finds items by any part of their label; the one chosen is selected and
// shown.

import { count, make, set } from "./dom.js"
import { matching } from "./map_find_labels.js"
import { oneLine } from "./map_text.js"

const MOST = 8 // matches listed
const REST = 120 // ms after a key before anything is sought
const LONGEST = 200 // characters of a label in the list
let made = 0

export class Find {
  constructor(store) {
    Object.assign(this, { store, found: [], active: -1, asked: 0 })
    const id = `mx-find-${made++}`
    const label = make("label", "mx-spoken", "Find a label")
    label.htmlFor = id
    this.box = make("input", "mx-find-box")
    this.list = make("ul", "mx-find-list")
    this.said = make("span", "mx-find-said")
    set(this.box, {
      id, type: "text", role: "combobox", autocomplete: "off", spellcheck: "false", maxlength: LONGEST, placeholder: "Find a label",
      "aria-expanded": "false", "aria-controls": `${id}-list`, "aria-autocomplete": "list",
    })
    set(this.list, { id: `${id}-list`, role: "listbox", "aria-label": "Labels found" })
    set(this.said, { role: "status" })
    this.element = make("div", "mx-find mx-map-free", label, this.box, this.list, this.said)
    this.element.hidden = this.list.hidden = true
    this.listen()
  }

  listen() {
    const { box, list, store } = this
    store.on(["message", "arrays"], () => { this.element.hidden = !store.message?.labels })
    store.on(["arrays"], () => { if (this.labels !== store.arrays.labels) this.seek() })
    box.addEventListener("input", () => {
      clearTimeout(this.timer)
      this.timer = setTimeout(() => this.seek(), REST)
    })
    box.addEventListener("keydown", (event) => {
      if (!this.press(event.key)) return
      event.preventDefault()
      event.stopPropagation() // Escape empties the box first, and clears the map at the next press
    })
    box.addEventListener("focus", () => this.open(this.found.length > 0))
    box.addEventListener("blur", () => this.open(false))
    list.addEventListener("pointerdown", (event) => {
      event.preventDefault() // the box keeps the focus, so the list stays until the press is over
      const option = event.target.closest("li")
      if (option) this.choose(this.found[Number(option.dataset.at)])
    })
  }

  async seek() {
    const { labels } = this.store.arrays
    const text = this.box.value
    const own = ++this.asked
    this.labels = labels
    if (!labels) return
    const told = await matching(labels, text, MOST, () => own !== this.asked)
    if (told === null || own !== this.asked) return
    this.found = told.items
    this.active = -1
    const more = told.count > MOST ? `, the first ${MOST} listed` : ""
    this.said.textContent = told.count ? `${count(told.count)} ${told.count === 1 ? "label" : "labels"}${more}` : text.trim() && `No label holds “${oneLine(text.trim())}”.`
    this.list.replaceChildren(...this.found.map((item, at) => this.option(item, at)))
    this.open(this.found.length > 0 && document.activeElement === this.box)
  }

  option(item, at) {
    const text = make("span", "mx-find-text", oneLine(this.labels[item].slice(0, LONGEST)) || "(empty)")
    const option = make("li", "", text, make("span", "mx-find-row", `row ${item}`))
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

  choose(item) {
    const { store } = this
    this.open(false)
    this.said.textContent = ""
    const items = Int32Array.of(item)
    store.set({ pinned: item, hovered: -1 }) // its card says which it is, among so many
    store.select(items, "click")
    store.zoomTo(items)
  }

  clear() {
    clearTimeout(this.timer)
    const filled = this.box.value !== ""
    this.box.value = ""
    this.seek()
    return filled
  }
}
