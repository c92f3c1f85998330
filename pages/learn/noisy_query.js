// Lesson 12. Fifty draws of noise on a query: which words answer them, and which of these are found.

import { percent } from "./dom.js"
import { bill } from "./learn_bill.js"
import { clamp, dot, hit, line, miss, path, text, widthOf } from "./learn_marks.js"
import { Plane } from "./learn_plane.js"

const ANGLE = 5 // degrees between two queries
const LABELLED = 4 // draws, from which on a word is named
const KINDS = [
  { by: "index", truth: "noisy", name: "2 of 8 clusters, noisy query", real: "noisy", dash: "", colour: "flat-kmeans" },
  { by: "index", truth: "clean", name: "2 of 8 clusters, clean query", real: "clean", dash: "7 4", colour: "flat-kmeans" },
  { by: "exact", truth: "clean", name: "Exact search, clean query", real: "exact", dash: "2 3", colour: "exact" },
]

// What the draws of a state answer: for every word its draws found, missed, and returned unasked.
function counted({ q, s, truth, by }, data) {
  const [sigma, at] = [data.sigmas.indexOf(s), q / ANGLE]
  const words = data.words.map(() => ({ found: 0, missed: 0, other: 0 }))
  data.truth[sigma][at].forEach((noisy, draw) => {
    const wanted = truth === "noisy" ? noisy : data.truth[0][at][draw]
    const answers = by === "exact" ? noisy : data.returned[sigma][at][draw]
    for (const word of wanted) words[word][answers.includes(word) ? "found" : "missed"]++
    for (const word of answers) if (!wanted.includes(word)) words[word].other++
  })
  return words
}

function shareOf(state, data) {
  const words = counted(state, data)
  const sum = (part) => words.reduce((total, word) => total + word[part], 0)
  return sum("found") / (sum("found") + sum("missed"))
}

const winners = ({ q, s }, data) => new Set(data.truth[data.sigmas.indexOf(s)][q / ANGLE].flatMap((ids) => [...ids]))

export function sentence(state, data) {
  const [search, judge] = [state.by === "exact" ? "exact search" : "opening 2 of 8 clusters", state.truth]
  return `With **σ ${state.s.toFixed(2)}**, **${winners(state, data).size} words** are among the best three of some of 50 draws. Judged by the **${judge}** query, ${search} finds **${percent(shareOf(state, data))}%**.`
}

const SMALL = 560 // px: narrower, there is no room for names beside the circle
const planeOf = (sheet) => new Plane(sheet, sheet.w >= SMALL ? [160, 24] : sheet.still ? [62, 24] : [80, 24])

export const handle = {
  at: (sheet, { q }) => planeOf(sheet).rim(q),
  moved: (sheet, place) => ({ q: planeOf(sheet).angle(place) }),
}

export function draw(sheet, state, data) {
  const plane = planeOf(sheet)
  const { q, s } = state
  const meant = [...data.truth[0][q / ANGLE][0]]
  const [cx, cy] = [plane.cx, plane.cy]
  const part = s / data.sigmas.at(-1)
  const [ux, uy] = [Math.cos((q * Math.PI) / 180), Math.sin((q * Math.PI) / 180)]
  const fan = data.far[q / ANGLE].map(([x, y]) => {
    const angle = Math.atan2(uy + part * (y - uy), ux + part * (x - ux))
    return line(cx, cy, ...plane.rim((angle * 180) / Math.PI), { stroke: "muted", width: 1, alpha: 0.45 })
  })
  const words = counted(state, data)
  const dots = data.points.map((point) => dot(...plane.at(point), 2.5, "axis"))
  const seen = [...words.keys()].filter((i) => words[i].found + words[i].missed + words[i].other > 0)
  const marks = seen.map((i) => markOf(plane.at(data.points[i]), words[i], meant.includes(i)))
  const least = sheet.w < SMALL ? 3 * LABELLED : LABELLED
  const named = seen.filter((i) => meant.includes(i) || words[i].found + words[i].missed + words[i].other >= least)
  const key = text(0, sheet.h - 4, "● found  ✕ missed  ○ returned instead", { size: 12, fill: "muted" })
  return plane.circle() + (s ? fan.join("") : "") + plane.query(q) + dots.join("") + marks.join("") + names(named, sheet, plane, words, data) + key
}

const sizeOf = (draws) => (draws ? 2.5 + 10 * Math.sqrt(draws / 50) : 0)

