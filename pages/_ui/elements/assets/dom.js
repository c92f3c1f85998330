// Small helpers. Text from outside goes in through textContent only, never as HTML.

const SVG = "http://www.w3.org/2000/svg"

export function make(tag, className, ...children) {
  const node = document.createElement(tag)
  node.className = className
  node.append(...children)
  return node
}

export function svg(tag, attributes = {}, ...children) {
  const node = document.createElementNS(SVG, tag)
  set(node, attributes)
  node.append(...children)
  return node
}

export function set(node, attributes) {
  for (const [name, value] of Object.entries(attributes)) node.setAttribute(name, value)
}

// A mark that opens the lesson about what it stands beside, in a tab of its own; nothing where there is none.
export function lessonMark(lesson) {
  if (!lesson) return []
  const mark = make("a", "mx-why", "?")
  set(mark, { href: lesson.address, target: "_blank", rel: "noopener", "aria-label": lesson.words, title: lesson.words })
  return [mark]
}

// "{effort} of {live}" with its fields filled in; unknown fields stay.
export function fill(template, values) {
  return template.replace(/\{(\w+)\}/g, (field, name) => values[name] ?? field)
}

// Text whose **marked** parts are bold, put into `node` as elements made by `strong`.
export function bold(node, text, strong = (part) => make("strong", "", part)) {
  node.replaceChildren(...text.split("**").map((part, i) => (i % 2 ? strong(part) : part)))
}

// Text as Plotly must be given it to show it as it is. Python's twin is styles.plain.
export function plain(text) {
  const entities = { "&": "&amp;", "<": "&lt;", ">": "&gt;", "%{": "&#37;{" }
  return text.replace(/[&<>]|%\{/g, (sign) => entities[sign])
}

// Text may come and go, but the room it once needed stays, so that nothing below it jumps.
export function keepRoom(node) {
  const { offsetHeight, style } = node
  if (offsetHeight > (parseFloat(style.minHeight) || 0)) style.minHeight = `${offsetHeight}px`
}

const whole = new Intl.NumberFormat("en-US", { maximumFractionDigits: 0 })
export const count = (value) => whole.format(value)
export const counted = (value, one, many) => `${count(value)} ${count(value) === "1" ? one : many}`
export const partOfCost = (value, many) => counted(value, many.slice(0, -1), many) // 1 centroid, 2 centroids
export const percent = (share) => (100 * share).toFixed(1)
export const times = (value) => (value >= 100 ? count(value) : value.toFixed(value < 1 ? 2 : 1))

// Calls `work` once in the next frame, however often it is asked.
export function oncePerFrame(work) {
  let asked = false
  return () => {
    if (asked) return
    asked = true
    requestAnimationFrame(() => {
      asked = false
      work()
    })
  }
}
