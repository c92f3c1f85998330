// What one drawing of the overlay needs: the camera as a matrix, the size, the colours.

export function frameOf(store) {
  const origin = store.screen(0, 0)
  const [right, up] = [store.screen(1, 0), store.screen(0, 1)]
  const [a, b] = [right[0] - origin[0], right[1] - origin[1]]
  const [c, d] = [up[0] - origin[0], up[1] - origin[1]]
  const [e, f] = origin
  const { width, height, colours } = store
  return {
    width, height, colours, matrix: { a, b, c, d, e, f },
    scale: Math.hypot(a, b), // px a unit
    at: (x, y) => [a * x + c * y + e, b * x + d * y + f],
  }
}

// Whether a point in px is in sight, or less than `edge` px outside.
export const inSight = ({ width, height }, [x, y], edge = 0) =>
  x >= -edge && y >= -edge && x <= width + edge && y <= height + edge

// Where a group is marked: its centroid, or else the item that carries its name.
export function groupPlace(store, level, group) {
  const { centroids, central } = store.message.levels[level]
  if (centroids && Number.isFinite(centroids[group][0])) return centroids[group]
  return itemPlace(store, central[group])
}

export function itemPlace({ arrays: { places } }, item) {
  return [places[2 * item], places[2 * item + 1]]
}