function markOf([x, y], { found, missed, other }, isMeant) {
  const r = sizeOf(found)
  const ring = isMeant ? dot(x, y, (Math.max(r, 5) + 5).toFixed(1), "", { stroke: "text", width: 1.75 }) : ""
  const returned = other ? dot(x, y, sizeOf(other).toFixed(1), "", { stroke: "candidate", width: 2 }) : ""
  const cross = missed ? miss(...(found ? [x + r * 0.7 + 3, y + r * 0.7 + 3] : [x, y]), (2 + 5 * Math.sqrt(missed / 50)).toFixed(1) * 1) : ""
  return returned + (found ? hit(x, y, r.toFixed(1)) : "") + ring + cross
}

// Names in columns beside the circle, with lines to their marks; where it is narrow, without counts.
function names(which, { w, still }, plane, words, data) {
  const narrow = w < SMALL
  const size = narrow ? 12 : 15
  const sides = { start: [], end: [] }
  for (const i of which) {
    const [x, y] = plane.at(data.points[i])
    sides[x < plane.cx ? "end" : "start"].push({ i, x, y })
  }
  return Object.entries(sides).flatMap(([anchor, ones]) => {
    const out = anchor === "end" ? -1 : 1
    let last = -Infinity
    return ones.sort((a, b) => a.y - b.y).map(({ i, x, y }) => {
      const { found, missed, other } = words[i]
      const told = missed ? `${found} of ${found + missed}` : found || `(${other})`
      const label = narrow ? data.words[i] : `${data.words[i]} ${told}`
      last = Math.max(y, last + 18)
      const away = plane.cx + out * (plane.r + 20)
      const wide = widthOf(label, size)
      const to = anchor === "end" ? Math.max(away, wide) : Math.min(away, w - wide)
      const lead = still ? "" : line(x + out * (sizeOf(found) + 4), y, to - out * 4, last, { stroke: "axis" })
      return lead + text(to, last + 5, label, { anchor, size, weight: found + missed ? 600 : 400, fill: missed && !found ? "miss" : "text", halo: true })
    })
  }).join("")
}

export function side(state, data) {
  const rows = KINDS.map(({ by, truth, name }) => {
    const share = shareOf({ ...state, by, truth }, data)
    const now = by === state.by && truth === state.truth
    return { name: `${now ? "▸ " : ""}${name}`, label: `${percent(share)}%`, parts: [[share, by === "exact" ? "exact" : "flat-kmeans", truth === "noisy" ? 0.9 : 0.5]] }
  })
  const at = data.sigmas.indexOf(state.s)
  return [
    { title: "Found of the three best, 50 draws", svg: bill(rows, 1, 278), full: true },
    { title: "On 20,000 words, 8 of 141 clusters opened", svg: curves(at, data), full: true },
  ]
}

function curves(at, { sigmas, real }) {
  const [width, height, foot, right] = [278, 126, 106, 232]
  const x = (i) => 8 + (i / (sigmas.length - 1)) * (right - 8)
  const y = (share) => foot - ((clamp(share, 0.5, 1) - 0.5) / 0.5) * (foot - 8)
  const ends = KINDS.map((kind) => y(real[kind.real][at]))
  if (Math.abs(ends[1] - ends[2]) < 14) ends.splice(1, 2, Math.max(ends[1], ends[2]) + 7, Math.min(ends[1], ends[2]) - 7)
  const drawn = KINDS.map(({ real: name, dash, colour }, kind) => {
    const row = real[name]
    return path([...row].map((share, i) => [x(i), y(share)]), { stroke: colour, width: 2, dash }) +
      dot(x(at), y(row[at]), 4.5, "background", { stroke: colour, width: 2.5 }) +
      text(width, ends[kind] + 4, `${percent(row[at])}%`, { anchor: "end", size: 12, weight: 600 })
  })
  const marks = [0, sigmas.length - 1].map((i) => text(x(i), height - 4, `σ ${sigmas[i].toFixed(1)}`, { anchor: i ? "end" : "start", size: 11, fill: "muted" }))
  return { width, height, drawn: line(8, foot, right, foot, { stroke: "axis" }) + line(8, y(1), right, y(1), { stroke: "grid" }) + drawn.join("") + marks.join("") + text(x(2.6), height - 4, "foot: 50%", { size: 11, fill: "muted" }) }
}
