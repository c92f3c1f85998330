// Lesson 6: cost against the number of clusters. The curve is the formula; the dots were measured.

import { count, counted } from "./dom.js"
import { bill } from "./learn_bill.js"
import { clamp, dot, line, path, text } from "./learn_marks.js"

const [FIRST, LAST] = [15, 1400] // of the axis
const TICKS = [20, 50, 100, 200, 500, 1000]
const VIEWS = { same: { top: 2500, step: 500 }, reach: { top: 5600, step: 1000 } }
const share = (part, digits = 1) => `${(100 * part).toFixed(digits)}%`

export function prepare(data) {
  const { n, k } = data
  const cost = (clusters, p) => clusters + (p * n) / clusters
  const ends = [k[0], k.at(-1)]
  const curve = Array.from({ length: 121 }, (_, i) => ends[0] * (ends[1] / ends[0]) ** (i / 120))
  const cheapest = data.enough_cost.indexOf(Math.min(...data.enough_cost))
  return { ...data, formula: cost, least: (p) => Math.sqrt(p * n), curve, cheapest }
}

// The build nearest to so many clusters.
const nearest = ({ k: built }, k) => built.reduce((best, other, i) => (Math.abs(Math.log(other / k)) < Math.abs(Math.log(built[best] / k)) ? i : best), 0)

export function sentence({ k, p, view }, data) {
  const b = nearest(data, k)
  if (view === "reach") {
    const { cheapest, enough, enough_cost: cost, enough_precision: precision } = data
    return `**${count(data.k[b])} clusters** reach **${share(precision[b])}** with **${enough[b]} probes**, for **${count(cost[b])}** inner products. Cheapest of the ${data.k.length} builds: ${count(data.k[cheapest])} clusters, ${count(cost[cheapest])}.`
  }
  const formula = `**${count(k)} clusters**, ${p} opened: ${count(k)} centroids + ${count((p * data.n) / k)} words = **${count(data.formula(k, p))}** by the formula.`
  if (data.k[b] !== k) return `${formula} Least: ${count(data.formula(data.least(p), p))} at ${count(data.least(p))}.`
  return `${formula} Measured: **${count(data.cost[b][p - 1])}**, precision **${share(data.precision[b][p - 1])}**.`
}

export function side({ k, p, view }, data) {
  const b = nearest(data, k)
  const live = data.live[b] < data.k[b] ? `; ${count(data.live[b])} of ${count(data.k[b])} hold a word` : ""
  if (view === "reach") {
    const cost = data.enough_cost[b]
    return [
      { title: "To reach 90% of the true top 10", value: count(cost), note: `inner products, with ${count(data.k[b])} clusters and ${counted(data.enough[b], "probe", "probes")}${live}` },
      { title: "Speedup", value: `${(data.n / cost).toFixed(1)}×`, note: `fewer inner products than comparing all ${count(data.n)}` },
    ]
  }
  const [total, words] = [data.formula(k, p), (p * data.n) / k]
  const rows = [
    { name: "centroids", label: count(k), parts: [[k, "flat-kmeans", 0.75]] },
    { name: "words", label: count(words), parts: [[words, "flat-kmeans", 0.35]] },
  ]
  const [low, high] = [data.low[b][p - 1], data.high[b][p - 1]]
  return [
    { title: "The bill, by the formula", value: count(total), svg: bill(rows, Math.max(total, 1200)), full: true },
    { title: "Least, √(p n)", value: count(data.least(p)), note: `clusters, for ${count(data.formula(data.least(p), p))}` },
    { title: `Measured at ${count(data.k[b])}`, value: count(data.cost[b][p - 1]), note: `95% interval of its precision: ${share(low)} to ${share(high)}${live}` },
  ]
}

function axes({ w, h, narrow }, view) {
  const { top, step } = VIEWS[view]
  const [left, right, above, below] = [narrow ? 40 : 54, w - (narrow ? 12 : 24), 30, h - (narrow ? 60 : 44)]
  const x = (k) => left + (Math.log(k / FIRST) / Math.log(LAST / FIRST)) * (right - left)
  const y = (cost) => below - (cost / top) * (below - above)
  const k = (px) => FIRST * (LAST / FIRST) ** ((px - left) / (right - left))
  return { left, right, above, below, x, y, k, top, step }
}

