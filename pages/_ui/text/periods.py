"""Periods that are set, as people read them: exact, since a page promises them."""

from mips_core.base.text import counted

UNITS = (
    (86_400, "day", "days"),
    (3_600, "hour", "hours"),
    (60, "minute", "minutes"),
    (1, "second", "seconds"),
)


def period(seconds: int) -> str:
    """90 seconds; 3 hours; 1 day: whole numbers of the largest unit that tells it exactly."""
    size, one, many = next(unit for unit in UNITS if seconds % unit[0] == 0)
    return counted(seconds // size, one, many)
