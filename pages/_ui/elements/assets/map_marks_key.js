// What the marks of a followed search are: one line below the picture.

import { make, set } from "./dom.js"

const MARKS = [ // sign, its colour, what it is
  ["★", "query", "the query"],
  ["●", "hit", "true answer, found"],
  ["✕", "miss", "true answer, missed"],
  ["●", "candidate", "candidate: its score is computed"],
]

export class MarksKey {
  constructor(store) {
    this.store = store
    this.element = make("div", "mx-map-key")
    store.on(["message", "theme"], () => this.draw())
  }

  draw() {
    const { message, colours } = this.store
    this.element.hidden = !message?.followed
    if (this.element.hidden) return
    const marks = MARKS.map(([sign, token, words]) => entry(sign, words, colours[token]))
    const many = message.followed.order.length ? message.levels.at(-1).nouns[1] : ""
    const order = many ? [entry("①", `order in which ${many} are opened`, colours.candidate)] : []
    this.element.replaceChildren(...marks, ...order)
  }
}

function entry(sign, words, colour) {
  const glyph = make("span", "", sign)
  set(glyph, { "aria-hidden": "true" })
  glyph.style.color = colour
  return make("span", "", glyph, ` ${words}`)
}
