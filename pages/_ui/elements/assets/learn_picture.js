// The picture of a lesson: SVG in units of its own, one px on a page and 1.9 in presenter mode, where
// writing and marks grow with it and nothing is laid out anew.

import { make } from "./dom.js"
import { room } from "./learn.js"

const GROWN = 1.9
const NARROW = 560

export class LessonPicture {
  constructor(view) {
    this.view = view
    this.element = make("figure", "mx-pic")
    this.element.innerHTML = '<svg role="img"></svg>'
    this.svg = this.element.firstChild
    this.resized = new ResizeObserver(() => this.measure())
    this.resized.observe(this.element)
    this.sheet = { w: 0, h: 0, narrow: false }
  }

  // px of the screen in one unit of the picture.
  get scale() { return this.view.course.presenting ? GROWN * room() : 1 }

  measure() {
    const { clientWidth, clientHeight } = this.element
    const [w, h] = [clientWidth / this.scale, clientHeight / this.scale]
    if (w === this.sheet.w && h === this.sheet.h) return
    this.sheet = { w, h, narrow: w < NARROW }
    this.view.course.paint()
  }

  draw(drawn) {
    const { svg, sheet: { w, h }, view } = this
    if (!w) return
    svg.setAttribute("viewBox", `0 0 ${w} ${h}`)
    svg.setAttribute("aria-label", `${view.listed.title}. ${view.live.textContent}`)
    svg.innerHTML = drawn // text in it was escaped
    this.drawn = drawn
  }

  close() { this.resized.disconnect() }
}
