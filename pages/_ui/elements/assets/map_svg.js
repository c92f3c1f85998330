// Draws the overlay's shapes as SVG, for a picture that is saved. All text goes in as text.

import { set, svg } from "./dom.js"
import { family, widthOf } from "./map_text.js"

const HALO = 4
const short = (value) => String(Math.round(10 * value) / 10)

export class SvgPen {
  constructor(parent) {
    this.parent = parent
  }

  outlines(outlines, { a, b, c, d, e, f }, look) {
    const at = ([x, y]) => `${short(a * x + c * y + e)} ${short(b * x + d * y + f)}`
    const group = this.add("g", { "fill-rule": "evenodd", ...styleOf(look) })
    for (const { rings } of outlines) {
      group.append(svg("path", { d: rings.map((ring) => `M${ring.map(at).join("L")}Z`).join("") }))
    }
  }

  circles(points, radius, look) {
    const group = this.add("g", styleOf(look))
    for (const [x, y] of points) group.append(svg("circle", { cx: short(x), cy: short(y), r: radius }))
  }

  dots(points, radius, fill, alpha) {
    const group = this.add("g", { fill, "fill-opacity": alpha.toFixed(3) })
    const r = radius.toFixed(2)
    for (const [x, y] of points) group.append(svg("circle", { cx: short(x), cy: short(y), r }))
  }

  polygon(points, look) {
    this.add("path", { d: `M${points.map(([x, y]) => `${short(x)} ${short(y)}`).join("L")}Z`, ...styleOf(look) })
  }

  lines(segments, look) {
    const d = segments.map(([x0, y0, x1, y1]) => `M${short(x0)} ${short(y0)}L${short(x1)} ${short(y1)}`).join("")
    if (d) this.add("path", { d, ...styleOf(look) })
  }

  text(parts, left, y, size, { fill, halo }) {
    const spans = parts.map(([words, weight]) => {
      const span = svg("tspan", { "font-weight": weight })
      span.textContent = words
      return span
    })
    const around = { stroke: halo, "stroke-width": HALO, "stroke-linejoin": "round", "paint-order": "stroke" }
    const stroke = halo ? around : {}
    const node = svg("text", { x: short(left), y: short(y + 0.34 * size), fill, ...stroke }, ...spans)
    node.setAttribute("font-family", family)
    node.setAttribute("font-size", size)
    set(node, { textLength: short(widthOf(parts, size)), lengthAdjust: "spacingAndGlyphs" }) // as wide in any font
    node.setAttributeNS("http://www.w3.org/XML/1998/namespace", "xml:space", "preserve")
    this.parent.append(node)
  }

  add(tag, attributes) {
    const node = svg(tag, attributes)
    this.parent.append(node)
    return node
  }
}

function styleOf({ fill, stroke, width = 1, alpha = 1, fillAlpha = 1 }) {
  const line = stroke ? { stroke, "stroke-width": width, "stroke-linecap": "round", "stroke-linejoin": "round" } : {}
  return { fill: fill || "none", "fill-opacity": fillAlpha, opacity: alpha, ...line }
}
