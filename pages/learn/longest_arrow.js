// Lesson 2: a ring around the origin tells who wins in every direction. Of the recommender, whose
// users lie in 50 dimensions, it tells who wins for how many; angles mean nothing there.

import { bar, dot, line, shape, text } from "./learn_marks.js"
import { Plane, anchorAt, runsOf } from "./learn_plane.js"

const AROUND = 26 // px from the longest word to the ring
const NAMED = 8 // hubs with a colour and a name
const LEAST = 4 // degrees: a part that has a name beside it
const ROW = 20 // px of a bar

const grouped = (count) => count.toLocaleString("en-US")

// The three sets of items, with who wins in each direction, and the order that gives winners a look.
export function prepare(data) {
  const { words, points, stretched, stretches, winners, frequent_words, frequent_points, frequent_winners, hubs, users } = data
  const ever = (rows) => [...new Set(rows)]
  return {
    ...data,
    arrow: points[stretched],
    sets: {
      plane: {
        names: words,
        order: ever(winners.flatMap((row) => [...row])),
        winners: ({ f }) => winners[stretches.indexOf(f)],
        points: ({ f }) => points.map((point, i) => (i === stretched ? point.map((v) => f * v) : point)),
      },
      frequent: { names: frequent_words, order: ever(frequent_winners), winners: () => frequent_winners, points: () => frequent_points },
      users: { names: [...hubs].map((item) => `item ${item}`), order: [...hubs.keys()].slice(0, NAMED), counts: [...users] },
    },
  }
}

// Who wins, those of most first: [who, how much]; and the parts of the ring: [from, to, who], in degrees.
function wins(state, { sets }) {
  const { counts, winners } = sets[state.set]
  const won = new Map(counts?.entries())
  for (const i of winners?.(state) ?? []) won.set(i, (won.get(i) ?? 0) + 1)
  return [...won].sort((a, b) => b[1] - a[1] || a[0] - b[0])
}

function parts(state, data) {
  const { winners } = data.sets[state.set]
  if (winners) return runsOf(winners(state))
  let [end, each] = [90, 360 / asked(data, state)] // hubs begin at the top and go round to the right
  return wins(state, data).map(([i, count]) => [(end -= count * each), end + count * each, i])
}

const asked = ({ facts }, { set }) => (set === "users" ? facts.m_users : facts.directions)
const isMoved = ({ stretched }, { set }, i) => set === "plane" && i === stretched

// Which shape and colour; hubs beyond the first few have none.
function lookOf({ sets }, { set }, i) {
  const at = sets[set].order.indexOf(i)
  return { mark: at, colour: at < 0 ? "axis" : `c${at % 12}` }
}

// With room at the right for the longest arrow where one is stretched.
function planeOf(sheet, { set }, { arrow: [x], stretches }) {
  const plane = new Plane(sheet, [sheet.narrow ? 112 : 116, 36 + AROUND])
  if (set !== "plane") return plane
  plane.cx = sheet.w * (sheet.narrow ? 0.48 : 0.44)
  plane.r = Math.min(sheet.h / 2 - 36 - AROUND, (sheet.w - plane.cx - 16) / (stretches.at(-1) * x))
  return plane
}

export const handle = {
  at: (sheet, state, data) => (state.set === "plane" ? planeOf(sheet, state, data).at(data.arrow.map((v) => state.f * v)) : null),
  moved(sheet, [x, y], state, data) {
    const { cx, cy, r } = planeOf(sheet, state, data)
    const [a, b] = data.arrow
    return { f: ((x - cx) * a + (cy - y) * b) / r / (a * a + b * b) }
  },
}

export function draw(sheet, state, data) {
  const plane = planeOf(sheet, state, data)
  const all = parts(state, data)
  const inside = (state.set === "users" ? hubs : words)(plane, state, data, all)
  return [...all.map((part) => arc(plane, part, lookOf(data, state, part[2]).colour)), inside,
    ...all.map((part) => label(plane, part, state, data)), dot(plane.cx, plane.cy, 3, "text")].join("")
}

// The worksheet's first page: the words without the ring.
export function blank(sheet, state, data) {
  const plane = planeOf(sheet, state, data)
  const names = data.sets.plane.order.map((i) => ({ point: data.points[i], words: data.words[i] }))
  return [...data.points.map((point) => dot(...plane.at(point), 4, "candidate")), plane.beside(names), dot(plane.cx, plane.cy, 3, "text")].join("")
}

