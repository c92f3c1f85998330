// The row below a chart: a button for each curve, and buttons that save the picture.

import { fill, make, set } from "./dom.js"

const FORMATS = ["svg", "png"]

export class Chips {
  constructor(onToggle, onSave, hidden) {
    Object.assign(this, { onToggle, onSave, hidden })
    this.row = make("div", "mx-chip-row")
    this.saves = make("div", "mx-saves")
    this.element = make("div", "mx-chips", this.row, this.saves)
  }

  update({ chips, fileName }) {
    const wanted = JSON.stringify([chips, fileName])
    if (wanted !== this.drawn) this.build(chips, fileName)
    this.drawn = wanted
    for (const { button, key } of this.buttons) button.setAttribute("aria-pressed", !this.hidden.has(key))
  }

  build(chips, fileName) {
    this.chips = chips
    this.buttons = chips.map((chip) => this.chip(chip))
    this.row.replaceChildren(...this.buttons.map(({ button }) => button))
    this.saves.replaceChildren(...(fileName ? FORMATS.map((format) => this.save(format)) : []))
    this.element.hidden = chips.length === 0 && !fileName
  }

  chip({ key, label, glyph }) {
    const mark = make("span", "mx-glyph", glyph)
    const button = make("button", "mx-chip", mark, make("span", "mx-chip-name", label))
    set(button, { type: "button", title: fill("Show or hide {label}", { label }) })
    button.addEventListener("click", () => {
      if (!this.hidden.delete(key)) this.hidden.add(key)
      button.setAttribute("aria-pressed", !this.hidden.has(key))
      this.onToggle()
    })
    return { key, button, mark }
  }

  save(format) {
    const button = make("button", "mx-save", format.toUpperCase())
    set(button, { type: "button", title: `Save the picture as ${format.toUpperCase()}` })
    button.addEventListener("click", () => this.onSave(format))
    return button
  }

  paint(colours) {
    for (const { key, mark } of this.buttons) mark.style.color = colours[key]
  }

  // What the overlay may write beside the curves.
  labels(colours) {
    return this.chips.filter(({ key }) => !this.hidden.has(key))
      .map(({ key, label, glyph }) => ({ key, name: label, glyph, colour: colours[key] }))
  }
}
