// A pile of intervals around a truth, the first at the foot: those that miss it are pink, with a
// cross at the end that falls short.

import { clamp, dot, line, short, stroked } from "./learn_marks.js"

const FEWEST = 20 // intervals that fill the height
const WITH_MEANS = 60 // at most

// intervals: [{ low, high, mean }]; x: of a value, in px; top and foot: px between which they lie.
export function pile(intervals, truth, x, { top, foot }) {
  const step = (foot - top - 6) / Math.max(intervals.length, FEWEST)
  const width = clamp(0.62 * step, 1.4, 7)
  const held = { true: "", false: "" }
  const marks = intervals.map(({ low, high, mean }, i) => {
    const y = foot - (i + 0.5) * step - 3
    const holds = holdsIn({ low, high }, truth)
    held[holds] += `M${short(x(low))} ${short(y)}H${short(Math.max(x(high), x(low) + 2))}`
    const end = low > truth ? x(low) - 9 : x(high) + 9
    const cross = holds ? "" : crossed(end, y, clamp(0.9 * step, 3, 5))
    if (intervals.length > WITH_MEANS) return cross
    return cross + dot(x(mean), y, short(clamp(0.5 * step, 2, 5)), "background", { stroke: holds ? "flat-kmeans" : "miss", width: 2 })
  })
  return stroked(held.true, { stroke: "flat-kmeans", width, alpha: 0.7 }) + stroked(held.false, { stroke: "miss", width }) +
    marks.join("") + line(x(truth), top - 4, x(truth), foot, { stroke: "text", width: 2 })
}

// Thin, so that one can be told from the next where they are dense.
function crossed(x, y, r) {
  const d = `M${short(x - r)} ${short(y - r)}L${short(x + r)} ${short(y + r)}M${short(x + r)} ${short(y - r)}L${short(x - r)} ${short(y + r)}`
  return stroked(d, { stroke: "miss", width: short(r / 2) })
}

export const holdsIn = ({ low, high }, truth) => low <= truth && truth <= high
