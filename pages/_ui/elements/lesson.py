"""The element of the course: contents, or a lesson that acts while it is dragged.

All numbers of a lesson are fetched once; Python hears where a drag ended. See `assets/learn.js`.
"""

from typing import Any

from pages._ui.elements.blobs import Blob
from pages._ui.elements.component import component, nothing
from pages._ui.elements.wire import plain

_COURSE = component("learn", "learn.js", "learn*.css")


def lesson_element(block: Blob, name: str, place: Any, seen: object, *, key: str) -> None:
    """Draw the lesson `name`, whose message is `block`, at `place`; "" is the contents.

    `seen` is the serial of the last choice that was heard.
    """
    data = {"address": block.address, "name": name, "place": plain(place), "seen": seen}
    _COURSE(data=data, key=key, on_choice_change=nothing)
