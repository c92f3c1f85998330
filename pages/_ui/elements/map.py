"""The map as an element: all items as points, the index and a search upon them.

What is large is fetched by the browser from the addresses in the message; the effort of a search
moves in the browser while it is dragged. Python hears of a choice once. See `assets/map.js`.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import fields, is_dataclass, replace
from typing import Any

from mips_core.figures.styles import MODES, Mode, tokens
from mips_core.figures.template import SEQUENTIAL
from pages._ui.elements.component import component, nothing, sent_choice
from pages._ui.elements.map_choice import read_choice
from pages._ui.elements.map_picture import MapChoice, MapPicture
from pages._ui.elements.wire import pack
from pages._ui.state import app_state

_MAP = component("map", "map.js", "map*.css")


def map_element(
    picture: MapPicture, *, key: str, on_choice: Callable[[], None] | None = None
) -> MapChoice:
    """Draw the map, or update the one drawn under this key; returns what the visitor did on it.

    What is selected and the effort stand until they change or the picture does; `fresh` says that
    something was done since the last run, and only then `follow` names an item. Keep the effort
    and give it back as `picture.followed.chosen`.
    """
    sent = sent_choice(key)
    choice, serial = read_choice(sent, picture), sent.get("serial")
    if app_state.is_new_choice(key, serial) and sent:
        choice = replace(choice, fresh=True)
        if picture.followed and choice.effort not in (None, picture.followed.chosen):
            followed = replace(picture.followed, chosen=choice.effort, steps=())  # of another
            picture = replace(picture, followed=followed)
    else:
        choice = replace(choice, follow=None)
    message = {**_plain(picture), "seen": serial, "tokens": _TOKENS}
    _MAP(data=pack(message), key=key, on_choice_change=on_choice or nothing)
    app_state.hear_choice(key, serial)
    return choice


def _plain(value: Any) -> Any:
    """A dataclass as a dict with names as JavaScript writes them; its values likewise."""
    if is_dataclass(value):
        return {_camel(f.name): _plain(getattr(value, f.name)) for f in fields(value)}
    if isinstance(value, Mapping):
        return {name: _plain(inner) for name, inner in value.items()}
    if isinstance(value, Sequence) and not isinstance(value, str):
        return [_plain(inner) for inner in value]
    return value


def _camel(name: str) -> str:
    first, *rest = name.split("_")
    return first + "".join(word.capitalize() for word in rest)


def _colours(mode: Mode) -> dict[str, str]:
    """Every token's colour; s0, s1, ... are the sequential palette, without its faintest."""
    steps = {f"s{i}": colour for i, colour in enumerate(SEQUENTIAL[mode][1:])}
    return tokens(mode) | steps


_TOKENS = {mode: _colours(mode) for mode in MODES}
