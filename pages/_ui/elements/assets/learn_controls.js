// The controls of a lesson, from what it declares. Each has `element`, `key`, and `show(state, patch)`;
// a patch of the lesson's module may say `last`, the highest place now, and `words` for the value.

import { make, set } from "./dom.js"
import { Slider } from "./slider.js"

let made = 0

export function controlOf(declared, course) {
  const Kind = { slider: SliderControl, options: OptionsControl, pick: PickControl, press: PressControl }[declared.kind] ?? Gap
  return new Kind(declared, course)
}

class LessonControl {
  constructor(declared, course) {
    Object.assign(this, { declared, course, key: declared.key })
  }

  show(state, patch = {}) {
    const { declared: { when }, element } = this
    element.hidden = Object.entries(when).some(([key, value]) => state[key] !== value)
    this.fill(state[this.key], patch)
  }

  at(value) { return this.declared.values.indexOf(value) }
}

class SliderControl extends LessonControl {
  constructor(declared, course) {
    super(declared, course)
    this.slider = new Slider("mx-lesson-slider")
    this.slider.describe({ label: declared.label, help: "" })
    this.element = this.slider.element
    this.element.style.setProperty("--grows", declared.grows)
    this.slider.input.addEventListener("input", () => course.set({ [this.key]: declared.values[this.slider.input.valueAsNumber] }))
  }

  fill(value, { last = this.declared.values.length - 1, words = this.declared.texts[this.at(value)] }) {
    this.slider.show(Math.min(this.at(value), last), last, words)
  }
}

class OptionsControl extends LessonControl {
  constructor(declared, course) {
    super(declared, course)
    const name = `mx-options-${made++}`
    this.inputs = declared.values.map((value) => {
      const input = make("input", "")
      set(input, { type: "radio", name })
      input.addEventListener("change", () => course.set({ ...declared.sets, [this.key]: value }))
      return input
    })
    const row = make("span", "mx-options-row", ...this.inputs.map((input, i) => make("label", "", input, declared.texts[i])))
    this.element = make("div", "mx-options", make("b", "", declared.label), row)
    set(this.element, { role: "radiogroup", "aria-label": declared.label })
  }

  fill(value) {
    this.inputs.forEach((input, i) => { input.checked = i === this.at(value) })
  }
}

class PickControl extends LessonControl {
  constructor(declared, course) {
    super(declared, course)
    this.select = make("select", "mx-button", ...declared.texts.map((text) => make("option", "", text)))
    this.select.addEventListener("change", () => {
      course.set({ [this.key]: declared.values[this.select.selectedIndex] })
      if (course.presenting) this.select.blur() // the arrows step again
    })
    this.element = make("label", "mx-pick", make("b", "", declared.label), this.select)
  }

  fill(value) { this.select.selectedIndex = this.at(value) }
}

class PressControl extends LessonControl {
  constructor(declared, course) {
    super(declared, course)
    this.element = make("button", "mx-button", declared.label)
    this.element.addEventListener("click", () => course.set({ [this.key]: this.target(course.state[this.key]) }))
  }

  target(value) {
    const { values, by, to } = this.declared
    const last = this.last ?? values.length - 1
    return to ?? values[Math.max(0, Math.min(last, Math.min(this.at(value), last) + by))]
  }

  fill(value, { last }) {
    this.last = last
    this.element.disabled = this.target(value) === value
  }
}

class Gap extends LessonControl {
  constructor(declared, course) {
    super(declared, course)
    this.element = make("span", declared.kind === "newrow" ? "mx-new-row" : "mx-unseen")
  }

  fill() {}
}
