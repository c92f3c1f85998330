// What lies on the curves and moves without redrawing them: the operating point and curve names.

import { bold, set, svg } from "./dom.js"
import { overlap } from "./labels.js"

export class Overlay {
  constructor(host) {
    this.names = svg("g")
    this.boxes = []
    this.lines = [svg("line"), svg("line")]
    this.ring = svg("circle", { r: 8, "stroke-width": 4 })
    this.back = svg("rect", { rx: 3 })
    this.text = svg("text", { class: "mx-point-label" })
    this.point = svg("g", { class: "mx-point" }, ...this.lines, this.ring, this.back, this.text)
    this.layer = svg("svg", { class: "mx-overlay", "aria-hidden": "true" }, this.names, this.point)
    host.append(this.layer)
  }

  // labels: {x, y, box, glyph, name, colour}, in px.
  name(labels) {
    this.boxes = labels.map((label) => label.box)
    this.names.replaceChildren(...labels.map((label) =>
      svg("text", { x: label.x, y: label.y, class: "mx-name" },
        svg("tspan", { fill: label.colour }, label.glyph), ` ${label.name}`)))
  }

  // point: {x, y, text, colour, background} in px, or null; area: the plot's box.
  move(point, area) {
    const shown = point && point.x >= area.left - 1 && point.x <= area.right + 1 &&
      point.y >= area.top - 1 && point.y <= area.bottom + 1
    this.point.style.display = shown ? "" : "none"
    if (!shown) return this.fade(null)
    const { x, y } = point
    set(this.ring, { cx: x, cy: y, fill: point.background, stroke: point.colour })
    set(this.lines[0], { x1: x, x2: x, y1: y + 10, y2: area.bottom, stroke: point.colour })
    set(this.lines[1], { x1: area.left, x2: x - 10, y1: y, y2: y, stroke: point.colour })
    this.lines[1].style.display = x - 10 > area.left ? "" : "none"
    this.fade(this.write(point, area))
  }

  // The label stands right above the ring, or left of it or below where the plot ends.
  write(point, area) {
    bold(this.text, point.text, (part) => svg("tspan", { "font-weight": 650 }, part))
    const width = this.text.getComputedTextLength()
    const left = point.x + 14 + width > area.right ? Math.max(point.x - 14 - width, area.left + 4) : point.x + 14
    const middle = point.y - 16 < area.top + 8 ? point.y + 18 : point.y - 16
    set(this.text, { x: left, y: middle })
    const box = { left: left - 4, top: middle - 10, right: left + width + 4, bottom: middle + 10 }
    set(this.back, { x: box.left, y: box.top, width: width + 8, height: 20, fill: point.background })
    return box
  }

  // Names under the moving label step back for as long as it is there.
  fade(box) {
    ;[...this.names.children].forEach((name, i) => {
      name.style.opacity = box && overlap(this.boxes[i], box) ? 0 : 1
    })
  }
}
