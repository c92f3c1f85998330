"""What the Search page asks beside its query."""

from dataclasses import dataclass

from mips_core.base.params import check, param


@dataclass(frozen=True)
class SearchState:
    """How words are asked."""

    leave_out: bool = param(
        True,
        "Leave out what is named",
        "The items whose labels are added and subtracted are no answers: they are nearly always "
        "their own best match.",
    )

    def __post_init__(self) -> None:
        check(self)
