// Terms: words that open the glossary's entry in place.

import { bold, fill, make, set } from "./dom.js"
import { linkTo } from "./learn_lesson.js"

const TERM = /\{([^|{}]+)\|([^|{}]+)\}/

// `text` put into `node`: {words|term} becomes a button that opens the term, **bold** is bold.
export function rich(node, text, terms) {
  const parts = text.split(TERM)
  node.replaceChildren()
  for (let i = 0; i < parts.length; i += 3) {
    const plain = make("span", "")
    bold(plain, parts[i])
    node.append(...plain.childNodes)
    if (i + 1 < parts.length) node.append(terms.button(parts[i + 1], parts[i + 2]))
  }
  return node
}

export class Terms {
  constructor(course) {
    this.course = course
    this.outside = (event) => { if (!this.dialog?.contains(event.target) && event.target !== this.from) this.close() }
  }

  button(words, term) {
    const button = make("button", "mx-term", words)
    set(button, { type: "button", "aria-haspopup": "dialog" })
    button.addEventListener("click", (event) => {
      event.preventDefault() // within what folds, it would fold
      event.stopPropagation()
      this.open(term, button)
    })
    return button
  }

  open(term, from) {
    this.close()
    const entry = this.course.message.glossary[term]
    const { root, words } = this.course
    const close = make("button", "mx-button mx-quiet", "✕")
    close.setAttribute("aria-label", words.close)
    close.addEventListener("click", () => this.close())
    const dialog = make("div", "mx-dialog", make("h3", "", entry.term, make("em", "", entry.symbol), close), make("p", "", entry.text), about(this.course, entry))
    set(dialog, { role: "dialog", "aria-label": entry.term, tabindex: -1 })
    root.append(dialog)
    const [ground, box] = [root, from].map((node) => node.getBoundingClientRect())
    const left = Math.max(0, Math.min(box.left - ground.left, ground.width - dialog.offsetWidth))
    Object.assign(dialog.style, { left: `${left}px`, top: `${box.bottom - ground.top + 6}px` })
    Object.assign(this, { dialog, from })
    dialog.focus({ preventScroll: true })
    dialog.scrollIntoView({ block: "nearest" })
    document.addEventListener("click", this.outside)
  }

  // Whether there was something to close.
  close() {
    const { dialog, from } = this
    if (!dialog) return false
    document.removeEventListener("click", this.outside)
    const inside = dialog.contains(document.activeElement)
    dialog.remove()
    this.dialog = null
    if (inside) from.focus()
    return true
  }
}

// Where an entry is shown and used.
export function about(course, { lesson, pages }) {
  const { lessons, words } = course.message
  const shown = lessons.some(({ number }) => number === lesson)
  const link = () => [words.shownIn, linkTo(course, lesson, "", fill(words.lesson, { number: lesson })), " · "]
  return make("nav", "", ...(shown ? link() : []), fill(words.usedOn, { pages: pages.join(", ") }))
}
