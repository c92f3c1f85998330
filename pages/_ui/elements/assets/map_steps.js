// A followed search step by step: what was scored and kept, and what it has cost so far. Its buttons
// lie upon the map, which shows the step; the sentence over the map says it. The steps are those of
// the effort last let go; while the slider is elsewhere they wait for Python.

import { count, make, set } from "./dom.js"
import { costAt, countFound, noun } from "./map_searched.js"

const WAYS = { ArrowLeft: -1, ArrowRight: 1 }

export class Steps {
  constructor(store) {
    Object.assign(this, { store, steps: [], lines: [] })
    store.steps = this
    this.opener = button("Step through this search", () => this.go(this.at < 0 ? 0 : -1))
    this.back = button("‹ Previous", () => this.go(Math.max(this.at - 1, 0)))
    this.next = button("Next ›", () => this.go(this.at + 1))
    this.element = make("div", "mx-map-steps mx-map-free", this.back, this.next, this.opener)
    this.element.addEventListener("keydown", (event) => { if (this.key(event.key)) event.preventDefault() })
    store.on(["message", "position", "step"], () => this.show())
  }

  // The step shown: -1 none, then those of the walk, then its end.
  get at() {
    return this.store.step ?? -1
  }

  get last() {
    return this.steps.length
  }

  // Whether the steps are of the effort under the slider.
  get current() {
    const { followed } = this.store.message
    return Boolean(followed?.steps.length) && followed.chosen === this.store.position
  }

  go(step) {
    if (this.current && step <= this.last) this.store.set({ step: Math.max(step, -1) })
  }

  // Whether the key was one for the steps: the arrows go through them while they are open.
  key(name) {
    const way = this.at >= 0 && WAYS[name]
    if (way) this.go(Math.max(this.at + way, 0))
    return Boolean(way)
  }

  // Whether there were any to close.
  close() {
    const open = this.at >= 0
    if (open) this.store.set({ step: -1 })
    return open
  }

  show() {
    const { followed } = this.store.message
    if (followed !== this.read) this.take(followed)
    this.element.hidden = !this.last
    const open = this.at >= 0 && this.last > 0
    this.opener.textContent = open ? "Close" : "Step through this search"
    this.opener.disabled = !this.current
    this.back.hidden = this.next.hidden = !open
    // Not `disabled`: that would take the focus away from under the keys.
    set(this.back, { "aria-disabled": !this.current || this.at <= 0 })
    set(this.next, { "aria-disabled": !this.current || this.at >= this.last })
    this.store.set({ stepTold: open && this.current ? this.lines[Math.min(this.at, this.last)] : "" })
  }

  // Steps of another effort go on where these are, those of another search close. Where a message
  // has none yet for the effort let go, the last ones wait.
  take(followed) {
    const search = followed?.opened.address
    if (search !== this.search) this.store.set({ step: -1 })
    if (search !== this.search || followed?.steps.length) this.steps = followed?.steps ?? []
    Object.assign(this, { search, read: followed })
    if (this.at > this.last) this.store.set({ step: this.last })
    if (followed?.steps.length) this.write(followed)
  }

  write(followed) {
    let sum = 0
    const texts = followed.steps.map(({ label, spent }) => {
      sum += spent
      return `${label}, ${products(spent)}; ${count(sum)} so far`
    })
    const [found, K] = [countFound(followed, followed.chosen), followed.true.length]
    texts.push(`${found} of ${K} true answers found, ${K - found} missed, with ${products(costAt(followed, followed.chosen))}`)
    this.lines = texts.map((text, i) => `**Step ${i + 1} of ${texts.length}.** ${text}.`)
  }
}

const products = (number) => `${count(number)} ${noun(["inner product", "inner products"], Math.round(number))}`

function button(text, act) {
  const node = make("button", "mx-chip", text)
  set(node, { type: "button" })
  node.addEventListener("click", act)
  return node
}
