// Lesson 9: the plane cut in halves at medians. Cells follow from the cuts; who lies in them was computed.

import { counted } from "./dom.js"
import { answers, bestTile, directionOf, lostArcs, outcome, searchTile } from "./learn_answers.js"
import { badge, bar, dot, line, list } from "./learn_marks.js"
import { Plane } from "./learn_plane.js"

const LEVELS = 5
const LOW = 300 // px: a lower picture has no numbers
const EDGE = 1.12 // of the square that is cut
const TURNS = [["left of", "right of"], ["below", "above"]] // of a cut, by axis

export function prepare(data) {
  const parts = [[{ from: [-EDGE, -EDGE], to: [EDGE, EDGE] }]] // by level and address
  for (let level = 0; level < LEVELS; level++) {
    const axis = data.axes[level]
    parts.push(parts[level].flatMap((part, address) => {
      const median = data.medians[2 ** level - 1 + address]
      const [to, from] = [[...part.to], [...part.from]]
      to[axis] = from[axis] = median
      return [{ from: part.from, to }, { from, to: part.to }]
    }))
  }
  return { ...data, parts }
}

// The address of a query's leaf with h levels, and how many turns that of a word differs from it.
const leafOf = ({ q, h }, { queries }) => queries[directionOf(q)] >> (LEVELS - h)
function turnsTo(address, { h }) {
  return (other) => [...((other ^ address) >>> 0).toString(2)].filter((bit) => bit === "1").length
}

function isOpened(state, data) {
  const [leaf, most] = [leafOf(state, data), state.boost ? 1 : 0]
  const turns = turnsTo(leaf, state)
  return (address) => turns(address) <= most
}

function missedBy(state, data) {
  const opened = isOpened(state, data)
  return (item) => !opened(data.items[item] >> (LEVELS - state.h))
}

// How many of the best words are missed in every direction.
const lostIn = (state, data) => data.truth.map((best, i) => Array.from(best).filter(missedBy({ ...state, q: i / 2 }, data)).length)

const costOf = ({ q, h, boost }, { cost }) => cost[boost * LEVELS + h - 1][directionOf(q)]

export function sentence(state, data) {
  const truth = Array.from(data.truth[directionOf(state.q)])
  const gone = truth.filter(missedBy(state, data)).map((item) => data.words[item])
  const leaves = state.boost ? state.h + 1 : 1
  return `Opening **${leaves} of ${2 ** state.h}** leaves ${outcome(gone, truth.length, costOf(state, data), data.words.length)}`
}

export function side(state, data) {
  const { q, h } = state
  const compared = costOf(state, data) - h
  const bits = leafOf(state, data).toString(2).padStart(h, "0")
  const way = [...bits].map((bit, level) => `${TURNS[data.axes[level]][bit]} ${level + 1}`)
  const note = `${counted(h, "level", "levels")}, then ${counted(compared, "word", "words")}`
  return [
    bestTile(Array.from(data.truth[directionOf(q)], missedBy(state, data))),
    searchTile(h, compared, data.words.length, "pca-tree", note),
    { title: "Way to the leaf", value: bits, note: list(way), full: true },
  ]
}

const planeOf = (sheet) => new Plane(sheet, sheet.narrow ? [30, 34] : [60, 34])
export const handle = {
  at: (sheet, { q }) => planeOf(sheet).rim(q),
  moved: (sheet, place) => ({ q: planeOf(sheet).angle(place) }),
}

export function draw(sheet, state, data) {
  const plane = planeOf(sheet)
  return [
    leaves(plane, state, data), cuts(plane, sheet, state, data), words(plane, state, data),
    state.rim ? lostArcs(plane, lostIn(state, data), 3) : "", plane.query(state.q),
    answers(plane, sheet, data, state.q, missedBy(state, data)),
  ].join("")
}

function leaves(plane, state, { parts, ...data }) {
  const [opened, own] = [isOpened(state, data), leafOf(state, data)]
  return parts[state.h].map(({ from, to }, address) => {
    if (!opened(address)) return ""
    const [left, top] = [plane.x(from), plane.y(to)]
    return bar(left, top, plane.x(to) - left, plane.y(from) - top, "pca-tree", { alpha: address === own ? 0.32 : 0.13 })
  }).join("")
}

// The earlier a cut, the wider its line; those on the query's way are numbered.
function cuts(plane, { h: height }, state, data) {
  const leaf = leafOf(state, data)
  const edge = bar(plane.x([-EDGE, 0]), plane.y([0, EDGE]), 2 * EDGE * plane.r, 2 * EDGE * plane.r, "", { stroke: "grid" })
  const drawn = Array.from({ length: state.h }, (_, level) => data.parts[level].map((part, address) => {
    const [from, to] = cutOf(part, data, level, address).map((end) => plane.at(end))
    const drawn = line(...from, ...to, { stroke: "pca-tree", width: 3.4 - 0.6 * level })
    if (leaf >> (state.h - level) !== address || height < LOW) return drawn
    const inward = (level >> 1) * 20 // so that numbers of cuts side by side stand apart
    const length = Math.hypot(to[0] - from[0], to[1] - from[1])
    return drawn + badge(...[0, 1].map((axis) => to[axis] + ((from[axis] - to[axis]) * inward) / length), level + 1, "pca-tree", { r: 9, size: 12 })
  }).join(""))
  return edge + drawn.reverse().join("")
}

// From one end to the other, the one farther from the middle.
function cutOf({ from, to }, { axes, medians }, level, address) {
  const median = medians[2 ** level - 1 + address]
  const ends = axes[level] ? [[from[0], median], [to[0], median]] : [[median, from[1]], [median, to[1]]]
  return ends.sort((a, b) => Math.hypot(...a) - Math.hypot(...b))
}

function words(plane, state, data) {
  const missed = missedBy(state, data)
  return data.points.map((point, item) => dot(...plane.at(point), missed(item) ? 3 : 4.5, missed(item) ? "axis" : "pca-tree")).join("")
}

// For the worksheet: nothing is opened yet.
export function blank(sheet, state, data) {
  const plane = planeOf(sheet)
  const best = Array.from(data.truth[directionOf(state.q)], (item) => ({ point: data.points[item], words: data.words[item] }))
  return [cuts(plane, sheet, state, data), ...data.points.map((point) => dot(...plane.at(point), 3.5, "candidate")), plane.query(state.q, 1, 0), plane.beside(best)].join("")
}
