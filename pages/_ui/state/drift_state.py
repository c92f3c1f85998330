"""What the Drift page asks: declared once, kept in the session, written in links."""

from dataclasses import dataclass
from typing import Any, Literal

from mips_core.base.params import check, param
from mips_core.studies.drift.updating import ROUNDS

Change = Literal["moved", "new", "version"]


@dataclass(frozen=True)
class DriftState:
    """How vectors change, and what of it may be lost."""

    change: Change = param(
        "moved",
        "What changes",
        "Vectors move: noise of several sizes on your items, simulated. New items: some were held "
        "out of the build and come. A new version: you give the data as they are now.",
        choices=("moved", "new", "version"),
    )
    tolerance: float = param(
        1.0,
        "Points that may be lost",
        "Of precision, against a rebuild on the changed vectors, 0 to 50.",
        low=0.0,
        high=50.0,
    )
    rounds: int = param(
        ROUNDS,
        "Rounds of a refresh",
        "K-means goes on from where it stood, 1 to 50 rounds at most. Each costs one inner "
        "product for each item and cluster.",
        low=1,
        high=50,
    )
    upload: Any = None  # the files of a new version; not in a link
    problem: str = ""  # why there are none, in Markdown; not in a link
    started: Any = None  # names what was measured last; not in a link
    round: int = 0  # of uploads: a new one empties the uploader; not in a link

    def __post_init__(self) -> None:
        check(self)
