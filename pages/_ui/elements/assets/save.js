// Saves the picture as it stands: names and operating point become part of the figure.

import { plain } from "./dom.js"
import { plotly } from "./picture.js"

export async function save(picture, format, name) {
  const Plotly = await plotly()
  const { clientWidth: width, clientHeight: height } = picture.host
  const figure = withOverlay(picture, Plotly)
  const url = await Plotly.toImage(figure, { format, width, height, scale: format === "png" ? 2 : 1 })
  const blob = await (await fetch(url)).blob()
  const link = document.createElement("a")
  link.href = URL.createObjectURL(blob)
  link.download = `${name.replace(/[^\w.-]+/g, "-")}.${format}`
  link.click()
  setTimeout(() => URL.revokeObjectURL(link.href), 10000)
}

function withOverlay(picture) {
  const { figure, plot, point, colours } = picture
  const { xaxis, yaxis } = plot._fullLayout
  const font = { color: colours.text, size: 13 }
  const names = picture.placedNames().map((name) => ({
    text: `<span style="color:${name.colour}">${name.glyph}</span> ${plain(name.name)}`,
    x: name.fromLeft, y: -name.fromTop, xanchor: "left", yanchor: "middle", font,
  }))
  if (point && picture.overlay.label) names.push(pointLabel(point, picture.overlay.label, xaxis, yaxis, font))
  const inPixels = names.map(({ x, y, ...rest }) => ({
    ...rest, showarrow: false, xref: "paper", yref: "paper", x: x / xaxis._length, y: 1 + y / yaxis._length,
  }))
  const layout = {
    ...figure.layout, paper_bgcolor: colours.background, plot_bgcolor: colours.background,
    xaxis: { ...figure.layout.xaxis, range: xaxis.range, autorange: false },
    yaxis: { ...figure.layout.yaxis, range: yaxis.range, autorange: false },
    annotations: [...(figure.layout.annotations ?? []), ...inPixels],
    shapes: [...(figure.layout.shapes ?? []), ...dropLines(point, xaxis, yaxis)],
  }
  return { data: [...figure.data, ...ring(point, colours)], layout, config: {} }
}

function ring(point, { background }) {
  if (!point) return []
  const marker = { size: 16, color: background, line: { color: point.colour, width: 4 } }
  return [{ type: "scatter", mode: "markers", x: [point.x], y: [point.y], marker }]
}

function dropLines(point, xaxis, yaxis) {
  if (!point) return []
  const start = xaxis.type === "log" ? 10 ** xaxis.range[0] : xaxis.range[0]
  const line = { color: point.colour, width: 1, dash: "dot" }
  return [
    { type: "line", x0: point.x, x1: point.x, y0: yaxis.range[0], y1: point.y, line },
    { type: "line", x0: start, x1: point.x, y0: point.y, y1: point.y, line },
  ]
}

function pointLabel(point, box, xaxis, yaxis, font) {
  const text = point.text.split("**").map((part, i) => (i % 2 ? `<b>${plain(part)}</b>` : plain(part))).join("")
  const x = box.left - xaxis._offset, y = yaxis._offset - (box.top + box.bottom) / 2
  return { text, x, y, xanchor: "left", yanchor: "middle", font }
}
