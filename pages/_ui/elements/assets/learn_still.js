// The still of a lesson, for the contents page: its own picture in one state, without its words. A
// lesson that finds `still` in its sheet leaves out what only words need, such as lines to them.

import { courseOf } from "./learn.js"

const [WIDTH, HEIGHT] = [380, 220]

// Of the lesson that is on the page, as SVG text.
export function still() {
  const { view } = courseOf(document.querySelector(".mx-learn"))
  const { data, lesson, module } = view
  const drawn = module.draw({ w: WIDTH, h: HEIGHT, narrow: false, still: true }, { ...lesson.defaults, ...lesson.still }, data)
  const wordless = drawn.replace(/<text[^>]*>.*?<\/text>/gs, "")
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${HEIGHT}">${wordless}</svg>\n`
}
