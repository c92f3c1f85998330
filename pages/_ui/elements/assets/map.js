// The map element. Streamlit calls `render` at first and again with every rerun; the map of a place
// on the page is made once and then updated, so camera, selection and a drag survive.

import { make, oncePerFrame } from "./dom.js"
import { Answers } from "./map_answers.js"
import { Arrays } from "./map_arrays.js"
import { Buttons } from "./map_buttons.js"
import { Cards } from "./map_card.js"
import { Find } from "./map_find.js"
import { Follow } from "./map_follow.js"
import { Gestures } from "./map_gestures.js"
import { Lasso } from "./map_lasso.js"
import { listenToKeys } from "./map_keys.js"
import { Legend } from "./map_legend.js"
import { MarksKey } from "./map_marks_key.js"
import { Notes } from "./map_notes.js"
import { Overlay } from "./map_overlay.js"
import { Points } from "./map_points.js"
import { stateOf, takeOver } from "./map_state.js"
import { Still } from "./map_still.js"
import { Saves } from "./map_save.js"
import { Steps } from "./map_steps.js"
import { Store } from "./map_store.js"
import { Tree } from "./map_tree.js"
import { modeOf } from "./theme.js"
import { same, unpack } from "./wire.js"

const NARROW = 560 // px of width
const [TALL, LEAST] = [0.6, 360] // of the window, and px: the sentence over the map is in sight with it
const ABOVE = [Follow]
const UPON = [Find, Overlay, Lasso, Buttons, Steps, Cards]
const BELOW = [Saves, Notes, MarksKey, Answers, Legend, Tree]
const maps = new WeakMap()

export default function render({ data, parentElement, setStateValue }) {
  const root = parentElement.querySelector(".mx")
  if (!maps.has(root)) maps.set(root, new MapElement(root))
  maps.get(root).update(data, setStateValue)
  return () => setTimeout(() => { if (!root.isConnected) maps.get(root)?.close() })
}

class MapElement {
  constructor(root) {
    this.root = root
    this.store = new Store(root)
    this.arrays = new Arrays(this.store)
    this.stage = make("div", "mx-stage mx-map-empty")
    this.points = Points.possible() ? new Points(this.store) : new Still(this.store)
    Object.assign(this.store, { points: this.points, stage: this.stage })
    this.stage.append(this.points.element, ...this.parts(UPON))
    root.append(...this.parts(ABOVE), this.stage, ...this.parts(BELOW))
    new Gestures(this.store, this.stage)
    listenToKeys(this.store, this.stage)
    const again = oncePerFrame(() => this.measure())
    this.resized = new ResizeObserver(again)
    this.resized.observe(root)
    root.addEventListener("transitionend", (event) => { if (event.target === root) this.paint() }) // the theme changed
    this.store.on(["arrays"], () => this.stage.classList.toggle("mx-map-empty", !this.store.arrays.places))
    root.mapState = () => stateOf(this.store)
  }

  parts(kinds) {
    return kinds.map((Part) => new Part(this.store).element).filter(Boolean)
  }

  update(bytes, setStateValue) {
    this.store.commit = (choice) => setStateValue("choice", choice)
    if (!same(this.bytes, bytes)) this.read(bytes)
    this.paint()
    this.arrays.again()
  }

  read(bytes) {
    const { store } = this
    const before = store.message
    this.bytes = bytes
    store.message = unpack(bytes)
    if (store.message.topic !== before?.topic) store.forget()
    takeOver(store, before)
    this.stage.setAttribute("aria-label", store.message.alt)
    store.touch("message")
    this.measure()
  }

  // The colours of the visitor's theme.
  paint() {
    const { root, store } = this
    const mode = modeOf(root)
    if (mode === store.mode && store.colours === store.message.tokens[mode]) return
    root.dataset.mode = mode
    store.set({ mode, colours: store.message.tokens[mode] })
    store.touch("theme")
  }

  measure() {
    const { root, stage, store } = this
    if (!root.clientWidth || !store.message) return // not on screen
    const narrow = root.clientWidth < NARROW
    root.classList.toggle("mx-narrow", narrow)
    const most = narrow ? root.clientWidth * 1.15 : Math.max(window.innerHeight * TALL, LEAST)
    const height = Math.min(store.message.height, Math.round(most))
    stage.style.height = `${height}px`
    if (stage.clientWidth === store.width && height === store.height) return
    store.set({ width: stage.clientWidth, height })
    store.touch("size")
    store.rest()
  }

  close() {
    this.resized.disconnect()
    this.points.close()
    maps.delete(this.root)
  }
}
