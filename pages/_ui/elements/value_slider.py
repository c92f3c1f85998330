"""A slider over a list of values that acts while it is dragged.

Python hears every move it can follow: the next is sent when the last is answered.
"""

from collections.abc import Callable, Sequence
from typing import TypeVar

from pages._ui.elements.component import component, nothing, sent_choice
from pages._ui.state import app_state

_SLIDER = component("value", "value.js")
Value = TypeVar("Value", int, float)


def moved_to(values: Sequence[Value], *, key: str) -> Value | None:
    """The value that the slider `key` was moved to since this was asked last."""
    sent = sent_choice(key)
    value = sent.get("value")
    if not app_state.is_new_choice(key, sent.get("serial")):
        return None
    app_state.hear_choice(key, sent.get("serial"))
    return value if value in values else None


def value_slider(
    label: str,
    values: Sequence[Value],
    value: Value,
    *,
    key: str,
    text: Callable[[Value], str] = str,
    spoken: Callable[[Value], str] | None = None,
    help: str = "",
) -> None:
    """Draw it at `value`, one of `values`, with `text` of it beside; read out as `spoken`.

    Its next move comes once this is drawn: draw it after all that `value` leads to.
    """
    _SLIDER(
        data={
            "values": list(values),
            "at": list(values).index(value),
            "texts": [text(step) for step in values],
            "spoken": [(spoken or text)(step) for step in values],
            "label": label,
            "help": help,
            "seen": sent_choice(key).get("serial"),
        },
        key=key,
        on_choice_change=nothing,
    )
