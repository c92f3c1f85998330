// Lesson 7: the walk of one search down a tree. What it scored and kept was computed once.

import { counted } from "./dom.js"
import { bill } from "./learn_bill.js"
import { bar, clamp, dot, line, list, miss, path, text, widthOf } from "./learn_marks.js"
import { clusterBox, TreeRows } from "./learn_tree.js"

const WORDS = 3 // the row below those of clusters
const TICK = 3.2 // px from one word to the next
const MOST = 120 // inner products that fill the bill

export function prepare(data) {
  const queries = Object.fromEntries(data.queries.map((query) => [query.word, query]))
  return { ...data, queries, tree: new TreeRows(data.up) }
}

// What is drawn of a state: the query, its walk, and at which level each answer was lost.
function walkOf({ q, p, l }, { queries, tree }) {
  const { truth, walks } = queries[q]
  const walk = walks[p - 1]
  const lost = new Map(Array.from(truth, (item) => [item, tree.left(item, walk.kept)]))
  const gone = Array.from(truth).filter((item) => lost.get(item) >= 0)
  return { ...walk, truth: Array.from(truth), lost, gone, spent: walk.scored.slice(0, l).reduce((sum, ids) => sum + ids.length, 0) }
}

export function sentence(state, data) {
  const { l, p, q } = state
  const { scored, kept, truth, lost, gone, spent, flat, flat_found: flatFound } = walkOf(state, data)
  if (!l) return `The five words with the largest inner product with **${q}** are marked ○. Nothing is scored yet.`
  if (l <= WORDS) {
    const dropped = truth.filter((item) => lost.get(item) >= 0 && lost.get(item) < l).map((item) => data.words[item])
    const so = dropped.length ? `Already lost: **${list(dropped)}**.` : "Nothing is lost yet."
    return `Level ${l}: **${scored[l - 1].length} scored, ${kept[l - 1].length} kept**, ${spent} inner products so far. ${so}`
  }
  const by = [0, 1, 2].map((level) => [gone.filter((item) => lost.get(item) === level).length, level + 1]).filter(([n]) => n)
  const where = by.length ? `; lost: ${list(by.map(([n, level]) => `${n} at level ${level}`))}` : ""
  return `Keeping **${counted(p, "branch", "branches")}** finds **${5 - gone.length} of 5** for **${spent}** inner products${where}. Flat search finds ${flatFound.length} for ${flat[0] + flat[1]}.`
}

export function side(state, data) {
  const { l, p } = state
  const { scored, gone, spent, flat, flat_found: flatFound } = walkOf(state, data)
  const parts = scored.slice(0, l).map((ids, i) => [ids.length, "hierarchical-kmeans", i < WORDS ? 1 - i * 0.22 : 0.4])
  const rows = [
    { name: `Tree, ${l > WORDS ? 5 - gone.length : "?"} of 5`, label: spent, parts },
    { name: `Flat, ${flatFound.length} of 5`, label: `${flat[0]} + ${flat[1]} = ${flat[0] + flat[1]}`, parts: [[flat[0], "flat-kmeans"], [flat[1], "flat-kmeans", 0.45]] },
  ]
  const note = `The flat search opens ${p} of the same ${data.tree.leaves} clusters; with fewer it costs less. Comparing all: ${data.words.length}.`
  return [{ title: "Inner products", svg: bill(rows, MOST), note, full: true }]
}

function rowsOf({ w, h, narrow, still }, leaves) {
  const margin = narrow ? 0 : 62
  const gap = still ? 8 : h < 300 ? 12 : 28 // px between two rows
  const height = still ? 22 : narrow ? 30 : clamp((h - 190) / 3 - gap, 34, 64)
  const width = (w - 2 * margin) / leaves
  return { narrow, w, gap, height, width, x: (place) => margin + place * width, y: (level) => (narrow ? 20 : 8) + level * (height + gap) }
}

function names({ narrow, w, height, y }, { scored }, l) {
  return scored.map((ids, level) => {
    const [name, seen] = [level < WORDS ? `Level ${level + 1}` : "Words", l > level]
    if (narrow) return text(0, y(level) - 5, seen ? `${name}: ${ids.length} scored` : name, { size: 12, fill: "muted", halo: true })
    const middle = level < WORDS ? y(level) + height / 2 + 5 : y(level) + 14
    return text(0, middle, name, { fill: "muted" }) + (seen ? text(w, middle, `+ ${ids.length}`, { anchor: "end", size: 17, weight: 650 }) : "")
  }).join("")
}

