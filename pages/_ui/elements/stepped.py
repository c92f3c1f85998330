"""A figure under two sliders that both act while they are dragged.

All its scenes are shipped once, and Python hears of a drag once, when the slider is let go. See
`assets/stepped.js`.
"""

from typing import Any

from pages._ui.elements.chart import mount, still
from pages._ui.elements.component import sent_choice
from pages._ui.elements.stepped_view import Scene, SteppedView
from pages._ui.state import app_state


def stepped(view: SteppedView, *, key: str) -> tuple[int, int]:
    """Draw the view; returns where the visitor has left the sliders since, or else `view.chosen`.

    Keep what it returns and give it back as `view.chosen`. A `view.chosen` that did not come from
    here moves the sliders, except during a drag.
    """
    sent, chosen = sent_choice(key), view.chosen
    serial = sent.get("serial")
    if sent and app_state.is_new_choice(key, serial):
        chosen = read_choice(sent, view)
    mount(_message(view, chosen, serial), key)
    app_state.hear_choice(key, serial)
    return chosen


def read_choice(sent: Any, view: SteppedView) -> tuple[int, int]:
    """The places a browser sent, if they make sense for this view, or else `view.chosen`."""
    match sent:
        case {"topic": view.topic, "at": [int(scene), int(place)]}:
            if 0 <= scene < len(view.scenes) and 0 <= place < len(view.places):
                return scene, place
    return view.chosen


def _message(view: SteppedView, chosen: tuple[int, int], seen: object) -> dict[str, Any]:
    names = ("height", "narrow", "alt", "topic")
    return {
        **still(view.figure, view.chips, view.labels),
        **{name: getattr(view, name) for name in names},
        **{"narrowHeight": view.narrow_height, "fileName": view.file_name},
        "stepped": {
            "sliders": [
                {
                    **{"label": steps.label, "narrowLabel": steps.narrow_label or steps.label},
                    **{"values": steps.values, "written": steps.written, "help": steps.help},
                }
                for steps in view.sliders
            ],
            **{"at": chosen, "seen": seen, "places": view.places},
            "scenes": [_scene(scene) for scene in view.scenes],
        },
    }


def _scene(scene: Scene) -> dict[str, Any]:
    names = ("traces", "layout", "sentences", "names", "note", "complete")
    return {name: getattr(scene, name) for name in names}
