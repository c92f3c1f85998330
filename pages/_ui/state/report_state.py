"""What the Report page asks: which setting is recommended, and what its author writes."""

from dataclasses import dataclass
from typing import Literal

from mips_core.base.params import check, param

LONGEST_TITLE, LONGEST_NOTE = 200, 4_000  # characters
Point = Literal["tune", "target", "slider"]


@dataclass(frozen=True)
class ReportState:
    """Title and note are any text; `report_link` writes them in links."""

    point: Point = param(
        "tune",
        "The setting to run",
        "What the report recommends: the answer of Tune as it is set there; the best measured for "
        "a precision of 0.95; or the index and the effort under the slider.",
        choices=("tune", "target", "slider"),
    )
    title: str = ""
    note: str = ""

    def __post_init__(self) -> None:
        check(self)