function frame({ h, narrow }, { left, right, below, x, y, top, step }) {
  const costs = Array.from({ length: Math.floor(top / step) + 1 }, (_, i) => i * step)
  return [
    ...costs.map((cost) => line(left, y(cost), right, y(cost), { stroke: cost ? "grid" : "axis" }) + text(left - 8, y(cost) + 4, count(cost), { anchor: "end", size: 12, fill: "muted" })),
    ...TICKS.map((k) => line(x(k), below, x(k), below + 4, { stroke: "axis" }) + text(x(k), below + 18, count(k), { anchor: "middle", size: 12, fill: "muted" })),
    text(right, h - 4, narrow ? "Clusters k (log scale)" : "Clusters k", { anchor: "end", fill: "muted" }),
    text(left, 16, "Inner products a query", { fill: "muted" }),
  ].join("")
}

// Centroids below, words above them, and their sum.
function formula(axis, { curve, formula: cost, n }, p) {
  const { x, y, top, below } = axis
  const at = (f) => curve.map((k) => [x(k), y(Math.min(f(k), top))])
  const [centroids, sum] = [at((k) => k), at((k) => cost(k, p))]
  const shown = curve.findIndex((k) => cost(k, p) <= top)
  const ground = [[x(curve.at(-1)), below], [x(curve[0]), below]]
  return [
    path([...centroids, ...ground], { fill: "flat-kmeans", alpha: 0.55, closed: true }),
    path([...sum, ...[...centroids].reverse()], { fill: "flat-kmeans", alpha: 0.2, closed: true }),
    path(sum.slice(shown && shown - 1), { stroke: "flat-kmeans", width: 2.75 }),
    text(x(820), y(230), "k centroids", { anchor: "middle", weight: 650, halo: true }),
    wordsLabel(axis, cost, p, n),
  ].join("")
}

function least({ x, y, below }, data, p) {
  const k = data.least(p)
  return line(x(k), y(data.formula(k, p)), x(k), below + 22, { stroke: "text", width: 1.5, dash: "1.5 3" }) +
    text(x(k), below + 36, `least: √(p n) = ${count(k)}`, { anchor: "middle", weight: 650, halo: true })
}

function wordsLabel({ x, y, top }, cost, p, n) {
  const k = clamp(Math.sqrt((p * n) / 1500), 26, 60)
  return text(x(k), y(Math.min(cost(k, p), top) * 0.42), "p n / k words", { anchor: "middle", weight: 650, halo: true })
}

function builds({ w, narrow }, { x, y, top }, data, { k, p, view }) {
  const chosen = nearest(data, k)
  const reach = view === "reach"
  const costs = reach ? data.enough_cost : data.cost.map((row) => row[p - 1])
  const drawn = Array.from(data.k, (clusters, i) => {
    if (costs[i] > top) return ""
    const [px, py, on] = [x(clusters), y(costs[i]), i === chosen]
    const words = reach ? (narrow ? `${data.enough[i]} p` : counted(data.enough[i], "probe", "probes")) : share(data.precision[i][p - 1], 0)
    const beside = reach && costs[i + 1] < 0.85 * costs[i] // the line comes from above, so words stand at its right
    return dot(px, py, on ? 8 : 6, "background", { stroke: "text", width: on ? 4 : 2.5 }) +
      text(beside ? px + 8 : clamp(px, 30, w - 34), py - 14, words, { anchor: beside ? "start" : "middle", size: 14, weight: on ? 700 : 600, halo: true })
  })
  return (reach ? path(Array.from(data.k, (clusters, i) => [x(clusters), y(costs[i])]), { stroke: "flat-kmeans", width: 2.75 }) : "") + drawn.join("")
}

export function draw(sheet, state, data) {
  const axis = axes(sheet, state.view)
  const { x, above, below } = axis
  return [
    frame(sheet, axis),
    state.view === "same" ? formula(axis, data, state.p) + least(axis, data, state.p) : "",
    line(x(state.k), above, x(state.k), below, { stroke: "accent", width: 1.5 }),
    builds(sheet, axis, data, state),
  ].join("")
}

export const handle = {
  at(sheet, { k, view }) {
    const { x, below } = axes(sheet, view)
    return [x(k), below]
  },
  moved(sheet, [px], { view }) {
    return { k: axes(sheet, view).k(px) }
  },
}

// For the worksheet: the formula alone.
export function blank(sheet, { p }, data) {
  const axis = axes(sheet, "same")
  return frame(sheet, axis) + formula(axis, data, p)
}