function arc(plane, [from, to], colour) {
  const gap = Math.min(57 / plane.r, (to - from) / 4) // degrees: 2 px of ground between parts
  return plane.arcs([[from + gap, to - gap]], AROUND, { stroke: colour, width: 12 })
}

function words(plane, state, data, all) {
  const won = new Set(all.map(([, , i]) => i))
  const points = [...data.sets[state.set].points(state)]
  const others = points.map((point, i) => (won.has(i) ? "" : dot(...plane.at(point), 3, "candidate", { alpha: 0.7 })))
  const winners = [...won].map((i) => {
    const { mark, colour } = lookOf(data, state, i)
    const tip = plane.at(points[i])
    return line(plane.cx, plane.cy, ...tip, { stroke: colour, width: isMoved(data, state, i) ? 4 : 1.75 }) + shape(mark, ...tip, 5.5, colour)
  })
  return [...others, ...winners].join("")
}

// Each hub as an arrow of its length below its part of the ring; half of all items end within the disc.
function hubs(plane, state, data, all) {
  const drawn = all.map(([from, to, i]) => {
    const { mark, colour } = lookOf(data, state, i)
    const tip = plane.rim((from + to) / 2, (data.lengths[i] - 1) * plane.r)
    return line(plane.cx, plane.cy, ...tip, { stroke: colour, width: mark < 0 ? 0.75 : 2 }) + (mark < 0 ? dot(...tip, 1.8, "candidate") : shape(mark, ...tip, 5.5, colour))
  })
  return [...drawn.reverse(), dot(plane.cx, plane.cy, data.median * plane.r, "background", { stroke: "text" })].join("")
}

function label(plane, [from, to, i], state, data) {
  const { mark, colour } = lookOf(data, state, i)
  if (mark < 0 || to - from < LEAST) return ""
  const [middle, weight] = [(from + to) / 2, isMoved(data, state, i) ? 650 : 400]
  const [x, y] = plane.rim(middle, AROUND + 29)
  return text(x, y + 5, data.sets[state.set].names[i], { anchor: anchorAt(middle), size: 14, halo: true, weight }) + shape(mark, ...plane.rim(middle, AROUND + 16), 5, colour)
}

export function sentence(state, data) {
  const all = wins(state, data)
  const [whole, { names }] = [asked(data, state), data.sets[state.set]]
  const { n_items: n, longest, by_longest: most } = data.facts
  if (state.set === "users") return `**${all.length} of ${grouped(n)}** items win for all ${grouped(whole)} users; the ${longest} longest win for **${grouped(most)}** of them.`
  if (state.set === "frequent") return `**${names[all[0][0]]}** wins **${all[0][1]} of ${whole}** directions; **${names.length - all.length} of ${names.length}** words win none.`
  const count = all.find(([i]) => i === data.stretched)?.[1] ?? 0
  return `At **${state.f.toFixed(2)}** times its length, **${names[data.stretched]}** wins **${count} of ${whole}** directions; **${names.length - all.length} of ${names.length}** words win none.`
}

export function side(state, data) {
  const all = wins(state, data)
  const [users, { names }] = [state.set === "users", data.sets[state.set]]
  const listed = users ? all.slice(0, NAMED) : all
  const drawn = listed.map(([i, count], row) => {
    const { mark, colour } = lookOf(data, state, i)
    const y = row * ROW + 10
    return shape(mark, 7, y, 5, colour) + text(19, y + 5, names[i]) + bar(98, y - 6, (56 * count) / all[0][1], 12, colour) + text(188, y + 5, count, { anchor: "end", weight: 600 })
  })
  return [
    { title: users ? "Users won, of 2,000" : "Directions won, of 720", svg: { width: 188, height: listed.length * ROW, drawn: drawn.join("") }, note: users ? `and ${all.length - NAMED} more` : "" },
    { title: users ? "Items that win" : "Words that win", value: `${all.length} of ${grouped(users ? data.facts.n_items : names.length)}`, note: users ? "Simulated. Arrows show lengths: half of all items end within the small circle." : "" },
  ]
}
