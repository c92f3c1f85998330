// Lesson 1: a line, a ray and a circle come nearer until each meets a word. What they went over is
// shaded: no word lies in it.

import { dot, line, path, rad, shape, text, widthOf } from "./learn_marks.js"
import { Plane } from "./learn_plane.js"

const MEANINGS = {
  inner: { name: "Inner product", colour: "c0", mark: 0 },
  cosine: { name: "Cosine", colour: "c2", mark: 2 },
  distance: { name: "Distance", colour: "c1", mark: 1 },
}
const RIM = 15 // px around the ring at the tip
const FAR = 1.5 // where the line comes from

const place = ({ q }) => Math.round(2 * q) % 720
const row = ({ q, r }, { lengths }) => 720 * lengths.indexOf(r) + place({ q })
const shown = ({ show }) => (show === "all" ? Object.keys(MEANINGS) : [show])
const along = (degrees, far) => [far * Math.cos(rad(degrees)), far * Math.sin(rad(degrees))]

// The nearest word in each meaning and the next one.
function nearest(state, data) {
  return { inner: data.inner[place(state)], cosine: data.cosine[place(state)], distance: data.distance[row(state, data)] }
}

// What each meaning says of its nearest word and of the next.
function values(state, data) {
  return {
    inner: [...data.products[place(state)]].map((product) => (state.r * product).toFixed(2)),
    cosine: [...data.degrees[place(state)]].map((degrees) => `${degrees.toFixed(1)}°`),
    distance: [...data.hundredths[row(state, data)]].map((hundredths) => (hundredths / 100).toFixed(2)),
  }
}

const planeOf = (sheet) => new Plane(sheet, [sheet.narrow ? 62 : RIM, RIM])

export const handle = {
  at: (sheet, { q, r }) => planeOf(sheet).at(along(q, r)),
  moved(sheet, [x, y]) {
    const plane = planeOf(sheet)
    return { q: plane.angle([x, y]), r: Math.hypot(x - plane.cx, y - plane.cy) / plane.r }
  },
}

export function draw(sheet, state, data) {
  const plane = planeOf(sheet)
  const best = nearest(state, data)
  const swept = shown(state).map((meaning) => SWEPT[meaning](plane, state, data, best[meaning][0])).join("")
  const outside = new Set(data.hull)
  const dots = data.points.map((point, i) => dot(...plane.at(point), 4, "candidate", { alpha: state.hull === "no" || outside.has(i) ? 1 : 0.4 }))
  return [
    `<clipPath id="mx-swept"><rect width="${sheet.w}" height="${sheet.h}"/></clipPath><g clip-path="url(#mx-swept)">${swept}</g>`,
    state.hull === "yes" ? plane.region([...data.hull].map((i) => data.points[i]), { stroke: "text", width: 1.5 }) : "",
    ...dots,
    plane.query(state.q, state.r),
    names(plane, state, data, best),
  ].join("")
}

// The worksheet's first page: a query and the names of words it could meet, for ruler and compasses.
export function blank(sheet, state, data) {
  const plane = planeOf(sheet)
  const named = new Set([...data.hull, ...Object.values(nearest(state, data)).flatMap((two) => [...two])])
  const names = plane.beside([...named].map((i) => ({ point: data.points[i], words: data.words[i] })))
  return [...data.points.map((point) => dot(...plane.at(point), 4, "candidate")), names, plane.query(state.q, state.r, 0)].join("")
}

