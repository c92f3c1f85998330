// The best words of a query in the plane, found or missed: by mark, by name, and beside what they cost.

import { bill } from "./learn_bill.js"
import { hit, line, list, miss, text } from "./learn_marks.js"
import { rangesOf } from "./learn_plane.js"

const LOW = 300 // px: a lower picture has no names

// Directions are counted in half degrees.
export const directionOf = (q) => Math.round(2 * q) % 720

// data: words, points and, for each direction, the `truth`. isMissed(item): how it went.
export function answers(plane, { w, h }, { words, points, truth }, q, isMissed) {
  const marks = Array.from(truth[directionOf(q)], (item) => {
    const [x, y] = plane.at(points[item])
    const gone = isMissed(item)
    return { x, y, gone, words: words[item] + (gone ? " missed" : "") }
  })
  return plane.named(marks, plane.rim(q), w).map(({ x, y, gone, words: name, tx, ty, right, led }) => {
    const mark = gone ? miss(x, y) : hit(x, y, 7)
    if (h < LOW) return mark
    const lead = led ? line(x, y, tx + (right ? -3 : 3), ty - 5, { stroke: gone ? "miss" : "hit", width: 1.25 }) : ""
    return lead + mark + text(tx, ty, name, { anchor: right ? "start" : "end", size: 15, weight: 650, fill: gone ? "miss" : "text", halo: true })
  }).join("")
}

// Where one, two, three words are missed: arcs, `beyond` px outside the circle. lost: by direction.
export function lostArcs(plane, lost, beyond) {
  return [1, 2, 3].map((least) => plane.arcs(rangesOf(lost.length, (i) => lost[i] >= least), beyond + 5 * least, { stroke: "miss", width: 4, alpha: least === 3 ? 1 : 0.45 })).join("")
}

// The sentence's part on what was found, and at which cost. gone: the words missed, of `wanted`.
export function outcome(gone, wanted, cost, all) {
  const missed = gone.length ? ` and misses **${list(gone)}**` : ""
  const against = cost > all ? `, more than comparing all ${all} words.` : ` instead of ${all}.`
  return `finds **${wanted - gone.length} of ${wanted}**${missed}: **${cost}** inner products${against}`
}

// gone: for each of the best words whether it was missed.
export function bestTile(gone) {
  const marks = gone.map((missed, i) => (missed ? miss(14 + i * 34, 16, 8) : hit(14 + i * 34, 16, 11)))
  const found = `${gone.filter((missed) => !missed).length} of ${gone.length}`
  const drawn = marks.join("") + text(188, 22, found, { anchor: "end", size: 20, weight: 600 })
  return { title: "Best three words", svg: { width: 188, height: 32, drawn } }
}

// What choosing took and how many words were compared then, beside comparing all of them.
export function searchTile(chosen, compared, all, colour, note, width = 188) {
  const rows = [
    { name: "This search", label: `${chosen} + ${compared} = ${chosen + compared}`, parts: [[chosen, colour], [compared, colour, 0.45]] },
    { name: "Comparing all", label: all, parts: [[all, "exact", 0.6]] },
  ]
  return { title: "Inner products", svg: bill(rows, Math.max(all + 8, chosen + compared), width), note, full: true }
}
