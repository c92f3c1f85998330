// Saves the picture of a lesson as it stands, with its title, sentence and data, in the theme shown.

import { fill, make, set } from "./dom.js"
import { ink, text } from "./learn_marks.js"

const SCALE = 2 // px of a PNG for one on the page
const MARGIN = 24
const FONT = "Source Sans"
const FAMILY = `"${FONT}", "Source Sans 3", system-ui, sans-serif`

export function saveButtons(view) {
  return ["svg", "png"].map((format) => {
    const button = make("button", "mx-button", format.toUpperCase())
    set(button, { title: fill(view.course.words.save, { format: format.toUpperCase() }) })
    button.addEventListener("click", () => save(view, format))
    return button
  })
}

async function save(view, format) {
  const drawn = standing(view)
  const blob = format === "svg" ? new Blob([drawn.svg], { type: "image/svg+xml" }) : await pngOf(drawn)
  const link = document.createElement("a")
  link.href = URL.createObjectURL(blob)
  link.download = `lesson-${view.listed.number}-${view.listed.short.replace(/\W+/g, "-").replace(/-$/, "")}.${format}`
  link.click()
  setTimeout(() => URL.revokeObjectURL(link.href), 10000)
}

function standing({ picture, listed, live, lesson, course }) {
  const { sheet: { w, h }, drawn } = picture
  const [width, height] = [w + 2 * MARGIN, h + 118]
  const words = [
    text(0, 20, listed.title, { size: 20, weight: 650 }), text(0, 46, live.textContent, { size: 15 }),
    text(0, h + 84, lesson.data, { fill: "muted" }),
  ]
  const body = `<rect x="${-MARGIN}" y="-14" width="${width}" height="${height}" fill="${ink("background")}"/>${words.join("")}<g transform="translate(0 62)">${drawn}</g>`
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="${-MARGIN} -14 ${width} ${height}" font-family='${FAMILY}'>${body}</svg>`
  const style = getComputedStyle(course.root)
  return { svg: coloured(svg, (name) => style.getPropertyValue(`--${name}`).trim()), width, height }
}

// The drawing with its colours written out.
export function coloured(svg, colourOf) {
  return svg.replace(/var\(--([\w-]+)\)/g, (_, name) => colourOf(name))
}

async function pngOf({ svg, width, height }) {
  const image = new Image()
  image.src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(svg.replace(/(<svg[^>]*>)/, `$1${await ownFont()}`))}`
  await image.decode()
  const canvas = document.createElement("canvas")
  Object.assign(canvas, { width: Math.round(SCALE * width), height: Math.round(SCALE * height) })
  const context = canvas.getContext("2d")
  context.scale(SCALE, SCALE)
  context.drawImage(image, 0, 0)
  return new Promise((done) => canvas.toBlob(done, "image/png"))
}

// A picture that is not part of a page knows none of its fonts: it must bring its own.
export async function ownFont() {
  const rules = [...document.styleSheets].flatMap((sheet) => [...sheet.cssRules])
  const rule = rules.find(({ style, type }) => type === CSSRule.FONT_FACE_RULE
    && style.getPropertyValue("font-family").includes(FONT) && style.getPropertyValue("font-style") !== "italic")
  const address = rule?.style.getPropertyValue("src").match(/url\(["']?([^"')]+)/)?.[1]
  if (!address) return ""
  const bytes = new Uint8Array(await (await fetch(new URL(address, rule.parentStyleSheet.href ?? document.baseURI))).arrayBuffer())
  const written = btoa(bytes.reduce((all, byte) => all + String.fromCharCode(byte), ""))
  return `<style>@font-face { font-family: "${FONT}"; font-weight: 200 900; src: url(data:font/woff2;base64,${written}) }</style>`
}
