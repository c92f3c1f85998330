// Lesson 13. The ten largest of a flat softmax and of a tree, side by side, and the tree's turns.

import { bill } from "./learn_bill.js"
import { bar, dot, hit, line, miss, text } from "./learn_marks.js"

const FLAT = "text"
const TREE = "hierarchical-kmeans"

const share = (p) => (p < 0.005 ? "<1%" : `${Math.round(100 * p)}%`)
const flatTen = ({ q }, { truth }) => [...truth[q]]
const treeTen = ({ q, w }, { found, widths, words }) => [...found[q][widths.indexOf(w)]].filter((word) => word < words.length)
const sameIn = (state, data) => flatTen(state, data).filter((word) => treeTen(state, data).includes(word))
const costOf = ({ q, w }, { cost, widths }) => cost[q][widths.indexOf(w)]

export function sentence(state, data) {
  const { words, queries, flat, tree } = data
  const [best] = flatTen(state, data)
  const first = `For **${queries[state.q]}** the flat softmax gives **${words[best]}** ${share(flat[state.q][best])}`
  if (!state.both) return `${first}, its ten largest ${share(flatTen(state, data).reduce((sum, i) => sum + flat[state.q][i], 0))} together, for 200 inner products.`
  return `${first}, the tree ${share(tree[state.q][best])}. Following **${state.w === 200 ? "all" : state.w}** ${state.w === 1 ? "branch" : "branches"} finds **${sameIn(state, data).length} of the flat ten** for **${costOf(state, data)}** inner products.`
}

export function draw({ w, h, narrow }, state, data) {
  const wide = narrow ? w * 0.46 : w * 0.42
  const row = (h - 40) / 10
  const y = (i) => 40 + (i + 0.5) * row
  const [flat, tree] = [flatTen(state, data), state.both ? treeTen(state, data) : []]
  const column = { name: narrow ? 78 : 104, wide: wide - 18, row, narrow, words: data.words }
  const left = flat.map((word, i) => wordRow(0, y(i), word, data.flat[state.q][word], FLAT, column))
  const right = tree.map((word, i) => wordRow(w - wide + 18, y(i), word, data.tree[state.q][word], TREE, column))
  const heads = text(0, 20, "Flat softmax", { weight: 600, size: 15 }) +
    (state.both ? text(w - wide + 18, 20, `Tree softmax${state.w === 200 ? "" : narrow ? "" : `, ${state.w} followed`}`, { weight: 600, size: 15 }) : "")
  if (!state.both) return heads + left.join("")
  const links = flat.map((word, i) => {
    const j = tree.indexOf(word)
    const from = wide - 8
    if (j < 0) return miss(from, y(i), 5)
    return line(from, y(i), w - wide + 8, y(j), { stroke: "hit", width: 1.5, alpha: 0.75 }) + hit(from, y(i), 5) + hit(w - wide + 8, y(j), 5)
  })
  const others = tree.map((word, j) => (flat.includes(word) ? "" : dot(w - wide + 8, y(j), 4.5, "background", { stroke: "candidate", width: 2 })))
  return heads + left.join("") + right.join("") + links.join("") + others.join("")
}

// A word, a bar as long as its share, and the share.
function wordRow(x, y, word, p, colour, { name, wide, row, narrow, words }) {
  const room = wide - name - (narrow ? 34 : 46)
  return text(x, y + 5, words[word], { size: narrow ? 13 : 15, weight: 600 }) +
    bar(x + name, y - row * 0.28, p * room, row * 0.56, colour, { alpha: 0.8 }) +
    text(x + name + p * room + 6, y + 5, share(p), { size: 13, fill: "muted" })
}

export function side(state, data) {
  if (!state.both) return [{ title: "Inner products", value: "200", note: "One score for each word; then each share is the exponential of a score, divided by the sum of all.", full: true }]
  const rows = [
    { name: "Tree", label: costOf(state, data), parts: [[costOf(state, data), TREE]] },
    { name: "Flat", label: 200, parts: [[200, FLAT, 0.7]] },
  ]
  const best = treeTen(state, data)[0]
  const turns = [...data.turns[state.q][data.widths.indexOf(state.w)]].filter((part) => part > 0)
  return [
    { title: "Found of the flat ten", value: `${sameIn(state, data).length} of 10`, svg: bill(rows, 220, 278), full: true },
    { title: `The turns to **${data.words[best]}**, and the share of each`, svg: turned(turns), note: `All multiplied: ${share(data.tree[state.q][best])}`, full: true },
  ]
}

// What is left of the whole after each turn; hatched light: what went the other way.
function turned(turns) {
  const [width, row] = [278, 15]
  let left = 1
  const rows = turns.map((part, i) => {
    const before = left
    left *= part
    return bar(0, i * row + 2, before * 220, row - 4, TREE, { alpha: 0.25 }) + bar(0, i * row + 2, left * 220, row - 4, TREE) +
      text(width, i * row + 12, `× ${part.toFixed(2)}`, { anchor: "end", size: 12 })
  })
  return { width, height: turns.length * row + 2, drawn: rows.join("") }
}
