// The curves of builds, from their arrays, and the numbers at one effort.

import { count, counted, fill, partOfCost, percent, plain, times } from "./dom.js"

const MARKERS = 5

// Adds cost and speedup to a build's points, once.
export function prepare(build, n) {
  const { points } = build
  if (!points || points.cost) return
  points.parts = Object.entries(points.parts).map(([name, cost]) => ({ name, cost }))
  points.cost = Float64Array.from(points.efforts, (_, i) => points.parts.reduce((sum, part) => sum + part.cost[i], 0))
  points.speedup = points.cost.map((cost) => n / cost)
}

// Plotly traces: the chosen build thick, with its interval; the others, if wanted, thin and pale.
export function traces(live, chosen) {
  const order = live.others ? live.builds.filter((build) => build.points && build !== chosen) : []
  const thin = order.map((build) => line(live, build, 1.25, "@0.55"))
  if (!chosen.points) return thin
  return [...thin, band(chosen), line(live, chosen, 2.75, ""), markers(live, chosen)]
}

function line(live, build, width, alpha) {
  const { points, style } = build
  return {
    type: "scatter", mode: "lines", legendgroup: style, name: plain(build.label),
    x: points.speedup, y: points.precision, customdata: (points.hover ??= hover(live, build)),
    line: { color: `$${style}${alpha}`, width, dash: live.looks[style].dash },
    hovertemplate: "%{customdata}<extra></extra>",
  }
}

function band({ points, style }) {
  const back = Array.from(points.speedup).reverse()
  return {
    type: "scatter", mode: "lines", legendgroup: style, hoverinfo: "skip",
    x: [...points.speedup, ...back], y: [...points.high, ...Array.from(points.low).reverse()],
    fill: "toself", fillcolor: `$${style}@band`, line: { width: 0 },
  }
}

// A few markers a curve, so that shape can be read as well as colour.
function markers(live, { points, style }) {
  const { symbol } = live.looks[style]
  const chosen = evenly(points.speedup)
  const some = (values) => chosen.map((i) => values[i])
  const open = symbol.includes("open")
  return {
    type: "scatter", mode: "markers", legendgroup: style, hoverinfo: "skip",
    x: some(points.speedup), y: some(points.precision),
    marker: { symbol, size: 8, color: `$${style}`, line: { width: open ? 1.5 : 1, color: open ? `$${style}` : "$background" } },
  }
}

// Indices whose speedups stand at equal distances on a log scale.
function evenly(speedup) {
  const logs = Array.from(speedup, Math.log)
  const [most, least] = [Math.max(...logs), Math.min(...logs)]
  const places = Array.from({ length: MARKERS }, (_, j) => least + ((most - least) * (j + 0.5)) / MARKERS)
  const closest = (place) => logs.reduce((best, log, i) => (Math.abs(log - place) < Math.abs(logs[best] - place) ? i : best), 0)
  return [...new Set(places.map(closest))]
}

function hover(live, build) {
  const { words, looks } = live
  return Array.from(build.points.efforts, (_, i) => {
    const values = valuesAt(live, build, i)
    const lines = [`${build.label}, ${values.effort} ${values.noun}`, fill(words.hoverPrecision, values), fill(words.hoverCost, values)]
    return [`<b>${plain(looks[build.style].label)}</b>`, ...lines.map(plain)].join("<br>")
  })
}

// Every field that a sentence, tile or label may hold, as text.
export function valuesAt(live, build, i) {
  const { points } = build
  const effort = points.efforts[i]
  return {
    effort: count(effort), live: count(build.live), unit: build.live === 1 ? live.effort.nouns[0] : live.effort.unit,
    noun: live.effort.nouns[effort === 1 ? 0 : 1], name: build.label,
    K: count(live.K), m: count(live.m), n: count(live.n), asked: counted(live.m, "query", "queries"),
    precision: percent(points.precision[i]), points: points.precision[i].toFixed(3),
    half: (50 * (points.high[i] - points.low[i])).toFixed(1),
    low: points.low[i].toFixed(3), high: points.high[i].toFixed(3),
    speedup: times(points.speedup[i]), s: times(points.speedup[i]), cost: count(points.cost[i]),
    parts: points.parts.map((part) => partOfCost(part.cost[i], part.name)).join(" + "),
    missed: count(points.missedAll[i]), share: percent(points.missedAll[i] / live.m),
  }
}

// The last effort that is no more than the wanted one.
export function nearest(efforts, wanted) {
  let i = efforts.length - 1
  while (i > 0 && efforts[i] > wanted) i--
  return i
}
