// The true answers of a followed search as a row of buttons: found or missed, and what would find
// them. A press brings the map to the answer.

import { count, make, set } from "./dom.js"
import { foundAt, noun } from "./map_searched.js"
import { oneLine } from "./map_text.js"

export class Answers {
  constructor(store) {
    this.store = store
    this.row = make("ol", "mx-map-answers")
    set(this.row, { "aria-label": "True answers, best first" })
    this.element = this.row
    store.on(["message", "arrays"], () => this.build())
    store.on(["position"], () => this.show())
  }

  build() {
    const { store } = this
    const { followed } = store.message
    this.row.hidden = !followed
    if (!followed) return
    const wanted = JSON.stringify([...followed.true].map((item) => [item, store.label(item)]))
    if (wanted !== this.drawn) {
      this.buttons = Array.from(followed.true, (item, rank) => this.button(item, rank))
      this.row.replaceChildren(...this.buttons.map(({ button }) => make("li", "", button)))
    }
    this.drawn = wanted
    this.show()
  }

  button(item, rank) {
    const mark = make("span", "mx-map-mark")
    const note = make("span", "mx-map-note")
    const label = oneLine(this.store.label(item))
    const button = make("button", "mx-chip", `${rank + 1} `, make("span", "mx-chip-name", label), " ", mark, note)
    set(button, { type: "button" })
    button.addEventListener("click", () => this.store.zoomTo(Int32Array.of(item)))
    return { button, mark, note, label, rank }
  }

  show() {
    const { followed } = this.store.message
    if (!followed) return
    const found = foundAt(followed, this.store.position)
    for (const { button, mark, note, label, rank } of this.buttons) {
      const hit = Boolean(found[rank])
      const what = hit ? "" : remedy(followed, rank, this.store.position)
      if (mark.textContent !== (hit ? "✓" : "✕")) mark.textContent = hit ? "✓" : "✕"
      button.classList.toggle("mx-map-missed", !hit)
      if (note.textContent !== what) note.textContent = what
      set(button, { "aria-label": `${rank + 1}, ${label}, ${hit ? "found" : `missed, ${what}`}` })
    }
  }
}

// "9 probes find it"; of a beam that lost the answer as it grew wider, what found it before.
function remedy({ efforts, effortNouns, found }, rank, position) {
  const next = found.findIndex((row, at) => at > position && row[rank])
  const at = next >= 0 ? next : found.findLastIndex((row) => row[rank])
  if (at < 0) return `no number of ${effortNouns[1]} finds it`
  return `${count(efforts[at])} ${noun(effortNouns, efforts[at])} ${efforts[at] === 1 ? "finds" : "find"} it`
}
