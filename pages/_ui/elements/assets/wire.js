// Reads what pages/_ui/elements/wire.py packs: the JSON's length, the JSON, then its arrays.

const TYPES = { float32: Float32Array, float64: Float64Array, int32: Int32Array, uint8: Uint8Array }

export function unpack(bytes) {
  const { buffer } = bytes.slice() // an own copy starts at a multiple of 8, as typed arrays need
  const length = new DataView(buffer).getUint32(0, true)
  const start = Math.ceil((4 + length) / 8) * 8
  const text = new TextDecoder().decode(new Uint8Array(buffer, 4, length))
  return JSON.parse(text, (_, value) => (value?.$array ? array(buffer, start, ...value.$array) : value))
}

export function same(one, other) {
  return one?.length === other.length && one.every((byte, i) => byte === other[i])
}

// One dimension becomes a typed array, more become lists of them.
function array(buffer, start, type, offset, shape) {
  const size = shape.reduce((product, n) => product * n, 1)
  return nested(new TYPES[type](buffer, start + offset, size), shape)
}

function nested(all, [rows, ...within]) {
  if (!within.length) return all
  const size = all.length / rows
  return Array.from({ length: rows }, (_, i) => nested(all.subarray(i * size, (i + 1) * size), within))
}
