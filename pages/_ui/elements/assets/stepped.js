// A figure under two sliders: the first exchanges its curves, the second moves a line on it. All of
// it is known here, so both act while they are dragged; Python hears of a drag once.

import { Chart } from "./chart.js"
import { keepRoom, make, oncePerFrame } from "./dom.js"
import { Panels } from "./panels.js"
import { Reading } from "./reading.js"
import { save } from "./save.js"
import { Slider } from "./slider.js"
import { merge } from "./theme.js"

const ROW = 720 // px of width from which the sliders stand side by side
const KEYS_REST = 200 // ms: a run of key presses is one choice
const charts = new WeakMap()

export default function render({ data, parentElement, setStateValue }) {
  const root = parentElement.querySelector(".mx")
  if (!charts.has(root)) charts.set(root, new Stepped(root))
  charts.get(root).update(data, setStateValue)
  return () => setTimeout(() => { if (!root.isConnected) charts.get(root)?.close() })
}

class Stepped extends Chart {
  static Picture = Panels

  constructor(root) {
    super(root)
    this.reading = new Reading()
    this.note = make("p", "mx-note")
    this.sliders = ["scene", "place"].map((name) => new Slider(`mx-slider-${name}`))
    const acts = [() => this.draw(), () => this.move()].map(oncePerFrame)
    this.sliders.forEach((slider, k) => {
      slider.input.addEventListener("input", () => {
        this.at = this.at.with(k, slider.input.valueAsNumber)
        acts[k]()
      })
      slider.input.addEventListener("change", () => this.choose(slider.byPointer ? 0 : KEYS_REST))
    })
    const sliders = make("div", "mx-sliders", ...this.sliders.map(({ element }) => element))
    root.prepend(sliders, this.reading.sentence, this.reading.spoken)
    root.append(this.note)
  }

  // A new message from Python. No slider moves under a finger, nor back while its last move is on its way.
  read(bytes) {
    const before = this.message?.topic
    super.read(bytes)
    const { figure, stepped, topic } = this.message
    this.still = figure
    const heard = this.serial === undefined || stepped.seen === this.serial
    if (topic !== before || (heard && !this.busy)) this.at = stepped.at
    const ready = stepped.scenes.map(({ complete }) => complete)
    stepped.sliders.forEach(({ written }, k) => {
      this.sliders[k].mark(written.map((text, i) => ({ text, ready: k === 1 || ready[i] })))
    })
  }

  get busy() {
    return this.sliders.some(({ held }) => held) || this.timer !== undefined
  }

  get scene() {
    return this.message.stepped.scenes[this.at[0]]
  }

  draw() {
    const { root, reading, note } = this
    root.classList.toggle("mx-row", root.clientWidth >= ROW)
    if (root.clientWidth !== this.width) for (const node of [reading.sentence, note]) node.style.minHeight = ""
    super.draw()
  }

  figure(narrow, height) {
    const { scene, still } = this
    this.picture.names = scene.names
    this.message.figure = {
      data: still.data.map((trace, i) => ({ ...trace, ...scene.traces[i] })),
      layout: merge(still.layout, scene.layout),
    }
    const figure = super.figure(narrow, height)
    const { annotations = [] } = figure.layout
    figure.layout.annotations = annotations.filter(({ name }) => !(narrow && name === "wide"))
    return figure
  }

  point() {
    return { x: this.message.stepped.places[this.at[1]] }
  }

  tell() {
    super.tell()
    const { at, root, scene } = this
    const narrow = root.classList.contains("mx-narrow")
    this.message.stepped.sliders.forEach(({ label, narrowLabel, values, help }, k) => {
      this.sliders[k].describe({ label: (narrow && narrowLabel) || label, help })
      this.sliders[k].show(at[k], values.length - 1, values[at[k]])
    })
    const said = scene.sentences[at[1]]
    this.reading.say(said, said.split(" · ")[0]) // progress is not read out at every step
    this.describe(this.reading.sentence.textContent)
    this.note.textContent = scene.note
    keepRoom(this.note)
    Object.assign(root.dataset, { scene: at[0], place: at[1], ready: scene.complete })
  }

  // Tells Python, once: at once after a drag, after a short rest when keys are pressed.
  choose(rest) {
    clearTimeout(this.timer)
    this.timer = setTimeout(() => {
      this.timer = undefined
      this.serial = Date.now()
      this.commit({ at: this.at, topic: this.message.topic, serial: this.serial })
    }, rest)
  }

  save(format) { save(this.picture.asSaved(), format, this.message.fileName) }

  close() {
    super.close()
    charts.delete(this.root)
  }
}
