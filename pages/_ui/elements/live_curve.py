"""The curve under the slider: a whole curve is shipped once and moved in the browser.

Python hears of a drag once, when the slider is let go. The words are filled by `assets/curves.js`.
Fields of a sentence: {effort} {live} {precision} {half} {K} {speedup}. Tiles and hover text know
these and {low} {high} {points} {m} {asked} {n} {cost} {parts} {missed} {share} {noun} {name} too.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
import numpy.typing as npt

from mips_core.figures.styles import METHODS
from pages._ui.elements.chart import Picture, block_of, look, mount
from pages._ui.elements.component import sent_choice
from pages._ui.elements.element_file import element_file
from pages._ui.elements.wire import camel, plain
from pages._ui.state import app_state

WORDS: dict[str, str] = {
    "value": "{effort} of {live}",
    "valueText": "{effort} of {live} {unit}",
    "point": "**{effort} {noun}** · {precision}% · {speedup}×",
    "precision": "Precision@{K}",
    "interval": "95% interval {low} to {high}, {asked}",
    "speedup": "Speedup",
    "quotient": "{n} ÷ {cost}",
    "cost": "Inner products a query",
    "missed": "Queries that miss everything",
    "missedShare": "of {m} ({share}%)",
    "spread": "True answers found, of {K}",
    "bar": "{found} of {K} found: {count} of {asked}",
    "spreadAlt": "How many of {asked} find 0 to {K} of their true answers",
    "hoverPrecision": "precision@{K} {points} ± {half} points",
    "hoverCost": "{speedup}× · {cost} inner products a query",
    "waiting": "–",
}


Floats = npt.NDArray[np.float32]
Counts = npt.NDArray[np.int32]


@dataclass(frozen=True)
class Choice:
    """Where the sliders stand: a build, by its value, and an effort, such as 10 probes."""

    build: str
    effort: int


@dataclass(frozen=True, eq=False)
class CurvePoints:
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
    style: str  # the key of its method
    live: int  # clusters that are not empty
    points: CurvePoints | None = None
    message: str = ""  # while there are no points: "Building 566 clusters · 40%"

    @property
    def ready(self) -> bool:
        return self.points is not None


@dataclass(frozen=True, eq=False, kw_only=True)
class LiveMessage(Picture):
    """All that a live curve shows. Sentences may hold **bold** and the fields above.

    A new topic resets the sliders too.
    """

    builds: Sequence[Build]
    chosen: Choice
    n: int  # items, so n / cost is the speedup
    m: int  # queries
    K: int
    sentence: str
    sentence_below_one: str
    height: int = 430
    narrow_height: int = 340
    effort_label: str = "Probes"
    effort_nouns: tuple[str, str] = ("probe", "probes")
    effort_unit: str = "clusters"
    effort_help: str = ""
    build_label: str = "Clusters"
    build_help: str = ""
    show_tiles: bool = True
    show_histogram: bool = True
    lessons: Mapping[str, int] = field(default_factory=dict)  # name of a number or slider -> which
    show_others: bool = True  # the curves of builds that are not chosen, thin and pale

    def __post_init__(self) -> None:
        values = [build.value for build in self.builds]
        if self.chosen.build not in values or len(set(values)) != len(values):
            raise ValueError(f"The chosen build {self.chosen.build!r} is not one of {values}.")


def live_curve(
    message: LiveMessage, *, key: str, on_choice: Callable[[], None] | None = None
) -> Choice:
    """Draw it; returns the choice the visitor has made since, or else `message.chosen`.

    Keep what it returns and give it back as `message.chosen`. The build may be one that is not
    ready: then it is the one to build next. A `message.chosen` that did not come from here moves
    the sliders, except during a drag.
    """
    sent, chosen = sent_choice(key), message.chosen
    serial = sent.get("serial")
    if sent and app_state.is_new_choice(key, serial):
        chosen = read_choice(sent, message)
    mount(_wired(message, chosen, serial), key, on_choice)
    app_state.hear_choice(key, serial)
    return chosen


def live_curve_file(message: LiveMessage, title: str, above: str, below: str) -> bytes:
    """The curve with its sliders as a file that opens without a server, and text around it.

    Builds that are not ready are left out; one must be.
    """
    builds = [build for build in message.builds if build.points is not None]
    chosen = next((b for b in builds if b.value == message.chosen.build), builds[0])
    choice = Choice(chosen.value, message.chosen.effort)
    alone = replace(message, builds=builds, chosen=choice, lessons={})
    block = block_of({**_wired(alone, choice, None), "alone": True})
    return element_file(title, "live", "chart.js", block, above=above, below=below)


def read_choice(sent: Any, message: LiveMessage) -> Choice:
    """The choice a browser sent, if it makes sense for this message, or else `message.chosen`."""
    match sent:
        case {"topic": message.topic, "build": str(build), "effort": int(effort)}:
            known = {b.value for b in message.builds}
            return Choice(build, max(effort, 0)) if build in known else message.chosen
    return message.chosen


def _wired(message: LiveMessage, chosen: Choice, seen: object) -> dict[str, Any]:
    names = ("n", "m", "K", "sentence", "sentence_below_one", "builds")
    live = {
        **{camel(name): plain(getattr(message, name)) for name in names},
        **{"chosen": plain(chosen), "seen": seen},
        "looks": {key: look(key, message.labels) for key in METHODS},
        "effort": {
            "label": message.effort_label,
            "unit": message.effort_unit,
            "help": message.effort_help,
            "nouns": message.effort_nouns,
        },
        "build": {"label": message.build_label, "help": message.build_help},
        "tiles": message.show_tiles,
        "histogram": message.show_histogram,
        "others": message.show_others,
        "lessons": {name: _lesson(number) for name, number in message.lessons.items() if number},
        "words": WORDS,
    }
    return {**message.message(), "live": live}


def _lesson(number: int) -> dict[str, str]:
    """Where a lesson is, and what the mark that opens it says."""
    return {"address": f"./learn?learn={number}", "words": f"What is this? See lesson {number}"}
