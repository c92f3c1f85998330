// What the parts of the map share: the message, the arrays fetched for it, and what is shown of it.

import { Camera } from "./map_camera.js"
import { boundsOf, fitSearch, fitTo, homeOf, outside } from "./map_fit.js"
import { Telling } from "./map_telling.js"

const NOTHING = { places: null, norms: null, labels: null, values: null, opened: null }
const GLIDE = 250 // ms

export class Store extends Telling {
  constructor(root) {
    super()
    this.root = root
    this.message = null // as elements/map.py writes it
    this.mode = "" // "light" or "dark"
    this.colours = {} // token -> CSS colour
    this.arrays = { ...NOTHING, of: [] } // each null until fetched
    this.level = 0 // of message.levels
    this.position = 0 // in message.followed.efforts
    this.dragging = false // whether the position is being chosen just now
    this.hovered = -1 // item
    this.pinned = -1 // item whose card stays
    this.hoveredGroup = -1 // of the level shown
    this.focus = -1 // likewise
    this.selected = null // Int32Array, ascending
    this.how = "" // it was selected: "lasso", "click", "group", "python"
    this.lassoing = false // whether a drag draws a lasso
    this.trouble = "" // what cannot be shown, in words
    this.plainly = "" // likewise, how a plain picture is drawn
    this.outside = 0 // items out of sight while the camera rests
    this.onSearch = false // whether it rests on the search followed, not on all items
    this.width = this.height = 0 // px of the picture
    this.camera = new Camera()
  }

  // `how` says by what means, where something is selected.
  set(values, how = "") {
    super.set("selected" in values ? { ...values, how: values.selected ? how : "" } : values)
  }

  // A topic is new: nothing that was shown of the last one holds.
  forget() {
    this.arrays = { ...NOTHING, of: [] }
    this.camera.reset()
    this.standing = {}
    this.set({ hovered: -1, pinned: -1, hoveredGroup: -1, focus: -1, selected: null, trouble: "" })
    this.touch("arrays", "camera")
  }

  // px in the picture of a place in data units, and back.
  screen(x, y) { return this.camera.screen(x, y, this) }

  place(px, py) { return this.camera.place(px, py, this) }

  // The places are new; the camera keeps its place among them.
  moved() {
    this.camera.bounds = boundsOf(this.arrays.places)
    this.rest()
  }

  // A camera that was not moved yet shows what is to be seen first, after places or size have changed.
  rest() {
    const { arrays: { places }, camera } = this
    if (camera.resting && places && this.width) {
      camera.moveTo(this.home)
      this.set({ outside: camera.zoom > 1 && !this.onSearch ? outside(camera, places, this) : 0 })
    }
    this.touch("camera")
  }

  get home() {
    const { arrays: { places }, camera, message: { followed } } = this
    return this.onSearch && followed ? fitSearch(camera, places, followed, this) : homeOf(camera, places, this)
  }

  // Shows these items as large as they fit; for null the search followed, or all where it is seen already.
  zoomTo(items) {
    const { arrays: { places }, camera, message } = this
    const all = !items?.length
    if (all) this.onSearch = Boolean(message.followed) && !(camera.resting && this.onSearch)
    if (places && this.width) this.fly(all ? this.home : fitTo(camera, places, items, this))
    camera.resting = all
  }

  // Another search is followed, or none: the camera shows what it is about, wherever it was.
  searchIs(name) {
    if (name === this.searched) return
    this.searched = name
    if (!name && !(this.onSearch && this.camera.resting)) return
    this.onSearch = false
    this.zoomTo(null)
  }

  // Moves the camera to {x, y, zoom}, smoothly unless the visitor prefers no motion.
  fly(to) {
    const still = matchMedia("(prefers-reduced-motion: reduce)").matches
    this.camera.fly(to, still ? 0 : GLIDE, () => this.touch("camera"))
  }

  // About the middle of the picture.
  zoomBy(factor) {
    this.camera.zoomAt(factor, this.width / 2, this.height / 2, this)
    this.touch("camera")
  }

  // Shows one group of the level shown, as soon as its items are known; -1 shows all again.
  focusOn(focus) {
    this.set({ focus })
    this.wanted = { focus }
    this.settle()
  }

  settle() {
    const { wanted, arrays: { places, of }, level } = this
    if (!wanted || !places || !this.width || (wanted.focus >= 0 && !of[level])) return
    this.wanted = null
    this.zoomTo(wanted.focus < 0 ? null : this.itemsOf(wanted.focus))
  }

  itemsOf(group, level = this.level) {
    const items = []
    this.arrays.of[level]?.forEach((its, item) => { if (its === group) items.push(item) })
    return Int32Array.from(items)
  }

  label(item) { return this.arrays.labels?.[item] ?? `row ${item}` }

  groupOf(item, level = this.level) { return this.arrays.of[level]?.[item] ?? -1 }

  // Items that are no candidates at this position though they were before: a wider beam may lose some.
  get lost() {
    const { lostStarts, lostIds } = this.message.followed
    return lostIds.subarray(lostStarts[this.position], lostStarts[this.position + 1])
  }

  // Place of an item among the true answers of the search followed, -1 if it is none.
  rank(item) { return this.message?.followed?.true.indexOf(item) ?? -1 }
}
