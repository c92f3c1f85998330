// The worksheet: two pages to print, made of what the lesson declares. The first asks, the second
// answers. Always light, and readable in grey: it is for paper.

import { fill } from "./dom.js"
import { escaped } from "./learn_marks.js"
import { coloured, ownFont } from "./learn_save.js"

const [WIDTH, HEIGHT] = [680, 400] // of the picture that is asked about, in its own units
const FEW = 4 // pictures of the answers that stand in two columns
const SMALL = { w: 460, h: 330, narrow: true }
const STYLE = `
@page { size: A4; margin: 14mm 15mm }
body { margin: 0; font: 11pt/1.35 "Source Sans", "Source Sans 3", system-ui, sans-serif; color: #18202B; background: #fff }
section { box-sizing: border-box; width: 180mm; margin: 0 auto; padding: 8mm 0; break-after: page }
section:last-of-type { break-after: auto }
h1 { font-size: 18pt; font-weight: 650; line-height: 1.2; margin: 0 0 2mm }
p { margin: 0 0 2mm }
.top { display: flex; justify-content: space-between; color: #5A6472; font-size: 10pt }
figure { margin: 0 0 2mm; break-inside: avoid }
figcaption { color: #5A6472; font-size: 9.5pt; line-height: 1.3 }
svg { display: block; width: 100% }
.large svg { height: 104mm }
.answers { display: grid; grid-template-columns: repeat(var(--columns), 1fr); gap: 3mm 6mm }
.answers svg { height: var(--high) }
ol { padding-left: 6mm; margin: 2mm 0 } li { margin: 0 0 2mm }
.line { display: block; height: 8mm; border-bottom: 1px solid #B4BCC7 }
.bar { padding: 8px; text-align: center; background: #EAF1FD }
.bar button { font: inherit; padding: 6px 16px; color: #fff; background: #1F57C3; border: 0; border-radius: 6px; cursor: pointer }
@media print { .bar { display: none } section { padding: 0 } }
@media (max-width: 720px) { section { width: auto; padding: 16px } .answers { grid-template-columns: 1fr } }
`

export async function openWorksheet(view) {
  const address = URL.createObjectURL(new Blob([worksheet(view, await ownFont())], { type: "text/html" }))
  const sheet = window.open(address)
  sheet?.addEventListener("load", () => {
    sheet.document.querySelector("button").addEventListener("click", () => sheet.print())
  })
}

function worksheet(view, font) {
  const { lesson, listed, course } = view
  const { words } = course
  const asks = [...lesson.asks, { question: lesson.question, answer: lesson.answer }]
  const written = (text) => escaped(view.told(text).replace(/\{([^|{}]+)\|[^|{}]+\}/g, "$1").replaceAll("**", ""))
  const items = (texts, more = "") => `<ol>${texts.map((text) => `<li>${written(text)}${more}</li>`).join("")}</ol>`
  const top = (right) => `<p class="top"><span>MIPS Explorer · ${words.title} · ${fill(words.where, listed)}</span><span>${right}</span></p>`
  const line = '<span class="line"></span>'
  return `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escaped(`${words.worksheet}: ${listed.title} · MIPS Explorer`)}</title><style>${STYLE}</style>${font}</head><body>
<div class="bar"><button type="button">${words.print}</button></div>
<section>${top(`${words.name} ______________________`)}<h1>${escaped(listed.title)}</h1><p>${written(lesson.intro)}</p>
<figure class="large">${asked(view)}<figcaption>${escaped(lesson.data)}</figcaption></figure>${items(asks.map(({ question }) => question), line)}</section>
<section>${top(words.answers)}<h1>${words.answers}</h1>${items(asks.map(({ answer }) => answer))}${pictures(view)}</section></body></html>`
}

function asked({ module, lesson, data, course }) {
  const state = { ...lesson.defaults, ...lesson.sheet }
  return svgOf(course, { w: WIDTH, h: HEIGHT, narrow: false }, (sheet) => (module.blank ?? module.draw)(sheet, state, data))
}

// What the pictures of the answers show, each with its sentence.
function pictures({ module, lesson, data, course }) {
  const few = lesson.pictures.length <= FEW
  const figures = lesson.pictures.map((changed) => {
    const state = { ...lesson.defaults, ...changed }
    const said = module.sentence(state, data).replaceAll("**", "")
    return `<figure>${svgOf(course, SMALL, (sheet) => module.draw(sheet, state, data))}<figcaption>${escaped(said)}</figcaption></figure>`
  })
  return `<div class="answers" style="--columns: ${few ? 2 : 3}; --high: ${few ? 60 : 40}mm">${figures.join("")}</div>`
}

function svgOf({ message: { tokens: { light } } }, sheet, draw) {
  const colours = { accent: light["flat-kmeans"], border: light.axis, ...light }
  const svg = `<svg viewBox="0 0 ${sheet.w} ${sheet.h}" aria-hidden="true">${draw(sheet)}</svg>`
  return coloured(svg, (name) => colours[name])
}
