// Buttons in the corner of the picture: nearer, farther, all of it, lasso, clear.

import { make, set, svg } from "./dom.js"

const FACTOR = 1.6
const SIGNS = {
  nearer: "M8 3v10M3 8h10",
  farther: "M3 8h10",
  all: "M2.5 6V2.5H6M10 2.5h3.5V6M13.5 10v3.5H10M6 13.5H2.5V10",
  lasso: "M5 10.2C3.2 9.4 2 8.2 2 6.8 2 4.4 4.7 2.5 8 2.5s6 1.9 6 4.3-2.7 4.3-6 4.3c-.5 0-1 0-1.5-.1"
    + "M6.5 11A1.5 1.5 0 1 1 5 9.5c.8 0 1.5.7 1.5 1.5 0 1.3-.8 2.2-2 2.7",
  clear: "M4 4l8 8M12 4l-8 8",
}

export class Buttons {
  constructor(store) {
    const lasso = button("lasso", "Draw a lasso around items", () => store.set({ lassoing: !store.lassoing }))
    const clear = button("clear", "Clear the selection", () => store.clear())
    this.element = make("div", "mx-map-buttons mx-map-free",
      button("nearer", "Zoom in", () => store.zoomBy(FACTOR)),
      button("farther", "Zoom out", () => store.zoomBy(1 / FACTOR)),
      button("all", "Reset the view", () => store.zoomTo(null)),
      lasso, clear)
    const show = () => {
      set(lasso, { "aria-pressed": store.lassoing })
      clear.hidden = !store.selected && store.focus < 0
    }
    store.on(["lassoing", "selected", "focus"], show)
    show()
  }
}

function button(sign, name, act) {
  const picture = svg("svg", { viewBox: "0 0 16 16", "aria-hidden": "true" }, svg("path", { d: SIGNS[sign] }))
  const node = make("button", "mx-map-button", picture)
  set(node, { type: "button", title: name, "aria-label": name })
  node.addEventListener("click", act)
  return node
}
