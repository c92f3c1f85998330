// The slider of efforts over the map and the sentence that says what the search finds there, or
// what the step of it does that is shown.
// Everything is known here, so it acts while it is dragged; Python hears of it when it is let go.

import { count, fill, keepRoom, make, set, times } from "./dom.js"
import { costAt, countFound, noun } from "./map_searched.js"
import { oneLine } from "./map_text.js"
import { Slider } from "./slider.js"

const KEYS_REST = 200 // ms: a run of key presses is one choice
const SPEECH_REST = 300 // ms of rest before the sentence is read out

export class Follow {
  constructor(store) {
    this.store = store
    this.slider = new Slider("mx-slider-effort")
    this.sentence = make("p", "mx-sentence")
    this.spoken = make("div", "mx-spoken")
    set(this.spoken, { role: "status", "aria-live": "polite" })
    this.element = make("div", "mx-map-follow", this.slider.element, this.sentence, this.spoken)
    const { input } = this.slider
    input.addEventListener("input", () => {
      store.set({ position: input.valueAsNumber })
      this.hold()
    })
    input.addEventListener("change", () => this.choose(this.slider.byPointer ? 0 : KEYS_REST))
    for (const end of ["pointerup", "pointercancel", "blur"]) input.addEventListener(end, () => this.hold())
    store.on(["message", "position", "stepTold"], () => this.show())
    store.on(["size"], () => { this.sentence.style.minHeight = "" })
  }

  // A message from Python does not undo a choice that is being made here.
  hold() {
    this.store.dragging = this.slider.held || this.timer !== undefined
  }

  show() {
    const { followed, topic } = this.store.message
    this.element.hidden = !followed
    if (!followed) return
    const { efforts, effortLabel, effortHelp, effortNouns } = followed
    const at = this.store.position
    const text = `${count(efforts[at])} of ${count(efforts.at(-1))}`
    this.slider.describe({ label: effortLabel, help: effortHelp })
    this.slider.show(at, efforts.length - 1, text, `${text} ${noun(effortNouns, efforts.at(-1))}`)
    this.say(this.store.stepTold ? this.store.stepTold.split("**") : partsAt(this.store))
    keepRoom(this.sentence)
    if (topic !== this.topic) this.quiet()
    this.topic = topic
  }

  // parts: of the sentence; every second one is bold.
  say(parts) {
    this.sentence.replaceChildren(...parts.map((part, i) => (i % 2 ? make("strong", "", part) : part)))
    const aloud = parts.join("")
    clearTimeout(this.speaking)
    this.heard ??= aloud // nothing is read out on arrival
    this.speaking = setTimeout(() => {
      if (aloud !== this.heard) this.spoken.textContent = aloud
      this.heard = aloud
    }, SPEECH_REST)
  }

  // Other data: its first sentence is not read out.
  quiet() {
    clearTimeout(this.speaking)
    this.heard = this.sentence.textContent
  }

  // Tells Python, once: at once after a drag, after a short rest when keys are pressed.
  choose(rest) {
    clearTimeout(this.timer)
    this.timer = setTimeout(() => {
      this.timer = undefined
      this.hold()
      this.store.choose({ effort: this.store.position })
    }, rest)
    this.hold()
  }
}

// The sentence at the position of the slider, cut at its marks. They are read before the fields are
// filled in, so a name may hold any signs.
export function partsAt({ message: { followed, n }, position }) {
  const [found, K, cost] = [countFound(followed, position), followed.true.length, costAt(followed, position)]
  const [effort, candidates] = [followed.efforts[position], followed.candidates[position]]
  const values = {
    name: oneLine(followed.name), effort: count(effort), noun: noun(followed.effortNouns, effort),
    candidates: count(candidates), candidateNoun: noun(["candidate", "candidates"], candidates),
    found, missed: K - found, K, speedup: times(n / cost), cost: count(cost), n: count(n),
  }
  const template = n < 1.05 * cost ? followed.sentenceBelowOne : followed.sentence
  return template.split("**").map((part) => fill(part, values))
}
