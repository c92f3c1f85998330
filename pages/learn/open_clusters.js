// Lesson 5. A direction looks up which clusters open, in order, and which three words are true.

import { answers, bestTile, directionOf, lostArcs, outcome, searchTile } from "./learn_answers.js"
import { badge, shape, text } from "./learn_marks.js"
import { Plane, hull } from "./learn_plane.js"

const K = 3
const ALL = 72
const CLUSTERS = 8
const SHEET = 112 // degrees, on the worksheet

export function prepare(data) {
  const { points, labels, truth } = data
  const members = Array.from({ length: CLUSTERS }, (_, c) => [...labels.keys()].filter((i) => labels[i] === c))
  const reach = ([x, y]) => Math.hypot(x, y)
  return {
    ...data,
    members,
    hulls: members.map((of) => hull(of.map((i) => points[i]))),
    longest: members.map((of) => of.reduce((best, i) => (reach(points[i]) > reach(points[best]) ? i : best))),
    ever: [...new Set(truth.flatMap((three) => [...three]))],
  }
}

const at = ({ q }) => directionOf(q)
const openedBy = (data, i, p) => [...data.order[i].subarray(0, p)]
const missedBy = (data, i, p) => [...data.truth[i]].filter((word) => !openedBy(data, i, p).includes(data.labels[word]))

export function sentence(state, data) {
  const [lost, cost] = [missedBy(data, at(state), state.p), CLUSTERS + data.scored[at(state)][state.p - 1]]
  return `Opening **${state.p} of ${CLUSTERS}** clusters ${outcome(lost.map((i) => data.words[i]), K, cost, ALL)}`
}

export function side(state, data) {
  const lost = missedBy(data, at(state), state.p)
  const scored = data.scored[at(state)][state.p - 1]
  return [
    bestTile(Array.from(data.truth[at(state)], (word) => lost.includes(word))),
    searchTile(CLUSTERS, scored, ALL, "flat-kmeans", `${CLUSTERS} centroids, then ${scored} words`),
  ]
}

const planeOf = (sheet) => new Plane(sheet, sheet.narrow ? [40, 24] : [60, 24])

export const handle = {
  at: (sheet, { q }) => planeOf(sheet).rim(q),
  moved: (sheet, place) => ({ q: planeOf(sheet).angle(place) }),
}

export function draw(sheet, state, data) {
  const plane = planeOf(sheet)
  const { points, truth } = data
  const open = openedBy(data, at(state), state.p)
  const far = plane.along(state.q, points[truth[at(state)][K - 1]])
  return [
    plane.circle(), state.rim ? lostArcs(plane, data.order.map((_, i) => missedBy(data, i, state.p).length), 7) : "", regions(plane, data, open),
    sheet.narrow || sheet.still ? "" : names(plane, data, open, truth[at(state)]),
    words(plane, data, open), plane.square(state.q, far), plane.query(state.q), sheet.still ? "" : numbers(plane, data, open),
    answers(plane, sheet, data, state.q, (word) => !open.includes(data.labels[word])),
  ].join("")
}

function regions(plane, { hulls }, open) {
  return hulls.map((corners, c) => (open.includes(c)
    ? plane.region(corners, { fill: `c${c}`, stroke: `c${c}`, width: 20, alpha: 0.26 })
    : plane.region(corners, { stroke: "axis" }))).join("")
}

function words(plane, { points, labels }, open) {
  return points.map((point, i) => {
    const shown = open.includes(labels[i])
    return shape(labels[i], ...plane.at(point), shown ? 4.5 : 3.5, shown ? `c${labels[i]}` : "axis")
  }).join("")
}

// A closed cluster is known by its longest word, where that lies on nothing.
function names(plane, { points, words, longest }, open, true3) {
  return longest.filter((i, c) => !open.includes(c) && !true3.includes(i)).map((i) => {
    const [x, y] = points[i].map((v) => v * (1 + 0.05 / Math.hypot(...points[i])))
    const anchor = Math.abs(x) < 0.25 ? "middle" : x > 0 ? "start" : "end"
    const [left, right] = x > 0 ? [-6, 52] : [-52, 6]
    const taken = points.some((point, j) => j !== i && Math.abs(plane.y(point) - plane.y([x, y])) < 10
      && plane.x(point) > plane.x([x, y]) + left && plane.x(point) < plane.x([x, y]) + right)
    return taken ? "" : text(plane.x([x, y]), plane.y([x, y]) + 4, `${words[i]} …`, { anchor, size: 12, fill: "muted" })
  }).join("")
}

// In which order clusters open, at their inner sides.
function numbers(plane, { hulls }, open) {
  return open.map((c, rank) => {
    const inner = hulls[c].reduce((best, point) => (Math.hypot(...point) < Math.hypot(...best) ? point : best))
    const [x, y] = plane.at(inner.map((v) => v * (1 - 0.13 / Math.hypot(...inner))))
    return badge(x, y, rank + 1, `c${c}`)
  }).join("")
}

// The first page of the worksheet: words by name, clusters by letter, nothing found yet.
export function blank(sheet, state, data) {
  const plane = planeOf(sheet)
  const { points, labels, hulls, members, ever } = data
  const open = openedBy(data, 2 * SHEET, 1)
  const letters = members.map((of, c) => {
    const middle = [0, 1].map((axis) => of.reduce((sum, i) => sum + points[i][axis] / of.length, 0))
    const near = Math.max(0.12, Math.min(...hulls[c].map((point) => Math.hypot(...point))) - 0.09)
    const [x, y] = plane.at(middle.map((v) => (v / Math.hypot(...middle)) * near))
    return text(x, y + 5, "abcdefgh"[c], { anchor: "middle", size: 15, weight: 650, halo: true })
  })
  const named = plane.beside(ever.map((i) => ({ point: points[i], words: data.words[i] })))
  return [plane.circle(), regions(plane, data, open), words(plane, { points, labels }, open), ...letters, named, plane.query(SHEET, 1, 0)].join("")
}
