// Lesson 3. A query has no extra entries, so of those of a word it sees only their length: drawn as
// height, three dimensions are faithful for every m. In units of the sphere's radius, √(m/4).

import { arrow, dot, text, rad, widthOf, bar, line } from "./learn_marks.js"
import { Sphere, turned } from "./learn_sphere.js"

const OUT = 1.01 // beyond this length, of the radius, a word visibly sticks out
const QUERY = 1.22 // length of the query's arrow
const BARS = { width: 278, height: 154, most: 2.4 }

export function prepare(data) {
  const lengths = data.points.map(([x, y]) => Math.hypot(x, y))
  const order = lengths.map((_, i) => i).sort((a, b) => lengths[a] - lengths[b])
  const pairs = [...data.best].flatMap((i, first) => [...data.best.slice(first + 1)].map((j) => [i, j]))
  return { ...data, lengths, order, pairs, ratio: Math.max(...lengths) / Math.min(...lengths) }
}

// What the lift of this state does: lengths and the scale of words in units of the radius, pairs swapped.
function liftOf({ kind, U, m }, data) {
  if (kind === "sphere") return { norms: data.sphere_norms, scale: 1, swapped: [], kept: data.sphere_kept, leading: data.best[0], radius: 1 }
  const at = data.longest.indexOf(U) * data.entries + m - 1
  const radius = Math.sqrt(m / 4)
  const bits = data.swapped[at]
  return {
    norms: data.norms[at].map((norm) => norm / radius),
    scale: U / radius,
    swapped: data.pairs.filter((_, i) => bits[i >> 3] & (128 >> (i & 7))),
    kept: data.kept[at],
    leading: data.leading[at],
    radius,
  }
}

export const handle = {
  moved: (sheet, point, state, data, began) => turned(began.state, began, point),
}

export function draw(sheet, state, data) {
  const { norms, scale, swapped, leading } = liftOf(state, data)
  const sphere = new Sphere(sheet, state.yaw, state.pitch)
  const words = data.points.map(([x, y], i) => {
    const [fx, fy] = [x * scale, y * scale]
    const point = [fx, fy, Math.sqrt(Math.max(0, norms[i] ** 2 - fx ** 2 - fy ** 2))]
    return { i, foot: [fx, fy], point, at: sphere.at(point) }
  })
  const stems = words.map(({ foot, point }) => sphere.line(foot, point, { stroke: "candidate", alpha: 0.35 }) + dot(...sphere.at(foot).slice(0, 2), 2, "candidate", { alpha: 0.7 }))
  const pairs = swapped.map(([i, j]) => sphere.line(words[i].point, words[j].point, { stroke: "miss", alpha: 0.55 }))
  const lifted = [...words].sort((a, b) => b.at[2] - a.at[2]).map(({ i, point, at }) => {
    const spike = norms[i] > OUT ? sphere.line(point.map((entry) => entry / norms[i]), point, { stroke: "miss", width: 3 }) : ""
    return spike + dot(at[0], at[1], 4.5, "hit", { stroke: "background", width: 1 })
  })
  const named = (i, said, fill) => nameBeside(sheet, words[i].at, said, fill)
  const first = data.best[0]
  const told = [named(first, data.words[first], "text"), leading === first ? "" : named(leading, `${data.words[leading]} comes first now`, "miss")]
  return [sphere.ground(), ...stems, query(sphere, data.angle), ...pairs, ...lifted, ...told].join("")
}

function query(sphere, angle) {
  const [x, y] = sphere.at([QUERY * Math.cos(rad(angle)), QUERY * Math.sin(rad(angle))])
  const [ox, oy] = sphere.at([0, 0])
  const right = x >= ox
  return arrow(ox, oy, x, y, { width: 2.5, head: 13 }) + text(x + (right ? 8 : -8), y + 5, "query", { anchor: right ? "start" : "end", size: 15, halo: true })
}

function nameBeside({ w }, [x, y], said, fill) {
  const left = Math.min(x + 9, w - widthOf(said, 16) - 4)
  return text(left, y - 8, said, { size: 15, weight: 650, fill, halo: true })
}

export function sentence(state, data) {
  const { swapped, kept } = liftOf(state, data)
  const { kind, U, m } = state
  const lift = kind === "sphere" ? "The exact lift" : `With U = **${U.toFixed(2)}** and **${m}** extra ${m === 1 ? "entry" : "entries"}, the lift`
  const swaps = swapped.length ? `swaps **${swapped.length} of ${data.pairs.length}** pairs` : "swaps no pair"
  return `${lift} ${swaps} of the ${data.best.length} best words; the winner stays first in **${kept} of ${data.facts.directions}** directions.`
}

export function side(state, data) {
  const { swapped, kept } = liftOf(state, data)
  const share = ((100 * kept) / data.facts.directions).toFixed(1)
  return [lengthsTile(state, data), { title: "Pairs that change places", value: `${swapped.length} of ${data.pairs.length}` }, { title: "Winner stays first", value: `${share}%` }]
}

// Lengths before (bars) and after (dots), shortest word first; the line is the sphere.
function lengthsTile(state, data) {
  const { norms, scale, radius } = liftOf(state, data)
  const { width, height, most } = BARS
  const x = (place) => 2 + (place * (width - 4)) / data.order.length
  const y = (length) => height - (Math.min(length, most) / most) * height
  const drawn = data.order.map((i, place) =>
    bar(x(place), y(data.lengths[i] * scale), 2.2, height - y(data.lengths[i] * scale), "axis") +
    dot(x(place) + 1.1, y(norms[i]), 2.3, norms[i] > OUT ? "miss" : "hit"))
  const exact = state.kind === "sphere"
  const called = exact ? "sphere: 1" : `sphere: √(m/4) = ${radius.toFixed(2)}`
  const edge = line(0, y(1), width, y(1), { stroke: "text", dash: "1.5 3" }) + text(0, y(1) - 12, called, { fill: "muted", size: 12 })
  const ratio = Math.max(...norms) / Math.min(...norms)
  const note = exact ? "All equal." : ratio < 1.002 ? "All equal, to three digits." : `Longest ${ratio.toFixed(2)} times the shortest; as they were ${data.ratio.toFixed(1)} times.`
  return { title: "Length of each word, lifted ● and as it was ▮", svg: { width, height, drawn: drawn.join("") + edge }, note, full: true }
}
