"""Numbers of lessons that take long to compute: `python -m pages._ui.parts.lesson.stored NAME`.

A file holds what the lesson's own `make` gives, packed as the browser takes it. Each lesson's test
computes a part anew and compares it bit for bit.
"""

import sys
from pathlib import Path
from typing import Any

from mips_core.base.errors import DataError
from mips_core.data.catalog import DATA
from pages._ui.elements.wire import pack
from pages._ui.parts.lesson.course import lessons

FOLDER = DATA / "lessons"


def path_of(name: str) -> Path:
    """The file of the lesson `name`."""
    return FOLDER / f"{name}.bin"


def packed(name: str) -> bytes:
    """What is stored of the lesson `name`. Raises DataError where its file is missing."""
    path = path_of(name)
    if not path.is_file():
        raise DataError(
            f"{path.name} is missing from data/lessons.",
            f"Run python -m pages._ui.parts.lesson.stored {name}.",
        )
    return path.read_bytes()


def store(name: str, made: dict[str, Any]) -> Path:
    """Write what `make` of the lesson `name` gave."""
    FOLDER.mkdir(exist_ok=True)
    path_of(name).write_bytes(pack(made))
    return path_of(name)


if __name__ == "__main__":
    for asked in sys.argv[1:]:
        path = store(asked, lessons()[asked].make())
        sys.stdout.write(f"{path.name}: {path.stat().st_size:,} bytes\n")
