// Named values whose changes are told to those who listen, once a frame and all together.

import { oncePerFrame } from "./dom.js"

export class Listened {
  constructor() {
    this.listeners = []
    this.changed = new Set()
    this.soon = oncePerFrame(() => this.tell())
  }

  // names: one or a list; listener: is given the set of all that changed.
  on(names, listener) {
    this.listeners.push({ names: [].concat(names), listener })
  }

  set(values) {
    const changed = Object.keys(values).filter((name) => this[name] !== values[name])
    Object.assign(this, values)
    if (changed.length) this.touch(...changed)
  }

  // Says that these changed in place.
  touch(...names) {
    for (const name of names) this.changed.add(name)
    this.soon()
  }

  tell() {
    const { changed } = this
    this.changed = new Set()
    for (const { names, listener } of this.listeners) if (names.some((name) => changed.has(name))) listener(changed)
  }
}
