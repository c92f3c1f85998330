// Items as text for Python, as short as they allow; `items_of` in elements/map.py reads it.

const RUNS = 0
const BITS = 1
const PIECE = 8192

// items: ascending and distinct, of n. Runs of consecutive items, or a bit for each, if that is shorter.
export function textOf(items, n) {
  const runs = runsOf(items, 1 + Math.ceil(n / 8))
  const bytes = runs ?? bitsOf(items, n)
  let text = ""
  for (let i = 0; i < bytes.length; i += PIECE) text += String.fromCharCode(...bytes.subarray(i, i + PIECE))
  return btoa(text)
}

// null where it would take more than `most` bytes.
function runsOf(items, most) {
  const bytes = [RUNS]
  let end = 0 // of the run before
  for (let i = 0; i < items.length; ) {
    let next = i + 1
    while (next < items.length && items[next] === items[next - 1] + 1) next++
    put(bytes, items[i] - end)
    put(bytes, next - i - 1)
    end = items[next - 1] + 1
    i = next
    if (bytes.length > most) return null
  }
  return Uint8Array.from(bytes)
}

// In base 128, the least part first; the high bit says that more follow.
function put(bytes, number) {
  for (; number >= 128; number >>>= 7) bytes.push((number & 127) | 128)
  bytes.push(number)
}

function bitsOf(items, n) {
  const bytes = new Uint8Array(1 + Math.ceil(n / 8))
  bytes[0] = BITS
  for (const item of items) bytes[1 + (item >> 3)] |= 1 << (item & 7)
  return bytes
}
