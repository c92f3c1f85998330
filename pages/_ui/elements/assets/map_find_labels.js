// Finds labels that hold a text among very many, a slice of a few milliseconds at a time, so that
// the page stays live. The order is that of mips_core/labels.py.

const SLICE = 6 // ms
const CHECK = 2048 // labels between two looks at the clock
const ASCII = /^[\x00-\x7f]*$/
const folded = new WeakMap() // labels -> the same without regard to capitals

// As Python's casefold for nearly all text: "ß" becomes "ss", a final "ς" becomes "σ".
export function fold(text) {
  return ASCII.test(text) ? text.toLowerCase() : text.toUpperCase().toLowerCase().replaceAll("ς", "σ")
}

// {items, count}: up to `most` of the labels that hold `text`, the nearest first, and how many hold
// it; null once `stale()` is true. Nearest are those equal to the text, then equal but for the case,
// then those that begin with it, then the rest; in each of these by position.
export async function matching(labels, text, most, stale) {
  const wanted = text.trim()
  const near = [[], [], [], []]
  let count = 0
  if (!wanted) return { items: [], count }
  const sought = fold(wanted)
  if (!folded.has(labels)) folded.set(labels, [])
  const known = folded.get(labels)
  let begun = performance.now()
  for (let item = 0; item < labels.length; item++) {
    if (item % CHECK === 0 && performance.now() - begun > SLICE) {
      await rest()
      if (stale()) return null
      begun = performance.now()
    }
    const label = (known[item] ??= fold(labels[item]))
    if (!label.includes(sought)) continue
    count += 1
    const kind = labels[item].trim() === wanted ? 0 : label.trim() === sought ? 1 : label.startsWith(sought) ? 2 : 3
    if (near[kind].length < most) near[kind].push(item)
  }
  return { items: near.flat().slice(0, most), count }
}

// Lets the browser do what waits; a timer would make it wait longer.
function rest() {
  return new Promise((done) => {
    const { port1, port2 } = new MessageChannel()
    port1.onmessage = () => { port1.close(); done() }
    port2.postMessage(0)
  })
}
