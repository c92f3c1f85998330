// Lines under the picture: how the layout was made, what is selected, how to move about.

import { count, make, set } from "./dom.js"

const BY_HAND = "Drag to move. Click the map, then scroll to zoom. Shift and drag draws a lasso."
const BY_FINGER = "Pinch to zoom, tap an item to see what it is."
const MODES = "(hover: hover)"
const KEYS = " Arrow keys move the map or step through a search, plus and minus zoom, 0 resets the view, Escape clears."
let made = 0

export class Notes {
  constructor(store) {
    this.store = store
    this.said = make("span", "mx-map-said")
    this.note = make("span", "")
    this.hint = make("span", "mx-map-hint", matchMedia(MODES).matches ? BY_HAND : BY_FINGER)
    this.trouble = make("p", "mx-note mx-map-trouble")
    this.strays = make("span", "")
    const keys = make("span", "mx-spoken", KEYS)
    set(this.said, { role: "status", "aria-live": "polite" })
    set(this.trouble, { role: "status" })
    store.hint = `mx-map-hint-${made++}`
    set(this.hint, { id: store.hint })
    this.hint.append(keys)
    const lines = make("div", "mx-map-lines", this.said, this.note, this.strays, this.hint)
    this.element = make("div", "mx-map-notes", this.trouble, lines)
    store.on(["message", "selected", "trouble", "plainly"], () => this.show())
    store.on(["camera", "outside", "message"], () => this.count())
  }

  show() {
    const { message, selected, trouble, plainly } = this.store
    const number = selected?.length ?? 0
    this.said.textContent = number ? `${count(number)} ${number === 1 ? "item" : "items"} selected` : ""
    this.note.textContent = message?.layout.note ?? ""
    this.trouble.textContent = [plainly, trouble].filter(Boolean).join(" ")
    this.trouble.hidden = !this.trouble.textContent
  }

  // Points out of sight from the start are not passed over.
  count() {
    const { camera: { resting }, outside } = this.store
    const told = outside === 1 ? "1 item lies" : `${count(outside)} items lie`
    this.strays.textContent = resting && outside ? `${told} outside the picture: zoom out to see all.` : ""
  }
}
