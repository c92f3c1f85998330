// The address of the view, to the clipboard: a button of its own, and one in the mode bar of charts.

import { make } from "./dom.js"

const LABEL = "Copy link"
const COPIED = "Link copied"
const SEEN = 2000 // ms that a button says so

// A chain, of a mode bar's size; the same object always, or Plotly would draw the chart anew.
export const MODE_BAR = [{
  name: "copyLink",
  title: LABEL,
  icon: { width: 24, height: 24, path: "M10 7H7a5 5 0 0 0 0 10h3v-2H7a3 3 0 0 1 0-6h3zM14 7h3a5 5 0 0 1 0 10h-3v-2h3a3 3 0 0 0 0-6h-3zM8 11h8v2H8z" },
  click: async (_, { currentTarget }) => {
    await copy()
    say(currentTarget, (text) => { currentTarget.dataset.title = text })
  },
}]

const buttons = new WeakMap()
export default function render({ parentElement }) {
  const root = parentElement.querySelector(".mx")
  if (!buttons.has(root)) buttons.set(root, root.appendChild(button()))
}

function button() {
  const made = make("button", "mx-copy", LABEL)
  made.type = "button"
  made.setAttribute("aria-live", "polite")
  made.addEventListener("click", async () => {
    await copy()
    say(made, (text) => { made.textContent = text })
  })
  return made
}

// The address of the page without what proves that this visitor uploaded the data: key=KEY.PROOF.
const link = () => location.href.replace(/([?&]key=[0-9a-f]+)\.[0-9a-f]+/, "$1")

// Without https, browsers have no clipboard to offer to pages of other machines.
async function copy() {
  if (navigator.clipboard) return navigator.clipboard.writeText(link())
  const field = document.body.appendChild(Object.assign(document.createElement("textarea"), { value: link() }))
  field.select()
  document.execCommand("copy")
  field.remove()
}

const timers = new WeakMap()
function say(node, write) {
  clearTimeout(timers.get(node))
  write(COPIED)
  timers.set(node, setTimeout(() => write(LABEL), SEEN))
}
