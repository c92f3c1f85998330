// Which parts of the picture are taken by marks and names: boxes {left, top, right, bottom} in px.

import { overlap } from "./labels.js"

const CELL = 64

export class BoxGrid {
  constructor(width, height) {
    Object.assign(this, { width, height })
    this.columns = Math.floor(width / CELL) + 1
    this.rows = Math.floor(height / CELL) + 1
    this.cells = Array.from({ length: this.columns * this.rows }, () => [])
  }

  block(box) {
    this.some(box, (cell) => { cell.push(box) })
  }

  // Whether nothing is within `room` px of the box (twice that sideways) and all of it is in sight.
  free(box, room = 0) {
    const { left, top, right, bottom } = box
    if (left < 0 || top < 0 || right > this.width || bottom > this.height) return false
    const wide = { left: left - 2 * room, top: top - room, right: right + 2 * room, bottom: bottom + room }
    return !this.some(wide, (cell) => cell.some((other) => overlap(wide, other)))
  }

  // Whether `test` holds for a cell under the box.
  some({ left, top, right, bottom }, test) {
    const lastColumn = Math.min(Math.floor(right / CELL), this.columns - 1)
    const lastRow = Math.min(Math.floor(bottom / CELL), this.rows - 1)
    for (let row = Math.max(Math.floor(top / CELL), 0); row <= lastRow; row++) {
      for (let column = Math.max(Math.floor(left / CELL), 0); column <= lastColumn; column++) {
        if (test(this.cells[row * this.columns + column])) return true
      }
    }
    return false
  }
}

// The first free box of this size beside the point: right, left, above, below; null if none is.
export function beside(grid, [x, y], width, height, gap, room = 0) {
  const middle = y - height / 2
  const corners = [
    [x + gap, middle], [x - gap - width, middle], [x - width / 2, y - gap - height], [x - width / 2, y + gap],
    [x + gap, middle - gap], [x + gap, middle + gap], [x - gap - width, middle - gap], [x - gap - width, middle + gap],
  ]
  for (const [left, top] of corners) {
    const box = boxAt(left, top, width, height)
    if (grid.free(box, room)) return box
  }
  return null
}

export const boxAt = (left, top, width, height) => ({ left, top, right: left + width, bottom: top + height })
export const boxAround = ([x, y], half) => boxAt(x - half, y - half, 2 * half, 2 * half)
