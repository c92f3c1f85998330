"""Errors a person can act on: what was found, where, what is allowed, what to do."""

from errno import EDQUOT, ENOSPC
from tempfile import gettempdir


class MipsError(ValueError):
    """Base of every error raised on purpose. Its text may be shown as it stands.

    `found` says what was met and where, in one sentence; `remedy` says what is allowed and what to
    do. The text of the error is both.
    """

    def __init__(self, found: str, remedy: str = "") -> None:
        super().__init__(f"{found} {remedy}".strip())
        self.found = found
        self.remedy = remedy


class ParamError(MipsError):
    """A parameter is unknown, of the wrong type, or outside its declared range."""


class DataError(MipsError):
    """An array or a file does not hold what it should."""


def disk_full(error: BaseException) -> DataError | None:
    """What to do where `error` says that a disk has no room; None where it says something else."""
    if not isinstance(error, OSError) or error.errno not in (ENOSPC, EDQUOT):
        return None
    place = error.filename or gettempdir()
    return DataError(f"The disk is full: no room is left for {place}.", "Make room and try again.")


class Cancelled(Exception):  # noqa: N818  (a request, not an error)
    """Raised inside a progress report to stop long work between two steps."""
