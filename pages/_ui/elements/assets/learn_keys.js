// Keys of the course. Arrows belong to the control that has the focus; anywhere else, in presenter
// mode, they step. Page Up and Down, which clickers send, step wherever the focus is.

const CONTROLS = "input, select, textarea, summary, [contenteditable], [role=slider], [role=dialog]"
const WRITING = "input:not([type=range], [type=radio]), textarea, select, [contenteditable]"

export class Keys {
  constructor(course) {
    this.course = course
    this.listener = (event) => this.press(event)
    this.dropped = () => this.drop()
    document.addEventListener("keydown", this.listener)
    document.addEventListener("pointerup", this.dropped)
  }

  press(event) {
    const { course } = this
    const { key, target } = event
    if (!course.view || event.ctrlKey || event.metaKey || event.altKey) return
    if (key === "Escape") return course.terms.close() || (course.presenting && course.present())
    if (target.closest?.(WRITING) && key.length === 1) return
    const act = this.acts()[key.length === 1 ? key.toLowerCase() : key]
    if (!act || (key.startsWith("Arrow") && target.closest?.(CONTROLS))) return
    event.preventDefault()
    act()
  }

  acts() {
    const { course } = this
    const [on, back] = [() => course.move(1), () => course.move(-1)]
    return {
      p: () => course.present(),
      ...(course.place.number ? { n: () => course.goNext() } : {}),
      ...(course.presenting ? { ArrowRight: on, PageDown: on, ArrowLeft: back, PageUp: back } : {}),
    }
  }

  // After a drag by pointer the arrows step again; Tab gives them to a control.
  drop() {
    const held = document.activeElement
    if (!this.course.presenting || !this.course.root.contains(held) || held.closest("select, [role=dialog]")) return
    setTimeout(() => held.blur())
  }

  close() {
    document.removeEventListener("keydown", this.listener)
    document.removeEventListener("pointerup", this.dropped)
  }
}
