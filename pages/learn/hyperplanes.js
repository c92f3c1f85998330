// Lesson 8: words hashed by the sides of lines. Keys were computed; wedges follow from the lines.

import { counted } from "./dom.js"
import { answers, directionOf, outcome, searchTile } from "./learn_answers.js"
import { dot, hit, line, miss, path, rad, text } from "./learn_marks.js"
import { Plane } from "./learn_plane.js"

const BITS = 10 // of the keys that were computed: the first of them are a key of fewer
const DIAGONAL = 45 // degrees: the one line that WTA has in the plane
const HALF = 180
const MOST_LINES = 24 // that are drawn
const LOOKS = { srp: "srp-hash", wta: "wta-hash" }
const CHART = { width: 278, height: 176, left: 34, right: 264, top: 8, bottom: 140 }

export const prepare = (data) => ({ ...data, lines: { srp: data.lines, wta: data.lines.map((row) => row.map(() => DIAGONAL)) } })

// Whether a word is in the query's bucket of one of t tables, by keys of b bits.
function meets({ q, b, t, kind }, { items, queries }) {
  const asked = queries[kind][directionOf(q)]
  return (item) => items[kind][item].subarray(0, t).some((key, table) => (key ^ asked[table]) >> (BITS - b) === 0)
}

const truthOf = ({ q }, { truth }) => Array.from(truth[directionOf(q)])

// How many words are in one of the buckets opened, and what hashing takes.
function spent(state, data) {
  const meet = meets(state, data)
  return { hashing: state.b * state.t, compared: data.words.filter((_, item) => meet(item)).length }
}

export function sentence(state, data) {
  const meet = meets(state, data)
  const [truth, { hashing, compared }] = [truthOf(state, data), spent(state, data)]
  const gone = truth.filter((item) => !meet(item)).map((item) => data.words[item])
  const [bits, tables] = [counted(state.b, "bit", "bits"), counted(state.t, "table", "tables")]
  return `Hashing with **${bits}, ${tables}** ${outcome(gone, truth.length, hashing + compared, data.words.length)}`
}

export function side(state, data) {
  const { hashing, compared } = spent(state, data)
  const note = `${state.b} × ${state.t} for hashing, then ${counted(compared, "word", "words")}`
  return [
    { title: "Chance to meet, by angle", svg: chart(state, data), full: true },
    searchTile(hashing, compared, data.words.length, LOOKS[state.kind], note, CHART.width),
  ]
}

const chanceOf = (degrees, b, t) => 1 - (1 - (1 - degrees / HALF) ** b) ** t

// The formula, what was counted among real words, and where the three best words of the query lie.
function chart(state, data) {
  const { b, t, kind, q } = state
  const { left, right, top, bottom } = CHART
  const [x, y] = [(degrees) => left + (degrees / HALF) * (right - left), (chance) => bottom - chance * (bottom - top)]
  const curve = Array.from({ length: 91 }, (_, i) => [x(2 * i), y(chanceOf(2 * i, b, t))])
  const met = data.met[kind][(b - 1) * data.lines.srp.length + t - 1]
  const meet = meets(state, data)
  const drawn = [
    ...[0, 0.5, 1].map((chance) => line(left, y(chance), right, y(chance), { stroke: chance ? "grid" : "axis" }) + text(left - 6, y(chance) + 4, `${100 * chance}%`, { anchor: "end", size: 12, fill: "muted" })),
    ...[0, 45, 90, 135, 180].map((degrees) => text(x(degrees), bottom + 17, `${degrees}°`, { anchor: "middle", size: 12, fill: "muted" })),
    path(curve, { stroke: "srp-hash", width: 2.5, dash: kind === "srp" ? "" : "2 4" }),
    ...Array.from(data.angles, (degrees, i) => dot(x(degrees), y(met[i]), 4, "background", { stroke: "text", width: 2 })),
    ...truthOf(state, data).map((item, i) => (meet(item) ? hit : miss)(x(data.away[directionOf(q)][i]), y(chanceOf(data.away[directionOf(q)][i], b, t)), 5)),
    text(left, bottom + 33, kind === "srp" ? "○ real words   ─ by the formula" : "○ real words   ┄ formula of SRP", { size: 12, fill: "muted" }),
  ]
  return { width: CHART.width, height: CHART.height, drawn: drawn.join("") }
}

const planeOf = (sheet) => new Plane(sheet, sheet.narrow ? [34, 22] : [60, 24])
export const handle = {
  at: (sheet, { q }) => planeOf(sheet).rim(q),
  moved: (sheet, place) => ({ q: planeOf(sheet).angle(place) }),
}

export function draw(sheet, state, data) {
  const plane = planeOf(sheet)
  const meet = meets(state, data)
  return [
    plane.circle(), wedges(plane, state, data), lines(plane, state, data), words(plane, state, data, meet),
    plane.query(state.q), answers(plane, sheet, data, state.q, (item) => !meet(item)),
  ].join("")
}

// The query's bucket in each table: between the nearest lines on its two sides.
function wedges(plane, { q, b, t, kind }, data) {
  const look = { fill: LOOKS[kind], alpha: Math.max(0.05, 0.2 / Math.sqrt(t)) }
  return data.lines[kind].slice(0, t).map((row) => {
    const own = row.subarray(0, b)
    const [before, after] = [-1, 1].map((way) => Math.min(...Array.from(own, (angle) => (((way * (angle - q)) % HALF) + HALF) % HALF)))
    return plane.region([[0, 0], ...arc(q - before, q + after)], look)
  }).join("")
}

const arc = (from, to) => Array.from({ length: 25 }, (_, i) => from + ((to - from) * i) / 24).map((angle) => [Math.cos(rad(angle)), Math.sin(rad(angle))])

// The lines of the first table, numbered at their far ends; thin, of the others, while there are few.
function lines(plane, { q, b, t, kind }, data) {
  const stroke = LOOKS[kind]
  const [bits, tables] = kind === "wta" ? [1, 1] : [b, b * t > MOST_LINES ? 1 : t]
  return data.lines[kind].slice(0, tables).map((row, table) => Array.from(row.subarray(0, bits), (angle, bit) => {
    const far = Math.cos(rad(angle - q)) > 0 ? angle + HALF : angle
    const across = [...plane.rim(far), ...plane.rim(far + HALF)]
    if (table) return line(...across, { stroke, width: 1, dash: "3 4" })
    const [x, y] = plane.rim(far, 13)
    return line(...across, { stroke, width: b > 4 ? 1.25 : 2 }) + text(x, y + 4, bit + 1, { anchor: "middle", size: 12, fill: "muted" })
  }).join("")).reverse().join("")
}

function words(plane, state, data, meet) {
  const colour = LOOKS[state.kind]
  return data.points.map((point, item) => dot(...plane.at(point), meet(item) ? 4.5 : 3, meet(item) ? colour : "axis")).join("")
}

// For the worksheet: no bucket is opened yet.
export function blank(sheet, state, data) {
  const plane = planeOf(sheet)
  const best = truthOf(state, data).map((item) => ({ point: data.points[item], words: data.words[item] }))
  return [plane.circle(), lines(plane, state, data), ...data.points.map((point) => dot(...plane.at(point), 3.5, "candidate")), plane.query(state.q, 1, 0), plane.beside(best)].join("")
}
