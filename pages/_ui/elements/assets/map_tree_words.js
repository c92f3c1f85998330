// What is told of a group: its name and size, its measures, and what a followed search makes of it.

import { count } from "./dom.js"
import { foundAt } from "./map_searched.js"
import { oneLine } from "./map_text.js"

const short = new Intl.NumberFormat("en-US", { maximumSignificantDigits: 3 })

// How many items of each group of the level shown are candidates; null if not known.
export function candidatesOf(store) {
  const { arrays, level, message, position } = store
  const [of, opened] = [arrays.of[level], arrays.opened]
  if (!message.followed || !of || !opened) return null
  const counts = new Int32Array(message.levels[level].sizes.length)
  for (let item = 0; item < opened.length; item++) if (opened[item] <= position) counts[of[item]]++
  for (const item of store.lost) counts[of[item]]--
  return counts
}

// group -> how many true answers in it are missed.
export function missesOf(store) {
  const { followed } = store.message
  const misses = new Map()
  const found = followed ? foundAt(followed, store.position) : []
  followed?.true.forEach((item, rank) => {
    const group = store.groupOf(item)
    if (group >= 0 && !found[rank]) misses.set(group, (misses.get(group) ?? 0) + 1)
  })
  return misses
}

// "castle: cluster 17, 204 items, largest norm 6.1, 204 candidates, 2 true answers missed"
export function groupWords(store, group, { candidates, misses }) {
  const { nouns: [one], sizes, names, measures } = store.message.levels[store.level]
  const size = sizes[group]
  const parts = [`${one} ${group}`, counted(size, "item", "items")]
  for (const [label, values] of Object.entries(measures)) {
    parts.push(`${label.toLowerCase()} ${Number.isNaN(values[group]) ? "not known" : short.format(values[group])}`)
  }
  if (candidates) parts.push(opening(candidates[group], size))
  if (misses.has(group)) parts.push(`${counted(misses.get(group), "true answer", "true answers")} missed`)
  return `${oneLine(names[group])}: ${parts.join(", ")}`
}

const counted = (number, one, many) => `${count(number)} ${number === 1 ? one : many}`

function opening(candidates, size) {
  if (candidates === size) return size === 1 ? "a candidate" : "all candidates"
  return candidates ? counted(candidates, "candidate", "candidates") : "not opened"
}
