// What the visitor does on the map is told to Python, as one value that says all that stands.

import { textOf } from "./map_items.js"
import { Listened } from "./map_listened.js"

export class Telling extends Listened {
  // Items chosen here: shown and told to Python. None for null.
  select(selected, how) {
    this.set({ selected }, how)
    this.choose({ selected, how })
  }

  // Nothing is selected, shown by itself or held any more.
  clear() {
    const before = this.selected || this.focus >= 0
    this.set({ selected: null, focus: -1, pinned: -1, hovered: -1, hoveredGroup: -1 })
    if (before) this.choose({ selected: null, how: "", focus: -1 })
  }

  // Tells Python. What stands (effort, selected, how, focus) stays told, what happens once (follow) not.
  choose({ follow, ...patch }) {
    if (patch.selected) patch.selected = textOf(patch.selected, this.message.n)
    this.standing = { ...this.standing, ...patch }
    this.serial = Math.max(Date.now(), (this.serial ?? 0) + 1)
    this.commit({ ...this.standing, ...this.subject(), ...(follow === undefined ? {} : { follow }), serial: this.serial })
  }

  // What a choice is about, so that Python does not take it for another.
  subject() {
    const { topic, followed, levels } = this.message
    return { topic, search: followed?.opened.address ?? null, level: levels[this.level]?.of.address ?? null }
  }
}
