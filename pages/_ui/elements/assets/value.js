// A slider whose moves Python hears while it is dragged: the next is sent when the last is answered.

import { Slider } from "./slider.js"

const PATIENCE = 1000 // ms without an answer after which the next is sent all the same
const sliders = new WeakMap()

export default function render({ data, parentElement, setStateValue }) {
  const root = parentElement.querySelector(".mx")
  if (!sliders.has(root)) sliders.set(root, new ValueSlider(root))
  sliders.get(root).update(data, setStateValue)
}

class ValueSlider {
  constructor(root) {
    this.slider = new Slider("mx-slider-of-values")
    root.append(this.slider.element)
    this.slider.input.addEventListener("input", () => {
      this.at = this.slider.input.valueAsNumber
      this.show()
      this.send()
    })
  }

  // A new message from Python; what it shows does not move a slider that is ahead of it.
  update({ values, texts, spoken, at, label, help, seen }, setStateValue) {
    Object.assign(this, { values, texts, spoken, commit: (choice) => setStateValue("choice", choice) })
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
    this.commit({ value: this.values[this.at], serial: this.serial })
  }

  show() {
    this.slider.show(this.at, this.values.length - 1, this.texts[this.at], this.spoken[this.at])
  }
}
