// Lesson 11. Samples of m queries; each has its interval, which holds the truth of all queries or not.

import { count, percent } from "./dom.js"
import { bill } from "./learn_bill.js"
import { clamp, dot, line, path, text, widthOf } from "./learn_marks.js"
import { holdsIn, pile } from "./learn_pile.js"

const AXES = [
  { low: 0.6, high: 1.01, ticks: [0.6, 0.7, 0.8, 0.9, 1], digits: 1, exact: 3 },
  { low: 0.94, high: 1.012, ticks: [0.94, 0.95, 0.96, 0.97, 0.98, 0.99, 1], digits: 2, exact: 4 },
]

const intervals = ({ near, kind, m, c }, data) => {
  const at = data.sizes.indexOf(m)
  const [mean, low, high, half] = [data.mean, data.low, data.high, data.half].map((of) => of[near][at])
  return Array.from({ length: c }, (_, i) => kind === "school"
    ? { mean: mean[i], low: mean[i] - half[i], high: mean[i] + half[i] }
    : { mean: mean[i], low: low[i], high: high[i] })
}
const missing = (drawn, truth) => drawn.filter((one) => !holdsIn(one, truth)).length

// The share of all samples whose interval holds, for either kind and every m.
export function prepare(data) {
  const c = data.mean[0][0].length
  const shares = [0, 1].map((near) => Object.fromEntries(["core", "school"].map((kind) => [kind,
    data.sizes.map((m) => 1 - missing(intervals({ near, kind, m, c }, data), data.truth[near]) / c)])))
  return { ...data, shares, samples: c }
}

export function sentence(state, data) {
  const drawn = intervals(state, data)
  const bad = missing(drawn, data.truth[state.near])
  const half = drawn.reduce((sum, { low, high }) => sum + high - low, 0) / drawn.length / 2
  const width = `Half width **${(100 * half).toFixed(1)} points**.`
  if (drawn.length === 1) {
    return `**1 sample** of ${count(state.m)} queries: precision **${drawn[0].mean.toFixed(3)}**, the interval **${bad ? "misses" : "holds"}** the truth. ${width}`
  }
  return `**${drawn.length} samples** of ${count(state.m)} queries: **${bad}** of ${drawn.length} intervals miss the truth, **${percent(1 - bad / drawn.length)}%** hold it. ${width}`
}

export function draw({ w, h, narrow }, state, data) {
  const axis = AXES[state.near]
  const truth = data.truth[state.near]
  const [left, right, top, foot] = [14, w - 14, 34, h - 44]
  const x = (value) => left + ((clamp(value, axis.low, axis.high) - axis.low) / (axis.high - axis.low)) * (right - left)
  const grid = axis.ticks.map((value) => line(x(value), top, x(value), foot, { stroke: "grid" }) +
    text(x(value), foot + 18, value.toFixed(axis.digits), { anchor: "middle", size: 12, fill: "muted" }))
  const words = narrow ? `truth: ${truth.toFixed(axis.exact)}` : `truth: ${truth.toFixed(axis.exact)}, all 20,000 queries`
  const half = widthOf(words) / 2 + 4
  return grid.join("") + line(left, foot, right, foot, { stroke: "axis" }) +
    text(w / 2, h - 6, "Precision@10", { anchor: "middle", fill: "muted" }) +
    pile(intervals(state, data), truth, x, { top, foot }) +
    text(clamp(x(truth), half, w - half), 18, words, { anchor: "middle", weight: 600 })
}

export function side(state, data) {
  const bad = missing(intervals(state, data), data.truth[state.near])
  const rows = [
    { name: "hold ●", label: count(state.c - bad), parts: [[state.c - bad, "flat-kmeans", 0.7]] },
    { name: "miss ✕", label: count(bad), parts: [[bad, "miss"]] },
  ]
  const of = data.shares[state.near]
  return [
    { title: "Intervals that hold the truth", value: `${state.c - bad} of ${state.c}`, svg: bill(rows, state.c), full: true },
    { title: `Hold it, of ${data.samples}, for every m`, svg: holding(of, state, data), note: "● used here, ○ ±1.96 s/√m", full: true },
  ]
}

// Shares that hold over m, for both kinds of interval; the dotted line is 95%.
function holding(of, { m, kind }, { sizes }) {
  const [width, height, foot] = [188, 96, 78]
  const x = (i) => 10 + (i * (width - 40)) / (sizes.length - 1)
  const y = (share) => foot - share * (foot - 6)
  const at = sizes.indexOf(m)
  const curves = ["school", "core"].map((name) => {
    const points = of[name].map((share, i) => [x(i), y(share)])
    const ours = name === "core"
    const look = { stroke: ours ? "flat-kmeans" : "muted", width: 1.5, dash: ours ? "" : "3 3" }
    const dots = points.map(([px, py], i) => dot(px, py, i === at && name === kind ? 5.5 : 3, ours ? "flat-kmeans" : "background", { stroke: ours ? "background" : "muted" }))
    return path(points, look) + dots.join("")
  })
  const marks = [0, 1].map((share) => text(width, y(share) + 4, `${100 * share}%`, { anchor: "end", size: 11, fill: "muted" }))
  const ends = [0, sizes.length - 1].map((i) => text(x(i), height - 4, count(sizes[i]), { anchor: "middle", size: 11, fill: "muted" }))
  return {
    width, height, drawn: line(0, foot, width - 28, foot, { stroke: "axis" }) +
      line(0, y(0.95), width - 28, y(0.95), { stroke: "text", dash: "1.5 3" }) + curves.join("") + marks.join("") + ends.join(""),
  }
}
