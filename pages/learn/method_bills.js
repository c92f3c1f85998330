// Lesson 10. For one query the bill of every method at its least effort that finds enough.

import { count } from "./dom.js"
import { bill } from "./learn_bill.js"
import { bar, line, miss, path, text, widthOf } from "./learn_marks.js"

const K = 10

// The bills of all methods for query i: what each part costs, in all, what is found; or that it never is.
function billsOf(data, { h, n }, i) {
  const size = data.sizes.indexOf(n)
  return data.keys.map((key, method) => {
    const parts = [...data.spent[size][method][i][h - 1]].slice(0, data.parts[method].length)
    const total = parts.reduce((sum, part) => sum + part, 0)
    return { method, key, parts, total, never: data.efforts[size][method][i][h - 1] < 0, found: data.reached[size][method][i][h - 1] }
  })
}

export function prepare(data) {
  const drawn = new Map() // bills are asked for again and again, for every query of a picture
  return { ...data, bills(state, i) {
    const name = [state.h, state.n, i].join()
    if (!drawn.has(name)) drawn.set(name, billsOf(data, state, i))
    return drawn.get(name)
  } }
}

const price = ({ never, total }) => (never ? Infinity : total)
const cheapest = (bills) => bills.reduce((best, one) => (price(one) < price(best) ? one : best))
const listed = (data, { parts, method }) => parts.map((part, i) => `${count(part)} ${data.parts[method][i]}`).join(" + ")

function shown(state, data) {
  const bills = data.bills(state, state.q)
  const exact = bills.filter(({ key }) => key === "exact")
  if (state.show < 3) return [...bills.slice(0, state.show - 1), ...exact]
  const order = state.sort === "price" ? (a, b) => price(a) - price(b) : (a, b) => b.found - a.found || price(a) - price(b)
  return [...bills].sort(order)
}

export function sentence(state, data) {
  const word = `**${data.queries[state.q]}**${state.n < data.sizes[0] ? `, among ${count(state.n)} words` : ""}`
  if (state.show === 1) return `For ${word} exact search computes **${count(state.n)}** inner products and finds **10 of 10**.`
  const best = cheapest(shown(state, data))
  return `For ${word} **${data.names[best.method]}** finds **${best.found} of 10** for **${count(best.total)}** inner products: ${listed(data, best)}.`
}

export function draw({ w, h, narrow }, state, data) {
  const rows = shown(state, data)
  const [left, right] = narrow ? [96, w - 92] : [124, w - 122]
  const top = 26
  const row = Math.min((h - top) / rows.length, 46)
  const x = (value) => left + Math.min(value / state.axis, 1) * (right - left)
  const ticks = [0, state.axis / 2, state.axis].map((value) => line(x(value), top - 6, x(value), top + rows.length * row, { stroke: value ? "grid" : "axis" }) +
    text(x(value), 14, count(value), { anchor: "middle", size: 12, fill: "muted" }))
  const heads = text(w, 14, state.spread ? "others" : "found", { anchor: "end", size: 12, fill: "muted" }) + text(w - (narrow ? 38 : 62), 14, "in all", { anchor: "end", size: 12, fill: "muted" })
  return ticks.join("") + heads + rows.map((one, i) => rowOf(one, top + (i + 0.5) * row, { x, w, row, right, narrow, state, data })).join("")
}

function rowOf(one, y, { x, w, row, right, narrow, state, data }) {
  const { method, key, parts, total, never, found } = one
  const size = Math.min(15, row * 0.52)
  const name = text(0, y + 5, `${data.glyphs[method]} ${data.shorts[method]}`, { size: Math.min(size, 14), weight: 600 })
  const sum = text(w - (narrow ? 38 : 62), y + 5, never ? "–" : count(total), { anchor: "end", size, weight: 650 })
  const every = state.spread ? data.queries.map((_, i) => data.bills(state, i)[method]) : []
  const paid = every.filter((bill) => !bill.never).map((bill) => bill.total)
  const lost = every.length - paid.length
  const told = state.spread ? (lost ? `${lost} never` : "all find") : narrow ? `${found}/10` : `${found} of 10`
  const share = text(w, y + 5, told, { anchor: "end", size: narrow && state.spread ? 10 : size, fill: never || lost ? "miss" : "text" })
  const tall = row * 0.62
  let before = 0
  const bars = never ? "" : parts.map((part, i) => {
    const from = x(before)
    before += part
    return bar(from, y - tall / 2, x(before) - from, tall, key, { alpha: (i === parts.length - 1 ? 0.4 : 1) * (state.spread ? 0.5 : 1) })
  }).join("")
  const cut = !never && total > state.axis ? torn(right, y, tall) : ""
  const label = state.spread ? ticksOf(paid, y, tall, x, state) : never ? miss(x(0) + 12, y, 5) + text(x(0) + 26, y + 5, narrow ? "never" : `never: ${found} at most`, { size: 13, fill: "miss" }) : partsOf(data, one, y, x, right, narrow)
  return name + bars + cut + label + sum + share
}

// Where a bar goes on beyond the axis: a torn end.
function torn(x, y, tall) {
  const edge = [0, 1, 2, 3, 4].map((i) => [x - (i % 2 ? 12 : 7), y - tall / 2 + (i * tall) / 4])
  const beyond = [...edge, [x + 1, y + tall / 2], [x + 1, y - tall / 2]]
  return path(beyond, { fill: "background", closed: true }) + path(edge, { stroke: "text", width: 1.25 })
}

// The parts in words: beside the bar, upon it, or where there is room for neither, at the right.
function partsOf(data, one, y, x, right, narrow) {
  if (narrow) return ""
  const words = listed(data, one)
  const [end, wide] = [x(one.total), widthOf(words, 13)]
  if (end + 8 + wide < right) return text(end + 8, y + 4.5, words, { fill: "muted", halo: true })
  const upon = end - x(0) > wide + 16
  const pale = x(one.total - one.parts.at(-1)) < end - 18 - wide
  return text(upon ? end - 18 : right, y + 4.5, words, { anchor: "end", halo: !upon || !pale })
}

// The bills of all queries as ticks.
function ticksOf(paid, y, tall, x, { axis }) {
  const within = paid.filter((total) => total <= axis)
  const beyond = paid.length > within.length ? text(x(axis) + 3, y + 4.5, "›", { size: 15, weight: 700 }) : ""
  return within.map((total) => line(x(total), y - tall / 2 - 1, x(total), y + tall / 2 + 1, { stroke: "text", width: 1.5, alpha: 0.6 })).join("") + beyond
}

export function side(state, data) {
  const rows = shown(state, data)
  const best = cheapest(rows)
  const most = Math.max(best.total, 1)
  const parts = best.parts.map((part, i) => ({ name: data.parts[best.method][i], label: count(part), parts: [[part, best.key, i === best.parts.length - 1 ? 0.4 : 1]] }))
  const tile = { title: state.show === 1 ? "Exact search" : `Least bill: ${data.names[best.method]}`, value: count(best.total), svg: bill(parts, most), full: true }
  if (state.show < 3) return [tile]
  const wins = data.queries.map((_, i) => cheapest(data.bills(state, i)).method)
  const kinds = [...new Set(wins)].map((method) => ({ method, times: wins.filter((one) => one === method).length })).sort((a, b) => b.times - a.times).slice(0, 2)
  const counts = kinds.map(({ method, times }) => ({ name: data.shorts[method], label: times, parts: [[times, data.keys[method]]] }))
  return [tile, { title: `Least bill, of ${wins.length} words`, svg: bill(counts, wins.length), full: true }]
}
