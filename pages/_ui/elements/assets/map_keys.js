// The wheel and the keys on the picture, once it has the focus.

import { set } from "./dom.js"
import { isFree } from "./map_gestures.js"

const [STEP, FACTOR] = [0.12, 1.35] // of the picture's size, and times, for one press
const MOVES = { ArrowLeft: [1, 0], ArrowRight: [-1, 0], ArrowUp: [0, 1], ArrowDown: [0, -1] }
const ZOOMS = { "+": FACTOR, "=": FACTOR, "-": 1 / FACTOR, _: 1 / FACTOR }
const [WHEEL, PINCH, LINE] = [0.0016, 0.008, 18] // zoom a px of the wheel, of a pinch; px of a line

export function listenToKeys(store, stage) {
  set(stage, { tabindex: 0, role: "application", "aria-roledescription": "map", "aria-describedby": store.hint })
  stage.addEventListener("wheel", (event) => { if (!isFree(event)) turn(store, stage, event) }, { passive: false })
  stage.addEventListener("keydown", (event) => {
    const plain = !event.ctrlKey && !event.metaKey && !event.altKey
    if (event.target === stage && plain && (store.steps.key(event.key) || press(store, event.key))) event.preventDefault()
    if (event.key === "Escape") leave(store) // on a card's button, too
  })
}

// The page scrolls over the map as everywhere, until the map is in use. A touchpad's pinch comes as
// a wheel with ctrl.
function turn(store, stage, event) {
  if (!event.ctrlKey && !event.metaKey && document.activeElement !== stage) return
  event.preventDefault()
  const { left, top } = stage.getBoundingClientRect()
  const lines = event.deltaMode === WheelEvent.DOM_DELTA_LINE ? LINE : 1
  const factor = Math.exp(-event.deltaY * lines * (event.ctrlKey ? PINCH : WHEEL))
  const at = [event.clientX - left - stage.clientLeft, event.clientY - top - stage.clientTop]
  store.camera.zoomAt(Math.min(Math.max(factor, 0.5), 2), ...at, store)
  store.touch("camera")
}

function press(store, key) {
  if (key in ZOOMS) store.zoomBy(ZOOMS[key])
  else if (key === "0") store.zoomTo(null)
  else if (key in MOVES) {
    const [x, y] = MOVES[key]
    store.camera.pan(x * STEP * store.width, y * STEP * store.height, store)
    store.touch("camera")
  } else return false
  return true
}

// Takes back the lasso that is being drawn, or else the steps, or else all that is selected.
function leave(store) {
  if (store.lasso.corners) store.lasso.cancel()
  else if (!store.steps.close()) store.clear()
}
