// The program on the graphics card: one point an item, in the colour and size that its state asks for.

const VERTEX = `
precision highp float;
attribute vec2 place;
attribute vec2 shade; // colour in the palette; state: 1 lost, 2 selected, 3 both
attribute float opened;
attribute float itsGroup;
uniform vec2 middle, scale;
uniform int mode; // what stands out: 0 all, 1 what the search opened, 2 what is selected, 3 one group
uniform float size, opacity, group, position, rings;
uniform mediump float ratio; // as in the other shader
uniform vec3 candidate;
uniform sampler2D palette;
varying vec4 colour;
varying float diameter, ring;

void main() {
  bool lost = mod(shade.y, 2.0) > 0.5;
  bool selected = shade.y > 1.5;
  bool unknown = shade.x == 12.0; // as in the palette
  bool open = mode == 1 && opened <= position && !lost;
  bool stands = mode == 0 || open || ((mode == 1 || mode == 2) && selected) || (mode == 3 && itsGroup == group);
  float plain = open ? max(size * 1.5, 3.4 * ratio) : stands ? size : size * 0.9;
  ring = selected ? rings : 0.0;
  diameter = ring > 0.5 ? max(plain + 4.0 * ratio, 9.0 * ratio) : plain;
  vec3 own = texture2D(palette, vec2((shade.x + 0.5) / 256.0, 0.5)).rgb;
  float faded = 0.28 * (0.4 + 0.6 * opacity);
  float alpha = ring > 0.5 ? 1.0 : mode == 0 ? (unknown ? 0.4 * opacity : opacity) : stands ? 0.9 : faded;
  colour = vec4(open ? candidate : own, alpha);
  float depth = ring > 0.5 ? -0.5 : stands && !unknown ? 0.0 : 0.5; // what stands out lies upon the rest
  gl_Position = vec4((place - middle) * scale, depth, 1.0);
  gl_PointSize = diameter;
}`

const FRAGMENT = `
precision mediump float;
uniform vec3 ink;
uniform float ratio;
varying vec4 colour;
varying float diameter, ring;

void main() {
  float away = length(gl_PointCoord - 0.5) * diameter; // from the middle, in px
  float radius = diameter / 2.0;
  float inside = diameter < 2.5 ? 1.0 : clamp(radius - away + 0.5, 0.0, 1.0);
  if (inside < 0.02) discard;
  float rim = ring * clamp(away - (radius - 2.0 * ratio) + 0.5, 0.0, 1.0);
  float alpha = colour.a * inside;
  gl_FragColor = vec4(mix(colour.rgb, ink, rim) * alpha, alpha);
}`

// Of each array on the card: [attribute, numbers, type, bytes from one item to the next, offset].
const ATTRIBUTES = {
  places: [["place", 2, "FLOAT", 8, 0]],
  groups: [["itsGroup", 1, "FLOAT", 4, 0]],
  shades: [["shade", 2, "UNSIGNED_BYTE", 4, 0], ["opened", 1, "UNSIGNED_SHORT", 4, 2]],
}

// {set(uniforms), sent: {name: array last sent}, buffers}
export function build(gl) {
  const program = gl.createProgram()
  for (const [kind, source] of [["VERTEX_SHADER", VERTEX], ["FRAGMENT_SHADER", FRAGMENT]]) {
    const shader = gl.createShader(gl[kind])
    gl.shaderSource(shader, source)
    gl.compileShader(shader)
    gl.attachShader(program, shader)
  }
  gl.linkProgram(program)
  if (!gl.getProgramParameter(program, gl.LINK_STATUS) && !gl.isContextLost()) throw new Error(gl.getProgramInfoLog(program))
  gl.useProgram(program)
  gl.enable(gl.DEPTH_TEST)
  gl.depthFunc(gl.LEQUAL)
  gl.enable(gl.BLEND)
  gl.blendFunc(gl.ONE, gl.ONE_MINUS_SRC_ALPHA)
  const buffers = Object.fromEntries(Object.keys(ATTRIBUTES).map((name) => [name, gl.createBuffer()]))
  const at = {}
  const set = (values) => {
    for (const [name, value] of Object.entries(values)) {
      at[name] ??= gl.getUniformLocation(program, name)
      if (Array.isArray(value)) gl[`uniform${value.length}fv`](at[name], value)
      else if (name === "mode") gl.uniform1i(at[name], value)
      else gl.uniform1f(at[name], value)
    }
  }
  return { program, buffers, set, sent: {}, texture: gl.createTexture() }
}

// Sends one array to the card.
export function upload(gl, { program, buffers, sent, texture }, name, array) {
  sent[name] = array
  if (name === "palette") return paint(gl, texture, array)
  gl.bindBuffer(gl.ARRAY_BUFFER, buffers[name])
  gl.bufferData(gl.ARRAY_BUFFER, name === "groups" ? Float32Array.from(array) : array, gl.DYNAMIC_DRAW)
  for (const [attribute, numbers, type, stride, offset] of ATTRIBUTES[name]) {
    const place = gl.getAttribLocation(program, attribute)
    gl.enableVertexAttribArray(place)
    gl.vertexAttribPointer(place, numbers, gl[type], false, stride, offset)
  }
}

function paint(gl, texture, colours) {
  gl.bindTexture(gl.TEXTURE_2D, texture)
  gl.texImage2D(gl.TEXTURE_2D, 0, gl.RGBA, 256, 1, 0, gl.RGBA, gl.UNSIGNED_BYTE, colours)
  const exact = { MIN_FILTER: "NEAREST", MAG_FILTER: "NEAREST", WRAP_S: "CLAMP_TO_EDGE", WRAP_T: "CLAMP_TO_EDGE" }
  for (const [name, value] of Object.entries(exact)) gl.texParameteri(gl.TEXTURE_2D, gl[`TEXTURE_${name}`], gl[value])
}
