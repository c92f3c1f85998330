"""A place in the course, and how the address writes it.

`5:q=112,p=3` is lesson 5 in a state, of which only what differs from the defaults is written;
`5:step=4` its fourth step in presenter mode, on the way `way=10` if a short class takes one;
`probe` an entry of the glossary; and nothing the contents.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from pages._ui.parts.lesson.course import WAYS, lessons, name_of
from pages._ui.parts.lesson.declaration import Lesson, State
from pages._ui.text.glossary import GLOSSARY


@dataclass(frozen=True)
class CoursePlace:
    """Which lesson, in which state; or the contents, where `number` is 0."""

    number: int = 0
    state: State = field(default_factory=dict)  # all of it
    step: int = 0  # counted from 1, in presenter mode; 0 on a page
    way: str = ""  # one of WAYS
    term: str = ""  # an entry of the glossary

    @property
    def name(self) -> str:
        """The name of the lesson; "" for the contents."""
        return name_of(self.number)


def place_of(text: str) -> CoursePlace:
    """The place that an address names. What cannot be read of it is left at its default."""
    if text in GLOSSARY:
        return CoursePlace(term=text)
    number, _, words = text.partition(":")
    name = name_of(int(number)) if number.isascii() and number.isdigit() else ""
    if not name:
        return CoursePlace()
    lesson = lessons()[name]
    written = dict(word.split("=", 1) for word in words.split(",") if "=" in word)
    step = _step(lesson, written.get("step", ""))
    state = {key: _value(lesson, key, written.get(key, "")) for key in lesson.state}
    usual = _usual(lesson, step)
    state = {key: usual[key] if value is None else value for key, value in state.items()}
    way = written.get("way", "")
    return CoursePlace(lesson.number, state, step, way if way in WAYS else "")


def text_of(place: CoursePlace) -> str:
    """The place as an address writes it."""
    if not place.number:
        return place.term
    usual = _usual(lessons()[place.name], place.step)
    words = [f"{key}={_text(v)}" for key, v in place.state.items() if v != usual[key]]
    words += [f"step={place.step}"] if place.step else []
    words += [f"way={place.way}"] if place.way else []
    return ":".join(filter(None, (str(place.number), ",".join(words))))


def sent_place(sent: Mapping[str, Any], at: CoursePlace) -> CoursePlace:
    """The place that a browser sent, as far as it makes sense; else where it was."""
    match sent:
        case {"number": 0, "term": str(term)}:
            return CoursePlace(term=term if term in GLOSSARY else "")
        case {"number": int(number), "state": dict(state), "step": int(step), "way": str(way)} if (
            name_of(number)
        ):
            lesson = lessons()[name_of(number)]
            step = _step(lesson, str(step))
            usual = _usual(lesson, step)
            known = {k: v for k, v in state.items() if k in usual and v in lesson.values_of(k)}
            way = way if way in WAYS else ""
            return CoursePlace(number, {**usual, **known}, step, way)
    return at


def _usual(lesson: Lesson, step: int) -> dict[str, Any]:
    """The state before anything was moved."""
    return {**lesson.state, **(lesson.steps[step - 1].state if step else {})}


def _step(lesson: Lesson, text: str) -> int:
    step = int(text) if text.isascii() and text.isdigit() and len(text) < 4 else 0
    return min(step, len(lesson.steps))


def _value(lesson: Lesson, key: str, text: str) -> Any:
    """The value of this part of the state that is written so, or None."""
    return {_text(value): value for value in lesson.values_of(key)}.get(text)


def _text(value: Any) -> str:
    return value if isinstance(value, str) else f"{value:g}"
