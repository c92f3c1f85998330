// Draws the cells of the treemap: colour, name, what a search opens and misses, what is pointed at.

import { rgbOf } from "./map_shades.js"
import { fontOf, shortened, widthOf } from "./map_text.js"
import { along, css, inkOn, mixed, sequence } from "./map_tones.js"

const [FULL, FADED] = [0.62, 0.16] // strength of a cluster's colour on the ground
const [FADED_VALUE, FADED_NAME] = [0.25, 0.6]
const [NAME, LINE, MARGIN] = [12, 16, 5] // px: letters, their line, room beside them
const LEAST_SIGNS = 6 // of a name that is cut; fewer say little
const [ARM, CROSS_ROOM] = [3.5, 11] // px of a cross that marks a miss

// What the cells are filled with: functions of a group and whether it is opened to its shade.
export function clusterShades({ colours: numbers }, colours) {
  const ground = rgbOf(colours.background)
  const shades = [FADED, FULL].map((strength) =>
    Array.from({ length: 12 }, (_, i) => mixed(ground, rgbOf(colours[`c${i}`]), strength)))
  return (group, open) => shades[Number(open)][numbers[group]]
}

export function valueShades(values, [low, high], colours) {
  const ground = rgbOf(colours.background)
  const palette = sequence(colours).map(rgbOf)
  const unknown = mixed(ground, rgbOf(colours.muted), 0.3)
  return (group, open) => {
    const value = values[group]
    const share = high > low ? (value - low) / (high - low) : 0.5
    const shade = Number.isNaN(value) ? unknown : along(palette, share)
    return open ? shade : mixed(ground, shade, FADED_VALUE)
  }
}

// The least and the largest known of `values`, of groups that hold items.
export function ends(values, sizes) {
  const known = Array.from(values).filter((value, group) => sizes[group] && Number.isFinite(value))
  return known.length ? [known.reduce((a, b) => Math.min(a, b)), known.reduce((a, b) => Math.max(a, b))] : [0, 0]
}

// shares: of each group's items, the candidates; null where no search is followed.
export function paintCells(context, cells, { shadeOfGroup, shares, names, colours }) {
  const inks = ["text", "background"].map((token) => rgbOf(colours[token]))
  context.textBaseline = "middle"
  context.font = fontOf(NAME, 600)
  for (const cell of cells) {
    const { group, left, top, right, bottom } = cell
    const share = shares ? shares[group] : 1
    const across = left + (right - left) * share
    if (share < 1) fill(context, shadeOfGroup(group, false), across, top, right, bottom)
    if (share > 0) fill(context, shadeOfGroup(group, true), left, top, across, bottom)
    const name = nameWithin(names[group], right - left - 2 * MARGIN, bottom - top)
    if (!name) continue
    context.fillStyle = css(inkOn(shadeOfGroup(group, share > 0.5), ...inks))
    context.globalAlpha = share > 0 ? 1 : FADED_NAME
    context.fillText(name, left + MARGIN, top + 2 + LINE / 2)
    context.globalAlpha = 1
  }
}

function fill(context, shade, left, top, right, bottom) {
  context.fillStyle = css(shade)
  context.fillRect(left, top, right - left, bottom - top)
}

// The name if it fits into these px, whole or with its end cut off; "" if little of it would.
function nameWithin(name, width, height) {
  if (height < LINE || width < 2 * NAME || !name) return ""
  const whole = shortened(name)
  if (widthOf([[whole, 600]], NAME) <= width) return whole
  const signs = [...whole]
  const room = Math.floor((signs.length * width) / widthOf([[whole, 600]], NAME)) - 1
  return room < LEAST_SIGNS ? "" : `${signs.slice(0, room).join("").trimEnd()}…`
}

// cells of groups: outlined {cell, strong}; misses: group -> how many true answers it hides.
export function paintMarks(context, cellOf, { misses, hovered, focus, colours }) {
  for (const [group, missed] of misses) if (cellOf(group)) crosses(context, cellOf(group), missed, colours)
  for (const [group, width] of [[focus, 2.5], [hovered, 1.5]]) {
    const cell = cellOf(group)
    if (!cell) continue
    for (const [stroke, line] of [[colours.background, width + 2], [colours.text, width]]) {
      Object.assign(context, { strokeStyle: stroke, lineWidth: line })
      context.strokeRect(cell.left + 0.5, cell.top + 0.5, Math.max(cell.right - cell.left - 1, 1), Math.max(cell.bottom - cell.top - 1, 1))
    }
  }
}

// At the lower right, beside each other while there is room; in the middle of a small cell.
function crosses(context, { left, top, right, bottom }, missed, colours) {
  const room = Math.max(1, Math.min(missed, Math.floor((right - left) / CROSS_ROOM)))
  const small = right - left < 2 * CROSS_ROOM || bottom - top < 2 * CROSS_ROOM
  for (let i = 0; i < (small ? 1 : room); i++) {
    const x = small ? (left + right) / 2 : right - CROSS_ROOM * (i + 0.6)
    const y = small ? (top + bottom) / 2 : bottom - CROSS_ROOM * 0.6
    for (const [stroke, width] of [[colours.background, 5], [colours.miss, 2.5]]) {
      Object.assign(context, { strokeStyle: stroke, lineWidth: width })
      context.beginPath()
      for (const side of [-1, 1]) {
        context.moveTo(x - ARM, y - side * ARM)
        context.lineTo(x + ARM, y + side * ARM)
      }
      context.stroke()
    }
  }
}
