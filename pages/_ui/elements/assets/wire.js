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

// One dimension becomes a typed array, two become a list of them.
function array(buffer, start, type, offset, shape) {
  const size = shape.reduce((product, n) => product * n, 1)
  const all = new TYPES[type](buffer, start + offset, size)
  if (shape.length === 1) return all
  const [rows, columns] = shape
  return Array.from({ length: rows }, (_, i) => all.subarray(i * columns, (i + 1) * columns))
}