// What was gone over so far, and the edge: it has met the word i where `near` is 1.
const SWEPT = {
  inner(plane, { q, near }, { points }, i) {
    const [ux, uy] = along(q, 1)
    const far = FAR + near * (plane.along(q, points[i]) - FAR)
    const corner = (on, side) => [on * ux - side * uy, on * uy + side * ux]
    const away = 9 // beyond every edge
    const edge = [corner(far, away), corner(far, -away)].map((point) => plane.at(point))
    return plane.region([corner(far, away), corner(far, -away), corner(away, -away), corner(away, away)], { fill: "c0", alpha: 0.1 }) +
      line(...edge[0], ...edge[1], { stroke: "c0", width: 2, dash: "7 5" })
  },
  cosine(plane, { q, near }, { points }, i) {
    const turn = near * (((((Math.atan2(points[i][1], points[i][0]) * 180) / Math.PI - q + 540) % 360) + 360) % 360 - 180)
    const ray = (part) => plane.at(along(q + part * turn, 3))
    const fan = [...Array(25).keys()].map((j) => ray(j / 12 - 1))
    return path([[plane.cx, plane.cy], ...fan], { fill: "c2", alpha: 0.16, closed: true }) +
      [1, -1].map((part) => line(plane.cx, plane.cy, ...ray(part), { stroke: "c2", width: 2, dash: part > 0 ? "" : "2 5" })).join("")
  },
  distance(plane, { q, r, near }, { points }, i) {
    const tip = along(q, r)
    const radius = near * Math.hypot(points[i][0] - tip[0], points[i][1] - tip[1]) * plane.r
    return dot(...plane.at(tip), radius, "c1", { alpha: 0.14 }) + dot(...plane.at(tip), radius, "", { stroke: "c1", width: 2 })
  },
}

// The nearest words, marked by each meaning that names them; those on the outline, if it is shown.
function names(plane, state, data, best) {
  const met = new Map()
  for (const meaning of state.near < 1 ? [] : shown(state)) met.set(best[meaning][0], [...(met.get(best[meaning][0]) ?? []), MEANINGS[meaning]])
  if (state.hull === "yes") for (const i of data.hull) met.set(i, met.get(i) ?? [])
  const labels = [...met].map(([i, meanings]) => ({ word: data.words[i], meanings, x: plane.x(data.points[i]), y: plane.y(data.points[i]) }))
  const put = []
  for (const label of labels.sort((a, b) => b.meanings.length - a.meanings.length || a.y - b.y)) {
    const { word, meanings, x, y } = label
    label.size = meanings.length ? 15 : 13
    label.width = widthOf(word, label.size + 1)
    label.right = x >= plane.cx || x - 13 < label.width
    label.x0 = label.right ? x + 13 + 15 * Math.max(0, meanings.length - 1) : x - 13 - label.width
    label.baseline = y + 5
    const crossed = (other) => Math.abs(other.baseline - label.baseline) < 17 && label.x0 < other.x0 + other.width && other.x0 < label.x0 + label.width
    while (put.some(crossed)) label.baseline += 3
    put.push(label)
  }
  return put.map(({ word, meanings, x, y, right, size, width, x0, baseline }) =>
    meanings.map(({ colour, mark }, j) => shape(mark, x + 15 * j, y, 7.5, colour)).join("") +
    text(right ? x0 : x0 + width, baseline, word, { anchor: right ? "start" : "end", size, weight: meanings.length ? 650 : 400, halo: true })).join("")
}

export function sentence(state, data) {
  if (state.near < 1) return "The shaded part holds no word: **nothing is met yet**. Come nearer."
  const { inner, cosine, distance } = nearest(state, data)
  const [far, round, near] = [inner, cosine, distance].map(([i]) => `**${data.words[i]}**`)
  const ever = state.hull === "yes" ? ` **${data.hull.length} of ${data.words.length}** words ever win by inner product.` : ""
  return `Farthest along the arrow: ${far}. Smallest angle: ${round}. Nearest to the tip: ${near}.${ever}`
}

export function side(state, data) {
  const [best, said] = [nearest(state, data), values(state, data)]
  return Object.entries(MEANINGS).map(([meaning, { name, colour, mark }]) => {
    const [first, next] = [...best[meaning]].map((i) => (state.near < 1 ? "?" : data.words[i]))
    const drawn = shape(mark, 9, 15, 7, colour) + text(26, 22, first, { size: 22, weight: 600 })
    return { title: name, svg: { width: 188, height: 30, drawn }, note: state.near < 1 ? "not met yet" : `${said[meaning][0]}; next ${next}, ${said[meaning][1]}` }
  })
}
