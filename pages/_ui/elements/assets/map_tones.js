// Colours between colours, and the ink that reads best on one. A shade is [red, green, blue].

export const css = (shade) => `rgb(${shade.map(Math.round)})`
export const mixed = (one, other, share) => one.map((part, i) => part + (other[i] - part) * share)

// The sequential palette: tokens s0, s1, …
export const sequence = (colours) => Object.keys(colours).filter((name) => /^s\d+$/.test(name)).map((name) => colours[name])

// The shade at a share from 0 to 1 of the way along `shades`.
export function along(shades, share) {
  const place = Math.min(Math.max(share, 0), 1) * (shades.length - 1)
  const before = Math.min(Math.floor(place), shades.length - 2)
  return mixed(shades[before], shades[before + 1], place - before)
}

// Whichever of two shades has more contrast with the ground (WCAG 2.2, relative luminance).
export function inkOn(ground, one, other) {
  return contrast(ground, one) >= contrast(ground, other) ? one : other
}

function contrast(one, other) {
  const [dark, light] = [luminance(one), luminance(other)].sort((a, b) => a - b)
  return (light + 0.05) / (dark + 0.05)
}

function luminance(shade) {
  const [red, green, blue] = shade.map((part) => {
    const share = part / 255
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4
  })
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue
}
