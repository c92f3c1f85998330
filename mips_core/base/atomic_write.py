"""Files that are replaced whole: whoever reads one finds the old content or all of the new."""

import os
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from errno import EACCES, EISDIR
from glob import escape
from pathlib import Path
from secrets import token_hex
from typing import BinaryIO

from mips_core.base.errors import DataError

try:
    import fcntl
except ImportError:  # Windows, where an open file cannot be removed
    fcntl = None  # type: ignore[assignment]

UNFINISHED = ".unfinished"


@contextmanager
def replacing(path: Path) -> Iterator[BinaryIO]:
    """A new file, to write and read, that replaces `path` when the block ends without an error.

    It is written beside it, brought to disk, and then renamed, which happens at once or not at all.
    What writers that were killed left there is removed. Raises DataError for OSError.
    """
    given, path = path, Path(os.path.realpath(path))  # where a link leads: it stays a link
    try:
        _check_replaceable(path)
        remove_left_over(path.parent, path.name)
        with _held(path) as new:
            beside = Path(new.name)
            try:
                yield new
                new.flush()
                os.fsync(new.fileno())
                beside.replace(path)
            except BaseException:
                with suppress(OSError):
                    beside.unlink()
                raise
        _bring_to_disk(path.parent)
    except OSError as error:
        raise DataError(
            f"{given} cannot be written: {error.strerror or error}.",
            "Name a file in a folder that exists and has room.",
        ) from None


def check_replaceable(path: Path) -> None:
    """Raise DataError where `replacing` could not begin; `path` stays as it is, there or not."""
    with suppress(_OnlyTriedError), replacing(path):
        raise _OnlyTriedError


class _OnlyTriedError(Exception):
    """Nothing is to be written."""


def _check_replaceable(path: Path) -> None:
    if path.exists() and not path.is_file():
        raise OSError(EISDIR, "it is not a file")
    if path.exists() and not os.access(path, os.W_OK):
        raise OSError(EACCES, os.strerror(EACCES))


def _held(path: Path) -> BinaryIO:
    """A new file beside `path`, open and locked: as long as its writer lives it is not removed."""
    while True:
        new = path.with_name(f".{path.name}.{token_hex(8)}{UNFINISHED}").open("x+b")
        if fcntl is None:
            return new
        fcntl.flock(new, fcntl.LOCK_EX)
        if os.fstat(new.fileno()).st_nlink:  # not removed before it was locked
            return new
        new.close()


def remove_left_over(folder: Path, name: str = "") -> None:
    """Remove what writers of `name`, or of any file in `folder`, left there when they ended."""
    for left in folder.glob(f".{f'{escape(name)}.' if name else ''}*{UNFINISHED}"):
        with suppress(OSError), left.open("rb") as unfinished:
            if fcntl is not None:
                fcntl.flock(unfinished, fcntl.LOCK_EX | fcntl.LOCK_NB)
            left.unlink()


def _bring_to_disk(folder: Path) -> None:
    """Wait until the names in `folder` are on disk, where the system can say so."""
    with suppress(OSError):
        opened = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(opened)
        finally:
            os.close(opened)
