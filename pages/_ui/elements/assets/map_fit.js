// Which view shows given items: boxes around places, with or without strays.

const STRAYS = 0.005 // a share at each side
const EDGES = 0.05 // likewise, at the ends of the way that is longer than the picture's
const WORTH = 1.25 // what leaving them out must bring, times
const SAMPLE = 20_000 // items that the view to start with is found from

// The box around all places; of size 1 where they are all the same.
export function boundsOf(places) {
  const [left, right] = extent(places, 0)
  const [bottom, top] = extent(places, 1)
  const least = Math.max(right - left, top - bottom) / 100 || 1
  const halves = { halfWidth: Math.max(right - left, least) / 2, halfHeight: Math.max(top - bottom, least) / 2 }
  return { x: (left + right) / 2, y: (bottom + top) / 2, ...halves }
}

function extent(places, first) {
  let low = Infinity
  let high = -Infinity
  for (let i = first; i < places.length; i += 2) {
    if (places[i] < low) low = places[i]
    if (places[i] > high) high = places[i]
  }
  return low <= high ? [low, high] : [0, 0]
}

// The camera that shows these items; of many, the middle nine tenths, as strays would hide them.
export function fitTo(camera, places, items, size, strays = items.length < 20 ? 0 : 0.05) {
  const { x, y, zoom } = fit(camera, places, items, size, strays)
  return { x, y, zoom: Math.min(Math.max(zoom / 1.6, 1), 200) }
}

// The camera that shows a search: the place of its query and those of all its true answers.
export function fitSearch(camera, places, { true: answers, place }, size) {
  const points = [...place, ...Array.from(answers).flatMap((item) => [places[2 * item], places[2 * item + 1]])]
  return fitTo(camera, points, Array.from({ length: points.length / 2 }, (_, i) => i), size, 0)
}

// The camera to start with: all items, unless a few strays would make the others small, or the ends
// of the longer way leave much of the picture empty.
export function homeOf(camera, places, size) {
  const n = places.length / 2
  const step = Math.ceil(n / SAMPLE)
  const some = Array.from({ length: Math.floor(n / step) }, (_, i) => i * step)
  if (n * STRAYS < 1) return { x: 0, y: 0, zoom: 1 }
  const most = fit(camera, places, some, size, STRAYS)
  const [flat, tall] = [[STRAYS, EDGES], [EDGES, STRAYS]].map((cuts) => fit(camera, places, some, size, ...cuts))
  const filling = flat.zoom > tall.zoom ? flat : tall
  const { x, y, zoom } = filling.zoom > WORTH * most.zoom ? filling : most
  return zoom > WORTH ? { x, y, zoom: zoom / 1.05 } : { x: 0, y: 0, zoom: 1 }
}

// How many items are out of sight.
export function outside(camera, places, size) {
  const [x0, y0] = camera.screen(0, 0, size)
  const scale = camera.scale(size)
  let found = 0
  for (let i = 0; i < places.length; i += 2) {
    const [x, y] = [x0 + places[i] * scale, y0 - places[i + 1] * scale]
    if (x < 0 || y < 0 || x > size.width || y > size.height) found += 1
  }
  return found
}

// What shows these items as large as the picture allows, but for shares of them: `beside` left and
// right, `over` above and below.
function fit({ bounds, half, scale }, places, items, size, beside, over = beside) {
  const [left, right] = middleOf(items, places, 0, beside)
  const [bottom, top] = middleOf(items, places, 1, over)
  const least = half / 10 // around one item some others are seen
  const zoom = Math.min(size.width / (right - left || least), size.height / (top - bottom || least))
  const at = { x: ((left + right) / 2 - bounds.x) / half, y: ((bottom + top) / 2 - bounds.y) / half }
  return { ...at, zoom: zoom / scale.call({ bounds }, size, 1) }
}

function middleOf(items, places, axis, cut) {
  const values = Float32Array.from(items, (item) => places[2 * item + axis]).sort()
  const first = Math.floor(values.length * cut)
  return [values[first], values[values.length - 1 - first]]
}
