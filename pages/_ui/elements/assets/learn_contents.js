// The contents: four chapters, each lesson with its picture and its minutes; ways through them; and
// the glossary.

import { bold, fill, make, set } from "./dom.js"
import { linkTo } from "./learn_lesson.js"
import { about } from "./learn_terms.js"

export class Contents {
  constructor(course) {
    this.course = course
    const { lessons, words } = course.message
    const chapters = [...new Set(lessons.map(({ chapter }) => chapter))]
    this.element = make("article", "mx-contents",
      make("h1", "", words.title),
      make("p", "mx-idea", fill(words.about, { count: lessons.length })),
      this.ways(),
      ...chapters.flatMap((chapter) => [make("h2", "", chapter), this.cards(lessons.filter((one) => one.chapter === chapter))]),
      make("h2", "", words.glossary), this.glossary())
  }

  ways() {
    const { course } = this
    const { lessons, ways, words } = course.message
    return make("div", "mx-ways", ...Object.entries(ways).map(([minutes, numbers], at) => {
      const way = make("span", "")
      bold(way, fill(words.way, { minutes }))
      const there = numbers.filter((number) => lessons.some((lesson) => lesson.number === number))
      there.forEach((number, i) => way.append(i ? ", " : "", linkTo(course, number, "", String(number))))
      if (!at) way.append(make("small", "", words.shortest))
      const start = linkTo(course, there[0], "mx-button", words.start, { step: 1, way: minutes })
      set(start, { role: "button", "aria-label": `${words.start}: ${minutes} minutes` })
      return make("span", "mx-way", way, start)
    }))
  }

  cards(lessons) {
    const { course } = this
    return make("div", "mx-cards", ...lessons.map(({ name, number, title, minutes }) => {
      const short = Object.values(course.message.ways)[0].includes(number)
      const card = linkTo(course, number, short ? "mx-card mx-short" : "mx-card", "")
      const still = make("span", "mx-still")
      card.append(still, make("b", "", `${number}. ${title}`), make("small", "", fill(course.words.minutes, { minutes })))
      fetchStill(name, still)
      return card
    }))
  }

  glossary() {
    const entries = Object.entries(this.course.message.glossary).sort(([, a], [, b]) => a.term.localeCompare(b.term, "en"))
    return make("dl", "mx-glossary", ...entries.map(([key, entry]) => {
      const box = make("div", "", make("dt", "", entry.term, make("em", "", entry.symbol)), make("dd", "", entry.text, about(this.course, entry)))
      box.id = `term-${key}`
      return box
    }))
  }

  paint() {}

  close() {}
}

// A still is a drawing of the lesson itself, kept as a file; within the page it takes its colours.
async function fetchStill(name, place) {
  const answer = await fetch(new URL(`./lesson_${name}.svg`, import.meta.url))
  if (answer.ok) place.innerHTML = await answer.text()
  place.firstElementChild?.setAttribute("aria-hidden", "true")
}
