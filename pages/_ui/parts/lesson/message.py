"""What the browser is told of the course: the contents, or one lesson with all its numbers."""

from typing import Any

import numpy as np

from mips_core.figures.styles import tokens
from pages._ui.elements import blobs
from pages._ui.elements.blobs import Blob
from pages._ui.elements.element_file import DATA, element_file
from pages._ui.elements.wire import pack, plain
from pages._ui.parts.lesson import stored
from pages._ui.parts.lesson.course import WAYS, lessons
from pages._ui.parts.lesson.declaration import Control, Handle, Lesson, Ranged
from pages._ui.parts.lesson.place import CoursePlace
from pages._ui.text.glossary import GLOSSARY
from pages._ui.work.task import once

# `assets/learn*.js` fill the fields.
WORDS: dict[str, str] = {
    "title": "Learn",
    "about": "{count} short lessons you can drag. Each is one screen and one idea, and every "
    "number in it is computed.",
    "way": "**{minutes} minutes:** ",
    "shortest": " (blue edge)",
    "start": "Present",
    "minutes": "{minutes} min",
    "minutesLong": "{minutes} minutes",
    "where": "{chapter} · Lesson {number}",
    "whereLong": "{chapter} · Lesson {number} of {last}",
    "present": "Presenter",
    "leave": "Leave",
    "keys": "← → steps   N next lesson   P leave",
    "try": "Try this",
    "answer": "Answer",
    "back": "Back: lesson {number}",
    "next": "Next: {short}",
    "worksheet": "Worksheet",
    "save": "Save the picture as {format}",
    "glossary": "Glossary",
    "shownIn": "Shown in ",
    "lesson": "lesson {number}",
    "usedOn": "used on {pages}",
    "close": "Close",
    "print": "Print two pages",
    "name": "Name",
    "answers": "Answers",
    "gone": "What this lesson shows could not be fetched. Reload the page to get it again.",
}


def message(name: str) -> Blob:
    """All that the lesson `name` shows, or the contents where it is "", as a block of bytes."""
    content = once(("lesson", name), lambda: np.frombuffer(pack(_message(name)), np.uint8))
    return blobs.block(("lesson", name), content)


def _message(name: str) -> dict[str, Any]:
    listed = [
        {"name": key, **{part: getattr(lesson, part) for part in _LISTED}}
        for key, lesson in lessons().items()
    ]
    return {
        "lessons": listed,
        "last": listed[-1]["number"],
        "alone": False,  # in a file of its own
        "ways": plain(WAYS),
        "glossary": {key: plain(entry) for key, entry in GLOSSARY.items()},
        "tokens": {mode: tokens(mode) for mode in ("light", "dark")},
        "words": WORDS,
        **({"lesson": _told(lessons()[name]), "data": _data(name)} if name else {}),
    }


def lesson_file(place: CoursePlace) -> bytes:
    """The lesson at `place`, in its state there, as a file that opens without a server."""
    told = _message(place.name)
    [listed] = [one for one in told["lessons"] if one["name"] == place.name]
    return element_file(
        f"{listed['title']} · MIPS Explorer",
        "learn",
        "learn.js",
        pack({**told, "lessons": [listed], "alone": True}),
        styles="learn*.css",
        more=[f"lesson_{place.name}.js"],
        told={"address": DATA, "name": place.name, "place": plain(place), "seen": None},
    )


_LISTED = ("number", "chapter", "minutes", "title", "short")


def _data(name: str) -> np.ndarray:
    """The numbers of a lesson, packed: made now, or read from its file."""
    lesson = lessons()[name]
    packed = stored.packed(name) if lesson.stored else pack(lesson.make())
    return np.frombuffer(packed, np.uint8)


def _told(lesson: Lesson) -> dict[str, Any]:
    """What it declares, as the browser takes it."""
    return {
        **{part: getattr(lesson, part) for part in ("idea", "question", "answer", "data")},
        **{part: getattr(lesson, part) for part in ("height", "side")},
        "defaults": dict(lesson.state),
        "answerState": dict(lesson.answer_state),
        "intro": lesson.intro,
        "still": dict(lesson.still),
        "sheet": dict(lesson.sheet),
        "pictures": plain(lesson.pictures or [step.state for step in lesson.steps]),
        "steps": plain(lesson.steps),
        "asks": plain(lesson.asks),
        "own": lesson.own.label,
        "handle": _handle(lesson.handle) if lesson.handle else None,
        "controls": [_control(control) for control in lesson.controls],
    }


def _handle(handle: Handle) -> dict[str, Any]:
    up = _ranged(handle.up) if handle.up else None
    return {**plain(handle), "across": _ranged(handle.across), "up": up}


def _control(control: Control) -> dict[str, Any]:
    kind = type(control).__name__.lower()
    told = _ranged(control) if isinstance(control, Ranged) else plain(control)
    return {"kind": kind, **told}


def _ranged(part: Ranged) -> dict[str, Any]:
    return {**plain(part), "texts": part.texts}
