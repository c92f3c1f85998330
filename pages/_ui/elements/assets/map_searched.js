// What a followed search says at one position of its efforts.

// The inner products spent at a position, all parts together.
export function costAt({ costs }, position) {
  return Object.values(costs).reduce((sum, part) => sum + part[position], 0)
}

export function foundAt({ found }, position) {
  return found[position] ?? new Uint8Array(0)
}

// How many groups are marked as opened by the followed order at this position.
export function openedCount({ orderAt }, position) {
  let [low, high] = [0, orderAt.length] // ascending
  while (low < high) {
    const middle = (low + high) >> 1
    if (orderAt[middle] <= position) low = middle + 1
    else high = middle
  }
  return low
}

// 1 for each group of the level shown that is opened; null where this is not known: no search is
// followed, the index opens no groups, or another level than its finest is shown.
export function openedGroups({ message, level, position }) {
  const { followed, levels } = message
  if (!followed?.order.length || level !== levels.length - 1) return null
  const opened = new Uint8Array(levels[level].sizes.length)
  for (const group of followed.order.subarray(0, openedCount(followed, position))) opened[group] = 1
  return opened
}

// "1 probe", "2 probes"
export const noun = ([one, many], number) => (number === 1 ? one : many)

export function countFound(followed, position) {
  return foundAt(followed, position).reduce((sum, hit) => sum + hit, 0)
}

// The step of the walk that is shown, or null: none is, the walk is at its end, or its steps are of
// another effort than the one under the slider.
export function stepShown({ message: { followed }, step, position }) {
  return followed?.chosen === position ? (followed.steps[step] ?? null) : null
}
