"""What a live curve shows: plain frozen values, checked when they are made."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.float32]
Counts = npt.NDArray[np.int32]


@dataclass(frozen=True)
class Choice:
    """Where the sliders stand: a build, by its value, and an effort, such as 10 probes."""

    build: str
    effort: int


@dataclass(frozen=True, eq=False)
class Points:
    """A build's measured curve, p efforts in ascending order."""

    efforts: Counts  # (p,)
    precision: Floats  # (p,) mean over queries
    low: Floats  # (p,) interval
    high: Floats  # (p,)
    parts: Mapping[str, Floats]  # each (p,), mean inner products a query; the sum is the cost
    missed_all: Counts  # (p,) queries that found none of their K
    histogram: Counts  # (p, K + 1) queries that found 0, 1 … K

    def __post_init__(self) -> None:
        p = len(self.efforts)
        rows = (self.precision, self.low, self.high, self.missed_all, *self.parts.values())
        if p == 0 or {len(row) for row in (*rows, self.histogram)} != {p} or not self.parts:
            raise ValueError("A curve needs one or more efforts, and every array one row for each.")


@dataclass(frozen=True, eq=False)
class Build:
    """One place of the clusters slider: a curve, or why there is none yet."""

    value: str  # on the slider: "141"
    label: str  # in the text: "141 clusters"
    style_key: str
    live: int  # clusters that are not empty
    points: Points | None = None
    message: str = ""  # while there are no points: "Building 566 clusters · 40%"

    @property
    def ready(self) -> bool:
        return self.points is not None


@dataclass(frozen=True, eq=False)
class LiveView:
    """All that a live curve shows. Sentences may hold **bold** and the fields of `words.py`."""

    figure: Mapping[str, Any]
    builds: Sequence[Build]
    chosen: Choice
    n: int  # items, so n / cost is the speedup
    m: int  # queries
    K: int
    sentence: str
    sentence_below_one: str
    alt: str
    height: int = 430
    narrow: Mapping[str, Any] = field(default_factory=dict)
    narrow_height: int = 340
    chips: Sequence[str] = ()
    labels: Mapping[str, str] = field(default_factory=dict)
    effort_label: str = "Probes"
    effort_nouns: tuple[str, str] = ("probe", "probes")
    effort_unit: str = "clusters"
    effort_help: str = ""
    build_label: str = "Clusters"
    build_help: str = ""
    show_tiles: bool = True
    show_histogram: bool = True
    show_others: bool = True  # the curves of builds that are not chosen, thin and pale
    topic: str = ""  # a new one resets sliders, zoom and hidden curves
    file_name: str = ""  # with one, buttons save the picture

    def __post_init__(self) -> None:
        values = [build.value for build in self.builds]
        if self.chosen.build not in values or len(set(values)) != len(values):
            raise ValueError(f"The chosen build {self.chosen.build!r} is not one of {values}.")
