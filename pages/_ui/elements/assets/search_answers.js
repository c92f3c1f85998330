// One query under a slider of efforts: what an index finds and returns at each, known here in whole,
// so that it acts while it is dragged. Python hears of a drag once, when it is let go.

import { count, fill, make, oncePerFrame } from "./dom.js"
import { SearchReading } from "./search_reading.js"
import { Missed, Returned, True, Walk } from "./search_tables.js"
import { Slider } from "./slider.js"
import { same, unpack } from "./wire.js"

const SIDE_BY_SIDE = 820 // px of width from which the tables stand beside each other
const KEYS_REST = 200 // ms: a run of key presses is one choice
const elements = new WeakMap()

export default function render({ data, parentElement, setStateValue }) {
  const root = parentElement.querySelector(".mx")
  if (!elements.has(root)) elements.set(root, new Answers(root))
  elements.get(root).update(data, setStateValue)
  return () => setTimeout(() => { if (!root.isConnected) elements.get(root)?.close() })
}

class Answers {
  constructor(root) {
    this.root = root
    this.slider = new Slider("mx-slider-effort")
    this.reading = new SearchReading()
    this.note = make("p", "mx-note")
    this.tables = [new True(), new Returned(), new Missed(() => this.tell({ map: true })), new Walk()]
    const [sentence, spoken, tiles, few] = this.reading.elements
    const [first, second, ...below] = this.tables.map(({ element }) => element)
    root.append(
      make("div", "mx-sliders", this.slider.element), sentence, spoken, few,
      make("div", "mx-found", first, second), this.note, tiles, ...below,
    )
    const show = oncePerFrame(() => this.show())
    this.slider.input.addEventListener("input", () => {
      this.at = this.slider.input.valueAsNumber
      show()
    })
    this.slider.input.addEventListener("change", () => this.choose(this.slider.byPointer ? 0 : KEYS_REST))
    this.observer = new ResizeObserver(() => {
      root.classList.toggle("mx-beside", root.clientWidth >= SIDE_BY_SIDE)
      root.classList.toggle("mx-narrow", root.clientWidth < 560)
    })
    this.observer.observe(root)
  }

  // A new message from Python. The slider does not move under a finger, nor back while its move is on its way.
  update(bytes, setStateValue) {
    this.commit = (choice) => setStateValue("choice", choice)
    if (same(this.bytes, bytes)) return
    const before = this.message?.topic
    Object.assign(this, { bytes, message: unpack(bytes) })
    const { at, seen, topic, slider, efforts } = this.message
    const heard = this.serial === undefined || seen === this.serial
    if (topic !== before || (heard && !this.busy)) this.at = at
    if (topic !== before) this.reading.resize()
    this.slider.describe(slider)
    this.slider.element.hidden = efforts.length < 2
    this.show()
  }

  get busy() {
    return this.slider.held || this.timer !== undefined
  }

  show() {
    const { at, message } = this
    const { efforts, words } = message
    const last = efforts[efforts.length - 1]
    const text = fill(words.effort, { effort: count(efforts[at]), last: count(last) })
    this.slider.show(at, efforts.length - 1, text, `${text} ${message.slider.nouns[1]}`)
    this.reading.show(message, at)
    for (const table of this.tables) table.show(message, at)
    this.note.textContent = message.notes[at] ?? ""
    this.note.hidden = !this.note.textContent
    Object.assign(this.root.dataset, { effort: efforts[at], explained: message.why !== null })
  }

  // Tells Python, once: at once after a drag, after a short rest when keys are pressed.
  choose(rest) {
    clearTimeout(this.timer)
    this.timer = setTimeout(() => {
      this.timer = undefined
      this.tell()
    }, rest)
  }

  tell(more) {
    this.serial = Date.now()
    this.commit({ value: this.message.efforts[this.at], ...more, serial: this.serial })
  }

  close() {
    this.observer.disconnect()
    elements.delete(this.root)
  }
}
