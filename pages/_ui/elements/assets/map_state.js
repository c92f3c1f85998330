// What a message from Python changes of what is shown, and what tests read of it.

import { emphasis, standsOut } from "./map_shades.js"

// Python's choices become the map's. No slider moves under a finger, and nothing goes back while
// the visitor's last choice is on its way to Python.
export function takeOver(store, before) {
  const { followed, level, chosen, focus, seen, topic } = store.message
  const other = topic !== before?.topic
  const heard = store.serial === undefined || seen === store.serial
  const search = followed?.opened.address
  const another = search !== before?.followed?.opened.address
  if (followed && (another || (heard && !store.dragging))) store.set({ position: followed.chosen })
  if (followed || !store.message.query) store.searchIs(followed ? [followed.name, ...followed.true].join() : "")
  if (level !== store.level) store.set({ level, hoveredGroup: -1, focus: -1 })
  if (chosen && (other || !sameItems(chosen, before.chosen))) {
    store.set({ selected: chosen.length ? chosen : null }, "python")
    store.standing = { ...store.standing, selected: null, how: "" } // the visitor's own gave way
  }
  if (focus === (before?.focus ?? -1) || focus === store.focus) return
  if (focus >= 0) store.focusOn(focus)
  else store.set({ focus })
}

function sameItems(one, other) {
  return one.length === other?.length && one.every((item, i) => item === other[i])
}

// For tests: what the map shows now.
export function stateOf(store) {
  const { message, position, selected, hovered, pinned, camera, arrays, points } = store
  const { order = [], orderAt = [] } = message.followed ?? {}
  return {
    n: message.n, drawn: points.drawn, frames: points.frames, webgl: points.webgl, ready: Boolean(arrays.places),
    note: message.layout.note, trouble: [store.plainly, store.trouble].join(" ").trim(),
    position, hovered, pinned, selected: selected && Array.from(selected), standing: countStanding(store),
    opened: Array.from(order).filter((_, i) => orderAt[i] <= position),
    camera: { x: camera.x, y: camera.y, zoom: camera.zoom }, origin: store.screen(0, 0), scale: camera.scale(store),
  }
}

// How many items stand out while the others fade.
function countStanding(store) {
  const { shades } = store.points
  const shown = emphasis(store)
  let standing = 0
  for (let item = 0; item < shades.n; item++) if (standsOut(store, shades, item, shown)) standing += 1
  return standing
}
