// The course: its contents, or one lesson. Streamlit calls `render` with every rerun; the course is
// made once and then told where to be. All numbers of a lesson are fetched once, so it acts while it
// is dragged; Python hears where a drag ended, which is how the address and a link know it.

import { oncePerFrame } from "./dom.js"
import { Contents } from "./learn_contents.js"
import { Keys } from "./learn_keys.js"
import { LessonView } from "./learn_lesson.js"
import { Terms } from "./learn_terms.js"
import { modeOf } from "./theme.js"
import { unpack } from "./wire.js"

const REST = 300 // ms without a move until Python, the address and screen readers hear of it
const LAST = 999 // a step that every lesson has fewer of
const courses = new WeakMap()

export default function render({ data, parentElement, setStateValue }) {
  const root = parentElement.querySelector(".mx")
  if (!courses.has(root)) courses.set(root, new Course(root))
  courses.get(root).update(data, setStateValue)
  // Streamlit may also call this for an outdated rerun, while the element lives on.
  return () => setTimeout(() => { if (!root.isConnected) courses.get(root)?.close() })
}

// The course drawn into this node.
export const courseOf = (root) => courses.get(root)

class Course {
  constructor(root) {
    this.root = root
    this.draws = 0
    this.place = { number: 0, state: {}, step: 0, way: "", term: "" }
    this.terms = new Terms(this)
    this.keys = new Keys(this)
    this.paint = oncePerFrame(() => this.show())
    this.resized = new ResizeObserver(() => this.paint())
    this.resized.observe(root)
    addEventListener("resize", this.paint)
    root.addEventListener("transitionend", (event) => { if (event.target === root) this.colour() }) // the theme changed
  }

  get words() { return this.message.words }
  get state() { return this.place.state }
  get step() { return this.place.step }
  get presenting() { return this.step > 0 }

  // Python says where the visitor is. Nothing moves under a finger, nor back while a move is on its way.
  async update({ address, name, place, seen }, setStateValue) {
    this.commit = (choice) => setStateValue("choice", choice)
    const heard = this.serial === undefined || seen === this.serial
    if (!heard || this.timer !== undefined) return
    this.wanted = address
    if (address !== this.address) {
      try {
        const [message, module] = await Promise.all([fetched(address), name && import(`./lesson_${name}.js`)])
        if (this.wanted !== address) return // the visitor has gone on
        Object.assign(this, { address, name, message, module })
      } catch {
        return this.fail()
      }
      this.place = place
      this.open()
    } else if (JSON.stringify(place) !== JSON.stringify(this.place)) {
      this.place = place
      this.paint()
    }
  }

  // The block is gone from the server: Python makes it again at its next run, which is asked for once.
  fail() {
    if (!this.again) this.tell({})
    this.again = true
  }

  open() {
    const { root, place } = this
    this.terms.close()
    this.view?.close()
    this.view = place.number ? new LessonView(this) : new Contents(this)
    root.replaceChildren(this.view.element)
    this.colour()
    this.show()
    if (place.term) this.terms.open(place.term, root.querySelector(`#term-${place.term}`))
    else root.closest("[data-testid=stMain]")?.scrollTo(0, 0)
  }

  colour() {
    const { root, message } = this
    root.dataset.mode = modeOf(root)
    for (const [name, colour] of Object.entries(message?.tokens[root.dataset.mode] ?? {})) {
      if (!name.startsWith("@")) root.style.setProperty(`--${name}`, colour)
    }
  }

  show() {
    if (!this.view) return
    this.root.classList.toggle("mx-present", this.presenting)
    document.documentElement.classList.toggle("mx-presenting", this.presenting)
    this.root.style.setProperty("--u", `${room()}px`)
    this.view.paint()
    const { number, state, step } = this.place
    Object.assign(this.root.dataset, { lesson: number, step, state: JSON.stringify(state), draws: ++this.draws })
  }

  // The visitor moved a part of the state.
  set(change) {
    this.place = { ...this.place, state: { ...this.state, ...change } }
    this.paint()
    this.rest()
  }

  rest() {
    clearTimeout(this.timer)
    this.timer = setTimeout(() => {
      this.timer = undefined
      this.view.say()
      this.tell(this.place)
    }, REST)
  }

  // Another lesson, or the contents: Python has its numbers.
  go(number, { step = 0, way = step ? this.place.way : "", term = "" } = {}) {
    clearTimeout(this.timer)
    this.timer = undefined
    this.tell({ number, state: {}, step, way, term })
  }

  tell(choice) {
    this.serial = Date.now()
    this.commit({ ...choice, serial: this.serial })
  }

  openOwnData() { this.tell({ ...this.place, own: true }) }

  // The lessons before and after this one, on the way that is taken.
  next(by) {
    const { lessons, ways } = this.message
    const known = lessons.map(({ number }) => number)
    const order = this.presenting && ways[this.place.way] ? ways[this.place.way].filter((n) => known.includes(n)) : known
    const at = order.indexOf(this.place.number) + by
    return lessons.find(({ number }) => number === order[at])
  }

  present() {
    if (!this.place.number) return this.go(this.message.lessons[0].number, { step: 1 })
    if (this.presenting) this.place = { ...this.place, step: 0, way: "" }
    else this.put(1)
    this.paint()
    this.rest()
  }

  put(step) {
    const { defaults, steps } = this.message.lesson
    this.place = { ...this.place, step, state: { ...defaults, ...steps[step - 1].state } }
  }

  move(by) {
    const to = this.step + by
    if (to > this.message.lesson.steps.length) return this.goNext()
    if (to < 1) return this.next(-1) && this.go(this.next(-1).number, { step: LAST })
    this.put(to)
    this.paint()
    this.rest()
  }

  goNext() {
    const next = this.next(1)
    this.go(next?.number ?? 0, { step: next && this.presenting ? 1 : 0 })
  }

  close() {
    clearTimeout(this.timer)
    this.resized.disconnect()
    this.keys.close()
    this.terms.close()
    this.view?.close()
    removeEventListener("resize", this.paint)
    document.documentElement.classList.remove("mx-presenting")
    courses.delete(this.root)
  }
}

// How large a pixel of the presenter's page, which is 1920 x 1080, is here.
export const room = () => Math.max(0.4, Math.min(3, innerWidth / 1920, innerHeight / 1080))

const known = new Map()
async function fetched(address) {
  if (!known.has(address)) {
    const answer = await fetch(new URL(address, document.baseURI))
    if (!answer.ok) throw new Error(answer.statusText)
    known.set(address, unpack(new Uint8Array(await answer.arrayBuffer())))
  }
  return known.get(address)
}
