// A followed search step by step: what was scored and kept, and what it has cost so far. The steps
// are those of the effort last let go; while the slider is elsewhere they wait for Python.

import { count, make, set } from "./dom.js"
import { costAt, countFound, noun } from "./map_searched.js"

export class Steps {
  constructor(store) {
    this.store = store
    this.steps = []
    this.opener = button("Step through this search", () => this.go(this.at < 0 ? 0 : -1))
    this.back = button("‹ Previous", () => this.go(Math.max(this.at - 1, 0)))
    this.next = button("Next ›", () => this.go(this.at + 1))
    this.list = make("ol", "mx-map-walk")
    this.said = make("div", "mx-spoken")
    set(this.said, { role: "status", "aria-live": "polite" })
    this.controls = make("div", "mx-map-controls", this.opener, this.back, this.next)
    this.element = make("div", "mx-map-steps", this.controls, this.list, this.said)
    this.element.addEventListener("keydown", (event) => this.key(event))
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

  key(event) {
    const way = { ArrowLeft: -1, ArrowRight: 1 }[event.key]
    if (event.key === "Escape" && this.at >= 0) this.go(-1)
    else if (way && this.at >= 0 && (way > 0 || this.at > 0)) this.go(this.at + way)
    else return
    event.preventDefault()
  }

  show() {
    const { followed } = this.store.message
    if (followed !== this.read) this.take(followed)
    this.element.hidden = !this.last
    if (!this.last) return
    const open = this.at >= 0
    this.element.classList.toggle("mx-map-waits", !this.current)
    this.opener.textContent = open ? "Close the steps" : "Step through this search"
    this.opener.disabled = !this.current
    this.back.hidden = this.next.hidden = this.list.hidden = !open
    // Not `disabled`: that would take the focus away from under the keys.
    set(this.back, { "aria-disabled": !this.current || this.at <= 0 })
    set(this.next, { "aria-disabled": !this.current || this.at >= this.last })
    this.lines.forEach((line, i) => {
      line.hidden = i > this.at
      if (i === this.at) line.setAttribute("aria-current", "step")
      else line.removeAttribute("aria-current")
    })
    const now = open ? this.lines[Math.min(this.at, this.last)].textContent : ""
    if (this.said.textContent !== now) this.said.textContent = now
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
    const lines = followed.steps.map(({ label, spent }) => {
      sum += spent
      return `${label}, ${products(spent)}; ${count(sum)} so far`
    })
    const [found, K] = [countFound(followed, followed.chosen), followed.true.length]
    const cost = products(costAt(followed, followed.chosen))
    const end = `${found} of ${K} true answers found, ${K - found} missed, with ${cost}`
    this.lines = [...lines, end].map((text) => make("li", "", text))
    this.list.replaceChildren(...this.lines)
  }
}

const products = (number) => `${count(number)} ${noun(["inner product", "inner products"], Math.round(number))}`

function button(text, act) {
  const node = make("button", "mx-chip", text)
  set(node, { type: "button" })
  node.addEventListener("click", act)
  return node
}
