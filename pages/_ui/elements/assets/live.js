// The sliders of a live curve and the state they stand for.

import { nearest, prepare, traces, valuesAt } from "./curves.js"
import { fill, oncePerFrame } from "./dom.js"
import { Reading } from "./reading.js"
import { Slider } from "./slider.js"

const KEYS_REST = 200 // ms: a run of key presses is one choice

export class Live {
  // onMove: the point moved on the same curve; onBuild: other curves are to be drawn.
  constructor({ onMove, onBuild, onChoice }) {
    Object.assign(this, { onBuild, onChoice })
    this.builds = new Slider("mx-slider-build")
    this.efforts = new Slider("mx-slider-effort")
    this.reading = new Reading()
    const moved = oncePerFrame(onMove)
    const rebuilt = oncePerFrame(onBuild)
    this.efforts.input.addEventListener("input", () => {
      this.effort = this.build.points.efforts[this.efforts.input.valueAsNumber]
      moved()
    })
    this.builds.input.addEventListener("input", () => {
      this.value = this.live.builds[this.builds.input.valueAsNumber].value
      rebuilt()
    })
    for (const slider of [this.builds, this.efforts]) {
      slider.input.addEventListener("change", () => this.choose(slider.byPointer ? 0 : KEYS_REST))
    }
  }

  // A new message from Python. No slider moves under a finger.
  update(live, topic) {
    const fresh = topic !== this.topic || !this.live
    Object.assign(this, { live, topic })
    live.builds.forEach((build) => prepare(build, live.n))
    // What Python chose counts once it has heard of the last choice made here, or it would be undone.
    const heard = this.serial === undefined || live.seen === this.serial
    if (fresh || (heard && !this.busy)) Object.assign(this, { value: live.chosen.build, effort: live.chosen.effort })
    if (!live.builds.some((build) => build.value === this.value)) this.value = live.chosen.build
    this.reading.arrange(live)
    this.efforts.describe({ ...live.effort, lesson: live.lessons.effort })
    this.builds.describe({ ...live.build, lesson: live.lessons.build })
    this.builds.element.hidden = live.builds.length < 2
    this.builds.mark(live.builds.map(({ value, points }) => ({ text: value, ready: Boolean(points) })))
  }

  get busy() {
    return this.builds.held || this.efforts.held || this.timer !== undefined
  }

  get build() {
    return this.live.builds.find((build) => build.value === this.value)
  }

  get index() {
    return this.build.points ? nearest(this.build.points.efforts, this.effort) : null
  }

  get values() {
    return this.build.points ? valuesAt(this.live, this.build, this.index) : null
  }

  traces() {
    return traces(this.live, this.build)
  }

  point(colours) {
    const { build, values, index } = this
    if (!values) return null
    const { speedup, precision } = build.points
    const text = fill(this.live.words.point, values)
    return { x: speedup[index], y: precision[index], text, colour: colours[build.style], style: build.style }
  }

  // Everything but the plot: sliders, sentence, tiles.
  show(colours) {
    const { live, build, values, index } = this
    const { words } = live
    const place = live.builds.indexOf(build)
    this.builds.show(place, live.builds.length - 1, build.value, build.label)
    if (values) {
      this.efforts.show(index, build.points.efforts.length - 1, fill(words.value, values), fill(words.valueText, values))
    } else {
      this.efforts.show(0, 0, words.waiting)
    }
    if (values) this.reading.say(fill(this.sentenceAt(index), values))
    else this.reading.say(build.message, build.message.split(" · ")[0]) // progress is not read out at every step
    this.reading.show(live, values, values && build, index, colours)
  }

  sentenceAt(index) {
    return this.build.points.speedup[index] < 1.05 ? this.live.sentenceBelowOne : this.live.sentence
  }

  // Tells Python, once: at once after a drag, after a short rest when keys are pressed.
  choose(rest) {
    clearTimeout(this.timer)
    this.timer = setTimeout(() => {
      this.timer = undefined
      this.serial = Date.now()
      this.onChoice({ build: this.value, effort: this.effort, topic: this.topic, serial: this.serial })
    }, rest)
  }
}
