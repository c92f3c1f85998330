// Draws the overlay's shapes on a canvas; SvgPen in map_svg.js draws the same ones as vectors.
// A look is {fill, stroke, width, alpha, fillAlpha}, of text {fill, halo}; all measures are px.

import { fontOf, widthOf } from "./map_text.js"

const HALO = 4

export class CanvasPen {
  constructor(context) {
    this.context = context
  }

  // Those of map_outlines.js, in one stroke; matrix: from their units to px.
  outlines(outlines, matrix, look) {
    const path = new Path2D()
    for (const outline of outlines) path.addPath(outline.path, matrix)
    this.paint(path, look, "evenodd")
  }

  // Circles of one radius and look; points: [[x, y], …].
  circles(points, radius, look) {
    const path = new Path2D()
    for (const [x, y] of points) {
      path.moveTo(x + radius, y)
      path.arc(x, y, radius, 0, 2 * Math.PI)
    }
    this.paint(path, look)
  }

  // Points of one colour that darken where they lie on each other.
  dots(points, radius, fill, alpha) {
    const { context } = this
    Object.assign(context, { fillStyle: fill, globalAlpha: alpha })
    for (const [x, y] of points) {
      context.beginPath()
      context.arc(x, y, radius, 0, 2 * Math.PI)
      context.fill()
    }
    context.globalAlpha = 1
  }

  polygon(points, look) {
    const path = new Path2D()
    for (const [x, y] of points) path.lineTo(x, y)
    path.closePath()
    this.paint(path, look)
  }

  // Straight strokes, [[x0, y0, x1, y1], …].
  lines(segments, look) {
    const path = new Path2D()
    for (const [x0, y0, x1, y1] of segments) {
      path.moveTo(x0, y0)
      path.lineTo(x1, y1)
    }
    this.paint(path, look)
  }

  // Words from `left`, their middle at `y`.
  text(parts, left, y, size, { fill, halo }) {
    const { context } = this
    context.textBaseline = "middle"
    const pass = (act) => {
      let x = left
      for (const part of parts) {
        context.font = fontOf(size, part[1])
        act(part[0], x)
        x += widthOf([part], size)
      }
    }
    if (halo) {
      Object.assign(context, { strokeStyle: halo, lineWidth: HALO, lineJoin: "round" })
      pass((words, x) => context.strokeText(words, x, y))
    }
    context.fillStyle = fill
    pass((words, x) => context.fillText(words, x, y))
  }

  paint(path, { fill, stroke, width = 1, alpha = 1, fillAlpha = 1 }, rule = "nonzero") {
    const { context } = this
    if (fill) {
      context.globalAlpha = alpha * fillAlpha
      context.fillStyle = fill
      context.fill(path, rule)
    }
    if (stroke) {
      context.globalAlpha = alpha
      Object.assign(context, { strokeStyle: stroke, lineWidth: width, lineCap: "round", lineJoin: "round" })
      context.stroke(path)
    }
    context.globalAlpha = 1
  }
}
