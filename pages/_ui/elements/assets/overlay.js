// What lies on the curves and moves without redrawing them: the operating point and curve names.

import { bold, set, svg } from "./dom.js"
import { beside, overlap } from "./labels.js"

export class Overlay {
  constructor(host) {
    this.names = svg("g")
    this.boxes = []
    this.lines = [svg("line"), svg("line")]
    this.ring = svg("circle", { r: 8, "stroke-width": 4 })
    this.text = svg("text", { class: "mx-point-label" })
    this.point = svg("g", { class: "mx-point" }, ...this.lines, this.ring, this.text)
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

  // point: {x, y, text, colour, background} in px, or null; area: the plot's box; grid: its curves.
  // Returns the boxes that it takes.
  move(point, area, grid) {
    const shown = point && point.x >= area.left - 1 && point.x <= area.right + 1 &&
      point.y >= area.top - 1 && point.y <= area.bottom + 1
    this.point.style.display = shown ? "" : "none"
    this.label = null
    if (!shown) return this.fade([])
    const { x, y } = point
    set(this.ring, { cx: x, cy: y, fill: point.background, stroke: point.colour })
    set(this.lines[0], { x1: x, x2: x, y1: y + 10, y2: area.bottom, stroke: point.colour })
    set(this.lines[1], { x1: area.left, x2: x - 10, y1: y, y2: y, stroke: point.colour })
    this.lines[1].style.display = x - 10 > area.left ? "" : "none"
    this.label = this.write(point, grid)
    const lines = [
      { left: x - 4, right: x + 4, top: y, bottom: area.bottom }, { left: area.left, right: x, top: y - 4, bottom: y + 4 },
      { left: x - 12, right: x + 12, top: y - 12, bottom: y + 12 },
    ]
    return this.fade(this.label ? [this.label, ...lines] : lines)
  }

  // The label stands beside the ring where no curve runs, or is left out: the sentence says the same.
  write(point, grid) {
    bold(this.text, point.text, (part) => svg("tspan", { "font-weight": 650 }, part))
    const box = beside(point.x, point.y, this.text.getComputedTextLength() + 4, grid, this.place)
    this.text.style.visibility = box ? "" : "hidden" // its width is asked for again
    if (box) set(this.text, { x: box.left + 2, y: (box.top + box.bottom) / 2 })
    this.place = box?.place
    return box
  }

  // Names under what moves step back for as long as it is there.
  fade(boxes) {
    ;[...this.names.children].forEach((name, i) => {
      name.style.opacity = boxes.some((box) => overlap(this.boxes[i], box)) ? 0 : 1
    })
    return boxes
  }
}
