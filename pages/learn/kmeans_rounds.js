// Lesson 4: words stand outside a circle, those of one direction behind each other; arrows in it are
// the centroids. A stop is one of the two moves of a round.

import { arrow, badge, dot, line, rad, shape, short, stroked, text } from "./learn_marks.js"
import { Plane, anchorAt } from "./learn_plane.js"

const NAMES = "ABCDE"
const SHELF = 3.2 // degrees within which words stand behind each other
const STEP = 9.5 // px from one to the next
const CURVE = { width: 278, height: 176, low: 22, high: 12, side: 12 } // px, of the objective's picture

export function prepare(data) {
  const order = [...data.words.keys()].sort((a, b) => data.angles[a] - data.angles[b])
  const shelves = new Map()
  const rows = []
  for (const i of order) {
    const shelf = Math.round(data.angles[i] / SHELF)
    rows[i] = shelves.get(shelf) ?? 0
    shelves.set(shelf, rows[i] + 1)
  }
  const last = order.map((_, i) => rows[i] === shelves.get(Math.round(data.angles[i] / SHELF)) - 1)
  return { ...data, rows, last, stories: Object.fromEntries(Object.entries(data.stories).map(([name, story]) => [name, stopsOf(story, data.k)])) }
}

// What each stop shows, and what changed since the one before.
function stopsOf({ turned, angles, labels, objective, moved }, k) {
  const given = !Number.isNaN(angles[0][0]) // the first arrows, so that words move first
  const live = (stop) => [...Array(k).keys()].filter((c) => !Number.isNaN(angles[stop][c]))
  return [...objective].map((value, stop) => {
    const half = stop && stop + given
    const before = Math.max(stop - 1, 0)
    return {
      move: !stop ? "start" : turned[stop] ? "turn" : "words",
      round: Math.ceil(half / 2),
      arrows: live(stop),
      angles: angles[stop],
      from: turned[stop] ? angles[before] : null,
      labels: labels[stop],
      changed: [...labels[stop]].map((label, i) => !turned[stop] && labels[before][i] < k && labels[before][i] !== label),
      joined: !turned[stop] && stop && labels[before][0] === k,
      empty: turned[stop] || !stop ? [] : live(stop).filter((c) => !labels[stop].includes(c)),
      gone: live(before).filter((c) => !live(stop).includes(c)),
      begun: turned[stop] ? live(before).filter((c) => live(stop).includes(c) && !labels[stop].includes(c)) : [],
      objective: value,
      moved: moved[stop],
    }
  })
}

const stops = ({ story }, { stories }) => stories[story]
const at = (state, data) => stops(state, data)[Math.min(state.t, stops(state, data).length - 1)]

export function controls(state, data) {
  const { move, round } = at(state, data)
  const words = move === "start" ? "start" : `${round}: ${move === "turn" ? "arrows turn" : "words move"}`
  return { t: { last: stops(state, data).length - 1, words } }
}

export function draw(sheet, state, data) {
  const { narrow } = sheet
  const plane = new Plane(sheet, [narrow ? 58 : 110, 52])
  const stop = at(state, data)
  const words = data.words.map((_, i) => {
    const label = stop.labels[i]
    const [x, y] = plane.rim(data.angles[i], 9 + STEP * data.rows[i])
    const ring = stop.changed[i] ? dot(x, y, 7.5, "", { stroke: "text", width: 1.75 }) : ""
    return ring + (label < data.k ? shape(label, x, y, 4.2, `c${label}`) : dot(x, y, 3.6, "axis"))
  })
  return [plane.circle({ stroke: "axis" }), ...words, ...names(plane, data, narrow ? 26 : 12),
    ...stop.arrows.map((c) => centroid(plane, stop, c)), dot(plane.cx, plane.cy, 3, "text")].join("")
}

// A few words are written, `gap` degrees apart or more.
function names(plane, { words, angles, rows, last }, gap) {
  const written = []
  for (const i of [...words.keys()].sort((a, b) => rows[b] - rows[a])) {
    const close = written.some((j) => Math.abs(((angles[i] - angles[j] + 540) % 360) - 180) < gap)
    if (last[i] && !close) written.push(i)
  }
  return written.map((i) => {
    const [x, y] = plane.rim(angles[i], 20 + STEP * rows[i])
    return text(x, y + 4, words[i], { anchor: anchorAt(angles[i]), size: 12, fill: "muted" })
  })
}

