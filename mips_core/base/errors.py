"""Errors a person can act on: what was found, where, what is allowed, what to do."""


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


class Cancelled(Exception):  # noqa: N818  (a request, not an error)
    """Raised inside a progress report to stop long work between two steps."""