function clusters({ x, y, gap, height, width }, { scored, kept }, l, { tree: { rows } }) {
  const apart = width < 8 ? 1 : 2
  return rows.map((row, level) => row.map(([from, to], cluster) => {
    const [seen, top] = [l > level, y(level)]
    const look = seen && kept[level].includes(cluster) ? "kept" : seen && scored[level].includes(cluster) ? "dropped" : "unseen"
    const [left, wide] = [x(from) + 1, x(to) - x(from) - apart]
    const light = look === "kept" ? bar(left, top + height, wide, gap, "flat-kmeans", { alpha: 0.14 }) : ""
    return light + clusterBox(left, top, wide, height, look)
  }).join("")).join("")
}

// Every word as a tick below its leaf, two side by side.
function ticks({ x, y, width }, { scored }, l, { words, tree }) {
  const inLeaf = Array(tree.leaves).fill(0)
  const d = { opened: "", other: "" }
  words.forEach((_, item) => {
    const place = tree.place(item)
    const at = inLeaf[place]++
    const [left, top] = [x(place) + (at % 2) * (width / 2) + 2, y(WORDS) + (at >> 1) * TICK]
    d[l > WORDS && scored[WORDS].includes(item) ? "opened" : "other"] += `M${left.toFixed(1)} ${top.toFixed(1)}h${(width / 2 - 2).toFixed(1)}v2.2h-${(width / 2 - 2).toFixed(1)}z`
  })
  const drawn = `<path d="${d.other}" fill="var(--axis)" opacity=".55"/><path d="${d.opened}" fill="var(--flat-kmeans)"/>`
  return { drawn, below: y(WORDS) + Math.ceil(Math.max(...inLeaf) / 2) * TICK + 18 }
}

// The answers hang under their leaf, those of one leaf as a list; a lost one up to where its way ended.
function answers(rows, walk, l, { words, tree }, below) {
  const { x, y, w, height } = rows
  const groups = new Map()
  for (const item of walk.truth) groups.set(tree.place(item), [...(groups.get(tree.place(item)) ?? []), item])
  const places = [...groups.keys()].sort((a, b) => a - b)
  const taken = []
  return places.map((place, i) => {
    const items = groups.get(place)
    const [at, last, next] = [place, places[i - 1], places[i + 1]].map((one) => (one === undefined ? undefined : x(one + 0.5)))
    const wide = Math.max(...items.map((item) => widthOf(words[item], 15))) + 18
    const flipped = at + wide > w || (next < at + wide && at - wide > 0 && !(last >= at - wide))
    const [from, to] = flipped ? [at - wide, at + 8] : [at - 8, at + wide]
    let row = 0
    while (taken.some((other) => from < other.to + 8 && to > other.from - 8 && row < other.end && row + items.length > other.row)) row++
    taken.push({ from, to, row, end: row + items.length })
    const level = walk.lost.get(items[0])
    const [gone, sure] = [level >= 0 && l > level, level < 0 && l > WORDS]
    const look = { stroke: gone ? "miss" : sure ? "hit" : "muted", width: 2.25, dash: gone ? "5 3" : "" }
    const top = below + row * 22
    const way = gone ? line(at, y(WORDS), at, y(level) + height / 2, { stroke: "background", width: 5 }) + line(at, y(WORDS), at, y(level) + height / 2, look) + miss(at, y(level) + height / 2, 8) : ""
    return way + path([[at, y(WORDS)], [at, top - 8]], look) + items.map((item, j) => {
      const down = top + j * 22
      const mark = gone ? miss(at, down, 5) : dot(at, down, 5.5, sure ? "hit" : "background", { stroke: look.stroke, width: 2 })
      return mark + text(flipped ? at - 12 : at + 12, down + 5, words[item], { anchor: flipped ? "end" : "start", size: 15, weight: 650, halo: true })
    }).join("")
  }).join("")
}

export function draw(sheet, state, data) {
  const [rows, walk] = [rowsOf(sheet, data.tree.leaves), walkOf(state, data)]
  const { drawn, below } = ticks(rows, walk, state.l, data)
  return clusters(rows, walk, state.l, data) + drawn + answers(rows, walk, state.l, data, below) + names(rows, walk, state.l)
}