// An arrow with its letter; as it turns, where it was and the way it went.
function centroid(plane, { angles, from, empty }, c) {
  const { cx, cy, r } = plane
  const bare = empty.includes(c)
  const colour = bare ? "axis" : `c${c}`
  const letter = plane.rim(angles[c], (bare ? -0.66 : -0.45) * r)
  const said = bare ? text(...plane.rim(angles[c], 12), "no words", { anchor: anchorAt(angles[c]), weight: 650, fill: "miss", halo: true }) : ""
  return [from && !Number.isNaN(from[c]) ? turnOf(plane, from[c], angles[c], colour) : "",
    arrow(cx, cy, ...plane.rim(angles[c], -24), { stroke: colour, width: bare ? 2 : 4, head: 13 }),
    badge(...letter, NAMES[c], bare ? "miss" : colour, { r: 13, width: 2.5, size: 15 }), said].join("")
}

function turnOf(plane, before, now, colour) {
  const turn = ((now - before + 540) % 360) - 180
  if (Math.abs(turn) < 0.5) return ""
  const r = 0.62 * plane.r
  const [start, end] = [before, now].map((angle) => plane.rim(angle, r - plane.r).map(short).join(" "))
  return line(plane.cx, plane.cy, ...plane.rim(before, -26), { stroke: colour, width: 2, dash: "4 4", alpha: 0.8 }) +
    stroked(`M${start}A${short(r)} ${short(r)} 0 0 ${turn > 0 ? 0 : 1} ${end}`, { stroke: colour, width: 2 })
}

export function sentence(state, data) {
  const { move, round, moved, joined, empty, gone, begun, objective, arrows } = at(state, data)
  const letters = (clusters) => clusters.map((c) => `**${NAMES[c]}**`).join(", ")
  const bare = empty.length ? `; ${letters(empty)} has no words` : ""
  const value = `Objective **${objective.toFixed(3)}**`
  if (move === "start") return arrows.length ? "Five arrows are given; three of them are close together. No word has a cluster yet." : `Each of ${data.words.length} words has a cluster drawn at random: **${data.k} clusters**, no arrows yet.`
  if (move === "turn") {
    const more = gone.length ? `; the empty ${letters(gone)} is dropped` : begun.length ? `; the empty ${letters(begun)} starts again at the word served worst` : ""
    return `Round ${round}: each arrow turns to the sum of its words${more}. ${value}.`
  }
  if (joined) return `Round ${round}: every word joins the nearest arrow${bare}. ${value}.`
  return `Round ${round}: **${moved} ${moved === 1 ? "word changes" : "words change"}** cluster${bare}. ${value}${moved ? "" : ": done"}.`
}

// The objective, half round by half round; what is still to come is pale.
export function side(state, data) {
  const all = stops(state, data)
  const t = Math.min(state.t, all.length - 1)
  const { width, height, low, high, side: margin } = CURVE
  const x = (stop) => margin + (stop * (width - 2 * margin)) / (all.length - 1)
  const y = (value) => height - low - value * (height - low - high)
  const known = all.map((stop, i) => [i, stop.objective]).filter(([, value]) => !Number.isNaN(value))
  const part = (points, alpha) => stroked(`M${points.map(([i, value]) => `${short(x(i))} ${short(y(value))}`).join("L")}`, { stroke: "hit", width: 2, alpha })
  const drawn = [
    ...[0, 0.5, 1].map((value) => line(0, y(value), width, y(value), { stroke: "grid" }) + text(0, y(value) - 4, value.toFixed(1), { size: 12, fill: "muted" })),
    part(known, 0.35),
    known[0][0] <= t ? part(known.filter(([i]) => i <= t), 1) : "",
    ...known.map(([i, value]) => dot(x(i), y(value), all[i].move === "words" ? 4 : 2, "hit", { alpha: i <= t ? 1 : 0.35 })),
    ...known.filter(([i]) => all[i].move === "words").map(([i]) => text(x(i), height - 4, all[i].round, { anchor: "middle", size: 12, fill: "muted" })),
    Number.isNaN(all[t].objective) ? "" : dot(x(t), y(all[t].objective), 8, "background", { stroke: "hit", width: 4 }),
  ]
  const value = Number.isNaN(all[t].objective) ? "–" : all[t].objective.toFixed(3)
  return [{ title: "Objective after each move: mean cosine to the own centroid", value, svg: { width, height, drawn: drawn.join("") }, full: true }]
}
