// Colour tokens become CSS colours here, so Python need not know the visitor's theme.

export function modeOf(element) {
  const colour = getComputedStyle(element).getPropertyValue("--st-background-color").trim()
  const [red, green, blue] = colour.startsWith("#") ? hex(colour) : colour.match(/[\d.]+/g) ?? [255, 255, 255]
  return 0.299 * red + 0.587 * green + 0.114 * blue < 128 ? "dark" : "light"
}

// The figure with its tokens replaced; in objects only entries named "…color…" hold tokens.
export function paint(value, colours) {
  if (typeof value === "string") return colourOf(value, colours)
  if (Array.isArray(value)) return value.map((inner) => paint(inner, colours))
  if (!isObject(value)) return value
  const painted = {}
  for (const [key, inner] of Object.entries(value)) {
    const nested = isObject(inner) || (Array.isArray(inner) && inner.some(isObject))
    painted[key] = nested || key.includes("color") ? paint(inner, colours) : inner
  }
  return painted
}

export function colourOf(token, colours) {
  const [, name, alpha] = token.match(/^\$([\w-]+)(?:@([\w.]+))?$/) ?? []
  if (!colours[name]) return token
  return alpha ? `rgba(${hex(colours[name])},${colours["@" + alpha] ?? alpha})` : colours[name]
}

// `base` with `patch` laid over it, object by object; neither is changed.
export function merge(base, patch) {
  const merged = { ...base }
  for (const [key, value] of Object.entries(patch ?? {})) {
    merged[key] = isObject(value) && isObject(merged[key]) ? merge(merged[key], value) : value
  }
  return merged
}

const isObject = (value) => value !== null && typeof value === "object" && !Array.isArray(value) && !ArrayBuffer.isView(value)

const hex = (colour) => [1, 3, 5].map((i) => parseInt(colour.slice(i, i + 2), 16))
