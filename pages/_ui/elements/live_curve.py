"""The curve under the slider: a whole curve is shipped once and moved in the browser.

Python hears of a drag once, when the slider is let go.
"""

from collections.abc import Callable
from typing import Any

from mips_core.figures.styles import METHODS
from pages._ui.elements.chart import look, mount, still
from pages._ui.elements.component import sent_choice
from pages._ui.elements.live_view import Build, Choice, LiveView
from pages._ui.elements.words import WORDS
from pages._ui.state import app_state


def live_curve(view: LiveView, *, key: str, on_choice: Callable[[], None] | None = None) -> Choice:
    """Draw the view; returns the choice the visitor has made since, or else `view.chosen`.

    Keep what it returns and give it back as `view.chosen`. The build may be one that is not ready:
    then it is the one to build next. A `view.chosen` that did not come from here moves the sliders,
    except during a drag.
    """
    sent, chosen = sent_choice(key), view.chosen
    serial = sent.get("serial")
    if sent and app_state.is_new_choice(key, serial):
        chosen = read_choice(sent, view)
    mount(_message(view, chosen, serial), key, on_choice)
    app_state.hear_choice(key, serial)
    return chosen


def read_choice(sent: Any, view: LiveView) -> Choice:
    """The choice a browser sent, if it makes sense for this view, or else `view.chosen`."""
    match sent:
        case {"topic": view.topic, "build": str(build), "effort": int(effort)}:
            known = {b.value for b in view.builds}
            return Choice(build, max(effort, 0)) if build in known else view.chosen
    return view.chosen


def _message(view: LiveView, chosen: Choice, seen: object) -> dict[str, Any]:
    names = ("height", "narrow", "alt", "topic")
    live = {
        **{name: getattr(view, name) for name in ("n", "m", "K", "sentence")},
        "sentenceBelowOne": view.sentence_below_one,
        "builds": [_build(build) for build in view.builds],
        "seen": seen,
        "chosen": {"build": chosen.build, "effort": chosen.effort},
        "looks": {key: look(key, view.labels) for key in METHODS},
        "effort": {
            **{"label": view.effort_label, "unit": view.effort_unit, "help": view.effort_help},
            "nouns": view.effort_nouns,
        },
        "build": {"label": view.build_label, "help": view.build_help},
        "tiles": view.show_tiles,
        "histogram": view.show_histogram,
        "others": view.show_others,
        "words": WORDS,
    }
    return {
        **still(view.figure, view.chips, view.labels),
        **{name: getattr(view, name) for name in names},
        **{"narrowHeight": view.narrow_height, "fileName": view.file_name, "live": live},
    }


def _build(build: Build) -> dict[str, Any]:
    names = ("value", "label", "live", "message")
    points = build.points
    return {
        **{name: getattr(build, name) for name in names},
        "style": build.style_key,
        "points": points
        and {
            **{name: getattr(points, name) for name in ("efforts", "precision", "low", "high")},
            **{"missedAll": points.missed_all, "histogram": points.histogram},
            "parts": [{"name": name, "cost": cost} for name, cost in points.parts.items()],
        },
    }
