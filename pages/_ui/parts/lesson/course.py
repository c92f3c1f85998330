"""The lessons, in their order: every file of `pages/learn` is one."""

from functools import cache
from importlib import import_module
from pathlib import Path

from pages._ui.parts.lesson.declaration import Lesson
from pages._ui.text.widgets import PAGES

FOLDER = PAGES / "learn"
WAYS = {  # through the course, for a class of so many minutes
    "10": (1, 3, 5, 6),
    "45": (1, 2, 3, 4, 5, 6, 7, 10, 11),
}


@cache
def lessons() -> dict[str, Lesson]:
    """Every lesson by the name of its file, in order."""
    names = [path.stem for path in FOLDER.glob("*.py")]
    every: dict[str, Lesson] = {n: import_module(f"pages.learn.{n}").LESSON for n in names}
    return dict(sorted(every.items(), key=lambda named: named[1].number))


def name_of(number: int) -> str:
    """The name of the lesson with this number; "" where there is none."""
    return next((name for name, lesson in lessons().items() if lesson.number == number), "")


def drawing_of(name: str) -> Path:
    """The module that draws it."""
    return FOLDER / f"{name}.js"
