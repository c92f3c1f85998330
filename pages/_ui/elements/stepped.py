"""A figure under two sliders that both act while they are dragged.

All its scenes are shipped once, and Python hears of a drag once, when the slider is let go. See
`assets/stepped.js`.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from pages._ui.elements.chart import Picture, mount
from pages._ui.elements.component import sent_choice
from pages._ui.elements.wire import plain
from pages._ui.state import app_state


@dataclass(frozen=True)
class Steps:
    """The values of one slider, in words."""

    label: str
    values: Sequence[str]  # "30×"
    written: Sequence[str]  # below the slider, "" for a value without a mark of its own
    help: str = ""
    narrow_label: str = ""  # where there is little room; else the label

    def __post_init__(self) -> None:
        if not self.values or len(self.values) != len(self.written):
            raise ValueError("A slider needs one or more values, and a mark, or “”, for each.")


@dataclass(frozen=True, eq=False)
class SteppedScene:
    """The figure at one value of the first slider."""

    traces: Sequence[Mapping[str, Any]]  # what changes of every trace of the figure, in order
    sentences: Sequence[str]  # with **bold**, one for each value of the second slider
    layout: Mapping[str, Any] = field(default_factory=dict)  # laid over that of the figure
    names: Mapping[str, str] = field(default_factory=dict)  # at the ends of curves; else the chip's
    note: str = ""  # below the picture
    complete: bool = True  # nothing of it is still to come


@dataclass(frozen=True, eq=False, kw_only=True)
class SteppedMessage(Picture):
    """A figure under two sliders: the first exchanges its curves, the second moves a line on it.

    Everything is shipped at once, so both act while they are dragged. Traces of mode
    "lines+markers" on the first y axis carry the name of their `legendgroup`, one of `chips`, at
    their right end; the figure's right margin needs room for it. A new topic resets the sliders
    too.
    """

    scenes: Sequence[SteppedScene]  # one for each value of the first slider
    places: Sequence[float]  # of the line on the x axis, one for each value of the second
    sliders: tuple[Steps, Steps]
    chosen: tuple[int, int]  # where the sliders stand
    height: int = 500
    narrow_height: int = 460

    def __post_init__(self) -> None:
        first, second = (len(steps.values) for steps in self.sliders)
        fits = len(self.scenes) == first and len(self.places) == second
        curves = len(self.figure["data"])
        if not fits or any(
            (len(s.traces), len(s.sentences)) != (curves, second) for s in self.scenes
        ):
            raise ValueError("Scenes, places and sentences must fit the values of the sliders.")
        if not (0 <= self.chosen[0] < first and 0 <= self.chosen[1] < second):
            raise ValueError(f"The sliders cannot stand at {self.chosen}.")


def stepped(message: SteppedMessage, *, key: str) -> tuple[int, int]:
    """Draw it; returns where the visitor has left the sliders since, or else `message.chosen`.

    Keep what it returns and give it back as `message.chosen`. A `message.chosen` that did not come
    from here moves the sliders, except during a drag.
    """
    sent, chosen = sent_choice(key), message.chosen
    serial = sent.get("serial")
    if sent and app_state.is_new_choice(key, serial):
        chosen = read_choice(sent, message)
    mount(_wired(message, chosen, serial), key)
    app_state.hear_choice(key, serial)
    return chosen


def read_choice(sent: Any, message: SteppedMessage) -> tuple[int, int]:
    """The places a browser sent, if they make sense for this message, or else `message.chosen`."""
    match sent:
        case {"topic": message.topic, "at": [int(scene), int(place)]}:
            if 0 <= scene < len(message.scenes) and 0 <= place < len(message.places):
                return scene, place
    return message.chosen


def _wired(message: SteppedMessage, chosen: tuple[int, int], seen: object) -> dict[str, Any]:
    told = {name: plain(getattr(message, name)) for name in ("sliders", "places", "scenes")}
    return {**message.message(), "stepped": {**told, "at": chosen, "seen": seen}}
