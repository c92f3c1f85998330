// A labelled range input with its value beside it and, if asked, its stops below it.

import { lessonMark, make, set } from "./dom.js"

let made = 0

export class Slider {
  constructor(className) {
    const id = `mx-slider-${made++}`
    this.label = make("label", "mx-slider-label")
    this.label.htmlFor = id
    this.input = make("input", "mx-range")
    set(this.input, { type: "range", id, step: 1, min: 0 })
    this.output = make("output", "mx-slider-value")
    this.output.htmlFor = id
    this.stops = make("div", "mx-stops")
    this.stops.setAttribute("aria-hidden", "true")
    this.help = make("div", "mx-help")
    set(this.help, { id: `${id}-help` })
    this.element = make("div", `mx-slider ${className}`, this.label, make("div", "mx-track", this.input, this.stops), this.output, this.help)
    this.held = false // under a finger or the mouse just now
    this.byPointer = false // moved so the last time, not with keys
    this.input.addEventListener("pointerdown", () => { this.held = this.byPointer = true })
    this.input.addEventListener("keydown", () => { this.byPointer = false })
    for (const end of ["pointerup", "pointercancel", "blur"]) this.input.addEventListener(end, () => { this.held = false })
  }

  describe({ label, help, lesson }) {
    this.label.replaceChildren(label, ...lessonMark(lesson))
    if (lesson) this.input.setAttribute("aria-label", label)
    this.help.textContent = help
    this.help.hidden = !help
    if (help) this.input.setAttribute("aria-describedby", this.help.id)
  }

  // stops: {text, ready}
  mark(stops) {
    const last = Math.max(stops.length - 1, 1)
    this.stops.replaceChildren(...stops.map(({ text, ready }, i) => {
      const stop = make("span", ready ? "mx-stop" : "mx-stop mx-stop-open", text)
      stop.style.setProperty("--at", i / last)
      return stop
    }))
  }

  show(index, last, text, spoken = text) {
    set(this.input, { max: Math.max(last, 0), "aria-valuetext": spoken })
    if (this.input.valueAsNumber !== index) this.input.value = index
    this.input.disabled = last < 1
    this.input.style.setProperty("--part", last > 0 ? index / last : 0)
    this.output.textContent = text
  }
}
