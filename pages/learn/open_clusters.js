// Lesson 5. A direction looks up which clusters open, in order, and which three words are true.

import { bill } from "./learn_bill.js"
import { badge, hit, line, list, miss, shape, text } from "./learn_marks.js"
import { Plane, hull, rangesOf } from "./learn_plane.js"

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

const at = ({ q }) => Math.round(2 * q) % 720
const openedBy = (data, i, p) => [...data.order[i].subarray(0, p)]
const missedBy = (data, i, p) => [...data.truth[i]].filter((word) => !openedBy(data, i, p).includes(data.labels[word]))

export function sentence(state, data) {
  const [lost, cost] = [missedBy(data, at(state), state.p), CLUSTERS + data.scored[at(state)][state.p - 1]]
  const missed = lost.length ? ` and misses **${list(lost.map((i) => data.words[i]))}**` : ""
  const against = cost > ALL ? `, more than comparing all ${ALL} words.` : ` instead of ${ALL}.`
  return `Opening **${state.p} of ${CLUSTERS}** clusters finds **${K - lost.length} of ${K}**${missed}: **${cost}** inner products${against}`
}

export function side(state, data) {
  const lost = missedBy(data, at(state), state.p)
  const scored = data.scored[at(state)][state.p - 1]
  const marks = [...data.truth[at(state)]].map((word, j) => (lost.includes(word) ? miss(14 + j * 34, 16, 8) : hit(14 + j * 34, 16, 11)))
  const count = text(188, 22, `${K - lost.length} of ${K}`, { anchor: "end", size: 20, weight: 600 })
  const rows = [
    { name: "This search", label: `${CLUSTERS} + ${scored} = ${CLUSTERS + scored}`, parts: [[CLUSTERS, "flat-kmeans"], [scored, "flat-kmeans", 0.45]] },
    { name: "Comparing all", label: ALL, parts: [[ALL, "exact", 0.6]] },
  ]
  return [
    { title: "Best three words", svg: { width: 188, height: 32, drawn: marks.join("") + count } },
    { title: "Inner products", svg: bill(rows, CLUSTERS + ALL), note: `${CLUSTERS} centroids, then ${scored} words`, full: true },
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
    plane.circle(), state.rim ? rim(plane, data, state.p) : "", regions(plane, data, open),
    sheet.narrow ? "" : names(plane, data, open, truth[at(state)]),
    words(plane, data, open), plane.square(state.q, far), plane.query(state.q), numbers(plane, data, open),
    answers(plane, sheet, data, state),
  ].join("")
}

// Where one, two, three words are missed: three rings of arcs outside the circle.
function rim(plane, data, p) {
  const lost = data.order.map((_, i) => missedBy(data, i, p).length)
  return [1, 2, 3].map((least) => plane.arcs(rangesOf(720, (i) => lost[i] >= least), 7 + 5 * least, { stroke: "miss", width: 4, alpha: least === K ? 1 : 0.45 })).join("")
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

function answers(plane, { w }, data, state) {
  const lost = missedBy(data, at(state), state.p)
  const marks = [...data.truth[at(state)]].map((i) => {
    const [x, y] = plane.at(data.points[i])
    const gone = lost.includes(i)
    return { x, y, gone, words: data.words[i] + (gone ? " missed" : "") }
  })
  const lines = plane.named(marks, plane.rim(state.q), w)
  return lines.map(({ x, y, gone, words, tx, ty, right, led }) => {
    const colour = gone ? "miss" : "hit"
    const lead = led ? line(x, y, tx + (right ? -3 : 3), ty - 5, { stroke: colour, width: 1.25 }) : ""
    const name = text(tx, ty, words, { anchor: right ? "start" : "end", size: 15, weight: 650, fill: gone ? "miss" : "text", halo: true })
    return lead + (gone ? miss(x, y) : hit(x, y, 7)) + name
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
