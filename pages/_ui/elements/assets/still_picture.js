// A picture that is stored with the app, as SVG in the page; its colours are variables.

export default function render({ data, parentElement }) {
  const root = parentElement.querySelector(".mx")
  root.style.cssText = data.colours
  if (root.innerHTML === "") root.innerHTML = data.svg
}
