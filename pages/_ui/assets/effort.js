// A slider whose moves Python hears while it is dragged: the next is sent when the last is answered.

import { count } from "./dom.js"
import { Slider } from "./slider.js"

const PATIENCE = 1000 // ms without an answer after which the next is sent all the same
const sliders = new WeakMap()

export default function render({ data, parentElement, setStateValue }) {
  const root = parentElement.querySelector(".mx")
  if (!sliders.has(root)) sliders.set(root, new Effort(root))
  sliders.get(root).update(data, setStateValue)
}

class Effort {
  constructor(root) {
    this.slider = new Slider("mx-slider-effort")
    root.append(this.slider.element)
    this.slider.input.addEventListener("input", () => {
      this.at = this.slider.input.valueAsNumber
      this.show()
      this.send()
    })
  }

  // A new message from Python; what it shows does not move a slider that is ahead of it.
  update({ efforts, at, label, help, unit, seen }, setStateValue) {
    Object.assign(this, { efforts, unit, commit: (choice) => setStateValue("choice", choice) })
    this.slider.describe({ label, help })
    const answered = this.serial === undefined || seen === this.serial
    if (answered) {
      clearTimeout(this.waiting)
      this.waiting = undefined
    }
    if (this.unsent) this.send()
    else if (answered && !this.slider.held) this.at = at
    this.show()
  }

  send() {
    this.unsent = this.waiting !== undefined
    if (this.unsent) return
    this.serial = Date.now()
    this.waiting = setTimeout(() => {
      this.waiting = undefined
      if (this.unsent) this.send()
    }, PATIENCE)
    this.commit({ effort: this.efforts[this.at], serial: this.serial })
  }

  show() {
    const text = `${count(this.efforts[this.at])} of ${count(this.efforts.at(-1))}`
    this.slider.show(this.at, this.efforts.length - 1, text, `${text} ${this.unit}`)
  }
}
