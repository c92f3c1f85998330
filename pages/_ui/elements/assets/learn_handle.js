// What is dragged in a picture: a slider for keys and screen readers, laid over the drawing. It alone
// takes touches, so that the rest of the picture scrolls the page; a mouse may press anywhere.

import { make, set } from "./dom.js"
import { dot } from "./learn_marks.js"

const RING = 9 // px

export class LessonHandle {
  constructor(view) {
    this.view = view
    this.declared = view.lesson.handle
    this.node = make("div", this.declared.whole ? "mx-handle mx-whole" : "mx-handle")
    set(this.node, { role: "slider", tabindex: 0, "aria-label": this.declared.label })
    const { across } = this.declared
    set(this.node, { "aria-valuemin": 0, "aria-valuemax": across.values.length - 1 })
    const picture = view.picture.element
    for (const place of [this.node, picture]) {
      place.addEventListener("pointerdown", (event) => this.press(event, place))
      place.addEventListener("pointermove", (event) => { if (place.hasPointerCapture(event.pointerId)) this.drag(event) })
    }
    this.node.addEventListener("keydown", (event) => this.key(event))
    picture.append(this.node)
  }

  press(event, place) {
    const { node, view } = this
    if (place !== node && (event.pointerType === "touch" || node.contains(event.target))) return
    place.setPointerCapture(event.pointerId)
    if (place === node) event.preventDefault()
    const [x, y] = this.under(event)
    this.began = { x, y, state: view.course.state }
    if (!this.declared.whole) this.drag(event)
    node.focus({ preventScroll: true, focusVisible: false })
  }

  drag(event) {
    const { picture: { sheet }, course, data, module } = this.view
    const moved = module.handle.moved(sheet, this.under(event), course.state, data, this.began)
    const tracks = [this.declared.across, this.declared.up].filter(Boolean)
    course.set(Object.fromEntries(tracks.filter(({ key }) => key in moved).map((track) => [track.key, nearest(track, moved[track.key])])))
  }

  // In units of the picture.
  under({ clientX, clientY }) {
    const { left, top } = this.view.picture.element.getBoundingClientRect()
    const { scale } = this.view.picture
    return [(clientX - left) / scale, (clientY - top) / scale]
  }

  key(event) {
    if (this.view.course.presenting && event.key.startsWith("Page")) return // a clicker steps
    const { across, whole } = this.declared
    const up = this.declared.up ?? across
    const left = across.leftwards ? 1 : -1
    const moves = {
      ArrowLeft: [across, left * across.step], ArrowRight: [across, -left * across.step], ArrowUp: [up, up.step],
      ArrowDown: [up, -up.step], PageUp: [across, across.page], PageDown: [across, -across.page],
    }
    const { course, lesson } = this.view
    const ends = { Home: across.values[0], End: across.values.at(-1) }
    if (event.key in moves && !event.altKey) course.set(by(course.state, ...moves[event.key]))
    else if (event.key === "Home" && whole) course.set({ [across.key]: lesson.defaults[across.key], [up.key]: lesson.defaults[up.key] })
    else if (event.key in ends) course.set({ [across.key]: ends[event.key] })
    else return
    event.preventDefault()
    event.stopPropagation()
  }

  place(state) {
    const { node, declared: { across, up, whole }, view: { picture, module, data } } = this
    const at = across.values.indexOf(state[across.key])
    const said = [across.texts[at], up && up.texts[up.values.indexOf(state[up.key])]].filter(Boolean)
    set(node, { "aria-valuenow": at, "aria-valuetext": said.join(", ") })
    if (whole || !picture.sheet.w) return
    const shown = module.handle.at(picture.sheet, state, data) // null: nothing to drag in this state
    node.hidden = !shown
    if (!shown) return
    const [x, y] = shown
    picture.svg.insertAdjacentHTML("beforeend", dot(x, y, RING, "background", { stroke: "accent", width: 4 }))
    node.style.transform = `translate(${x * picture.scale}px, ${y * picture.scale}px)`
  }
}

function by(state, { key, values, turns }, steps) {
  const n = values.length
  const to = values.indexOf(state[key]) + steps
  return { [key]: values[turns ? ((to % n) + n) % n : Math.max(0, Math.min(n - 1, to))] }
}

// The value of the track nearest to `wanted`; of one that turns, all the way round.
function nearest({ values, turns }, wanted) {
  const part = values[1] - values[0]
  if (turns) return values[((Math.round((wanted - values[0]) / part) % values.length) + values.length) % values.length]
  return values.reduce((best, value) => (Math.abs(value - wanted) < Math.abs(best - wanted) ? value : best))
}
