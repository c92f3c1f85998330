"""The slider of efforts that acts while it is dragged: Python hears every move it can follow."""

from collections.abc import Sequence

from mips_core import Index
from pages._ui import session
from pages._ui.elements.component import component, nothing, sent_choice

_SLIDER = component("effort", "effort.js")


def moved_to(efforts: Sequence[int], *, key: str) -> int | None:
    """The effort that the slider `key` was moved to since this was asked last."""
    sent = sent_choice(key)
    effort = sent.get("effort")
    fresh = session.new_choice(key, sent.get("serial"))
    return effort if fresh and effort in efforts else None


def effort_slider(index: Index, efforts: Sequence[int], effort: int, *, key: str) -> None:
    """Draw it at `effort`, one of `efforts`.

    Its next move comes once this is drawn: draw it after all that `effort` leads to.
    """
    _SLIDER(
        data={
            "efforts": list(efforts),
            "at": list(efforts).index(effort),
            "label": index.effort_name,
            "help": index.effort_help,
            "unit": index.effort_nouns[1],
            "seen": sent_choice(key).get("serial"),
        },
        key=key,
        on_choice_change=nothing,
    )
