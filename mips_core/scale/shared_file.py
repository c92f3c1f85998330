"""What is left beside the parts for tasks: folders, and files they read while work is under way."""

import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from secrets import token_hex
from typing import BinaryIO

from mips_core.base.atomic_write import UNFINISHED, remove_left_over
from mips_core.base.errors import DataError

try:
    import fcntl
except ImportError:  # Windows
    fcntl = None  # type: ignore[assignment]


@contextmanager
def shared_file(folder: Path, name: str, write: Callable[[BinaryIO], None]) -> Iterator[Path]:
    """The path of a new file in `folder`, written by `write`, that is gone when the block ends.

    What processes that were killed left there of this `name` is removed: a living one holds the
    lock of its own. Raises DataError where it cannot be written.
    """
    remove_left_over(folder, name)
    path = folder / f".{name}.{token_hex(8)}{UNFINISHED}"
    try:
        file = path.open("x+b")
    except OSError as error:
        raise _unwritable(folder, error) from None
    try:
        with file:
            if fcntl is not None:
                fcntl.flock(file, fcntl.LOCK_EX)
            try:
                write(file)
                file.flush()
                os.fsync(file.fileno())
            except OSError as error:
                raise _unwritable(folder, error) from None
            yield path
    finally:
        path.unlink(missing_ok=True)


def make_folder(path: Path) -> None:
    """Make the folder `path` where there is none. Raises DataError where that cannot be."""
    try:
        path.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise _unwritable(path, error) from None


def _unwritable(folder: Path, error: OSError) -> DataError:
    return DataError(
        f"{folder} cannot be written: {error.strerror or error}.",
        "Tasks read and leave files beside the parts: it needs room.",
    )
