"""Progress flows down as a plain callable; raising Cancelled inside it is how work is stopped."""

from typing import Any, Protocol


class Progress(Protocol):
    """Called between two steps of long work."""

    def __call__(self, fraction: float, message: str, partial: Any = None) -> None:
        """`fraction` done in [0, 1], what is happening, and an immutable partial result or None.

        Raises Cancelled when the work should stop.
        """


def silent(fraction: float, message: str, partial: Any = None) -> None:
    """The default: report to no one."""


def span(progress: Progress, start: float, stop: float) -> Progress:
    """Hand a sub-task the part [start, stop] of a longer bar."""

    def report(fraction: float, message: str, partial: Any = None) -> None:
        progress(start + fraction * (stop - start), message, partial)

    return report
