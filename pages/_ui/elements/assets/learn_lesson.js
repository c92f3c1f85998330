// One lesson on the page: what to do, controls, the live sentence, the picture, what to try.

import { bold, fill, make, set } from "./dom.js"
import { controlOf } from "./learn_controls.js"
import { LessonHandle } from "./learn_handle.js"
import { LessonPicture } from "./learn_picture.js"
import { saveButtons } from "./learn_save.js"
import { rich } from "./learn_terms.js"
import { tileOf } from "./learn_tile.js"
import { openWorksheet } from "./learn_worksheet.js"
import { unpack } from "./wire.js"

const whole = new Intl.NumberFormat("en-US")

export class LessonView {
  constructor(course) {
    this.course = course
    this.module = course.module
    this.lesson = course.message.lesson
    const data = unpack(course.message.data)
    const facts = Object.entries(data.facts ?? {}).map(([name, value]) => [name, typeof value === "number" ? whole.format(value) : value])
    this.facts = Object.fromEntries(facts)
    this.data = this.module.prepare?.(data) ?? data
    this.listed = course.message.lessons.find(({ number }) => number === course.place.number)
    this.picture = new LessonPicture(this)
    this.controls = this.lesson.controls.map((declared) => controlOf(declared, course))
    this.handle = this.lesson.handle && new LessonHandle(this)
    this.element = make("article", "mx-lesson", ...this.parts())
    set(this.element, { style: `--pic: ${this.lesson.height}px; --side: ${this.lesson.side}` })
  }

  // A text with its facts filled in.
  told(text) { return fill(text, this.facts) }

  parts() {
    const { course, lesson, listed, picture } = this
    this.idea = rich(make("p", "mx-idea"), this.told(lesson.idea), course.terms)
    this.step = make("p", "mx-say")
    this.live = make("span", "")
    this.spoken = make("div", "mx-spoken")
    this.spoken.setAttribute("aria-live", "polite")
    this.side = make("div", "mx-side")
    this.tiles = make("div", "mx-side-tiles")
    this.side.append(this.tiles, make("small", "mx-source", lesson.data))
    this.dots = make("div", "mx-dots", ...lesson.steps.map(() => make("i", "")), make("span", "mx-grow"), make("span", "", course.words.keys))
    this.title = make("h1", "", listed.title)
    this.title.tabIndex = -1
    const stage = make("div", "mx-stage", picture.element, this.side)
    const controls = make("div", "mx-controls", ...this.controls.map(({ element }) => element))
    return [this.crumb(), this.title, this.idea, this.step, controls, make("p", "mx-live-words", this.live), this.spoken, stage, this.tryThis(), this.foot(), this.dots]
  }

  crumb() {
    const { course, listed: { chapter, number, minutes } } = this
    const { alone, last, words } = course.message
    this.presenter = make("button", "mx-button", make("span", "", words.present), " ", make("kbd", "", "P"))
    this.presenter.addEventListener("click", () => course.present())
    return make("div", "mx-crumb",
      alone ? make("span", "mx-on-page", words.title) : linkTo(course, 0, "mx-on-page", words.title),
      make("span", "mx-roomy", fill(words.whereLong, { chapter, number, last })),
      make("span", "mx-tight", fill(words.where, { chapter, number })),
      make("span", "mx-on-page mx-roomy", fill(words.minutesLong, { minutes })),
      make("span", "mx-grow"), this.presenter)
  }

  tryThis() {
    const { course, lesson } = this
    const { words } = course
    const summary = make("summary", "", make("b", "", words.try), rich(make("span", ""), this.told(lesson.question), course.terms), make("i", "", words.answer))
    const details = make("details", "mx-try", summary, rich(make("p", ""), this.told(lesson.answer), course.terms))
    details.addEventListener("toggle", () => {
      const shown = lesson.answerState
      const before = Object.keys(shown).map((key) => [key, lesson.defaults[key]])
      if (Object.keys(shown).length) course.set(details.open ? shown : Object.fromEntries(before))
    })
    return details
  }

  foot() {
    const { course, lesson } = this
    const { words } = course
    const [before, next] = [course.next(-1), course.next(1)]
    const button = (text, act, look = "") => {
      const made = make("button", `mx-button ${look}`, text)
      made.addEventListener("click", act)
      return made
    }
    return make("div", "mx-foot",
      ...(before ? [linkTo(course, before.number, "mx-button", fill(words.back, before))] : []),
      button(words.worksheet, () => openWorksheet(this)),
      ...saveButtons(this),
      make("span", "mx-grow"),
      ...(course.message.alone ? [] : [button(lesson.own, () => course.openOwnData())]),
      ...(next ? [linkTo(course, next.number, "mx-button mx-primary", fill(words.next, next))] : []))
  }

  paint() {
    const { course, module, lesson, data } = this
    const { state, step, words } = course
    const patches = module.controls?.(state, data) ?? {}
    for (const control of this.controls) control.show(state, patches[control.key])
    bold(this.live, module.sentence(state, data))
    this.tiles.replaceChildren(...module.side(state, data).map(tileOf))
    this.presenter.firstChild.textContent = step ? words.leave : words.present
    if (step) rich(this.step, this.told(lesson.steps[step - 1].say), course.terms)
    lesson.steps.forEach((_, i) => this.dots.children[i].classList.toggle("mx-on", i === step - 1))
    this.picture.draw(module.draw(this.picture.sheet, state, data))
    this.handle?.place(state)
  }

  // For screen readers, once the picture rests.
  say() { this.spoken.textContent = this.live.textContent }

  close() { this.picture.close() }
}

// A link that moves within the page, and opens in a tab of its own where that is asked for.
export function linkTo(course, number, look, text, { step = 0, way = "" } = {}) {
  const link = make("a", look, text)
  link.href = number ? `?learn=${number}` : "?"
  link.addEventListener("click", (event) => {
    if (event.ctrlKey || event.metaKey || event.shiftKey) return
    event.preventDefault()
    course.go(number, { step, way })
  })
  return link
}
