"""The map as an element: all items as points, the index and a search upon them.

What is large is fetched by the browser from the addresses in the message; the effort of a search
moves in the browser while it is dragged. Python hears of a choice once, and reads it with care:
nonsense chooses nothing. See `assets/map.js`.
"""

import base64
import binascii
import re
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np

from mips_core.base.arrays import Ids
from mips_core.figures.styles import MODES, Mode, tokens
from mips_core.figures.template import SEQUENTIAL
from pages._ui.elements.component import component, nothing, sent_choice
from pages._ui.elements.map_message import MapChoice, MapMessage
from pages._ui.elements.wire import pack, plain
from pages._ui.state import app_state

_MAP = component("map", "map.js", "map*.css")


def map_element(
    message: MapMessage, *, key: str, on_choice: Callable[[], None] | None = None
) -> MapChoice:
    """Draw the map, or update the one drawn under this key; returns what the visitor did on it.

    What is selected and the effort stand until they change or the picture does; `fresh` says that
    something was done since the last run, and only then `follow` says what to ask. Keep the effort
    and give it back as `message.followed.chosen`.
    """
    sent = sent_choice(key)
    choice, serial = read_choice(sent, message), sent.get("serial")
    if app_state.is_new_choice(key, serial) and sent:
        choice = replace(choice, fresh=True)
        if message.followed and choice.effort not in (None, message.followed.chosen):
            followed = replace(message.followed, chosen=choice.effort, steps=())  # of another
            message = replace(message, followed=followed)
    else:
        choice = replace(choice, follow=None)
    wired = {**plain(message), "seen": serial, "tokens": _TOKENS}
    _MAP(data=pack(wired), key=key, on_choice_change=on_choice or nothing)
    app_state.hear_choice(key, serial)
    return choice


def _colours(mode: Mode) -> dict[str, str]:
    """Every token's colour; s0, s1, ... are the sequential palette, without its faintest."""
    steps = {f"s{i}": colour for i, colour in enumerate(SEQUENTIAL[mode][1:])}
    return tokens(mode) | steps


_TOKENS = {mode: _colours(mode) for mode in MODES}


_RUNS, _BITS = 0, 1  # the first byte of written items says how they are written


def read_choice(sent: Any, message: MapMessage) -> MapChoice:
    """The choice a browser sent, as far as it makes sense for this map.

    A choice for other data is none. An effort for another search, and a group of a level that is
    not shown, are left out.
    """
    if not isinstance(sent, dict) or sent.get("topic") != message.topic:
        return MapChoice()
    selected = items_of(sent.get("selected"), message.n)
    how = sent.get("how")
    return MapChoice(
        effort=_effort(sent, message),
        selected=selected,
        how=how if selected is not None and how in ("lasso", "click", "group") else "",
        focus=_focus(sent, message),
        follow=_asked(sent.get("follow"), message.n),
    )


def items_of(text: Any, n: int) -> Ids | None:
    """The items in `text`, int64 (s,) ascending and distinct; None for none or for nonsense.

    Base64 of bytes, of which the first says how the rest is written, whichever is shorter: 0, as
    runs of consecutive items, each by the gap since the run before and its length less one, in
    base 128 (least part first, the high bit says that more follow); 1, a bit for each item, the
    lowest first.
    """
    if not isinstance(text, str) or not text or len(text) > 8 * n + 64:
        return None
    try:
        data = np.frombuffer(base64.b64decode(text, validate=True), np.uint8)
    except (binascii.Error, ValueError):
        return None
    if data.size < 2:
        return None
    items = _of_bits(data[1:]) if data[0] == _BITS else _of_runs(data[1:], n)
    if items is None or not items.size or items[-1] >= n or data[0] not in (_RUNS, _BITS):
        return None
    return items


def _of_bits(data: np.ndarray) -> Ids:
    return np.flatnonzero(np.unpackbits(data, bitorder="little")).astype(np.int64)


def _of_runs(data: np.ndarray, n: int) -> Ids | None:
    """Items of runs; None where they are no runs within n items."""
    last = data < 128
    if not last[-1] or np.diff(np.flatnonzero(last), prepend=-1).max() > 4:  # beyond 2^28
        return None
    starts = np.flatnonzero(np.concatenate([[True], last[:-1]]))
    place = np.arange(data.size) - np.repeat(starts, np.diff(starts, append=data.size))
    parts = (data & 127).astype(np.int64) << (7 * place)
    numbers = np.add.reduceat(parts, starts)
    if numbers.size % 2:
        return None
    gaps, lengths = numbers[0::2], numbers[1::2] + 1
    ends = np.cumsum(gaps + lengths)
    if ends[-1] > n:
        return None
    within = np.arange(lengths.sum()) - np.repeat(np.cumsum(lengths) - lengths, lengths)
    return np.repeat(ends - lengths, lengths) + within


def _effort(sent: dict[str, Any], message: MapMessage) -> int | None:
    followed = message.followed
    if followed is None or sent.get("search") != followed.opened.address:
        return None
    return _within(sent.get("effort"), len(followed.efforts))


def _focus(sent: dict[str, Any], message: MapMessage) -> int:
    if not message.levels or sent.get("level") != message.levels[message.level].of.address:
        return -1
    focus = _within(sent.get("focus"), len(message.levels[message.level].sizes))
    return -1 if focus is None else focus


_ASKED = re.compile(r"|query [0-9]{1,9}|item ([0-9]{1,9})|(?:words|vector) .{1,6000}")


def _asked(value: Any, n: int) -> str | None:
    """`value` if a query is written so, and its item is one of n."""
    match = _ASKED.fullmatch(value) if isinstance(value, str) else None
    return None if match is None or int(match[1] or 0) >= n else match[0]


def _within(value: Any, end: int) -> int | None:
    """`value` if it is one of 0, 1, ... end - 1."""
    fits = isinstance(value, int) and not isinstance(value, bool) and 0 <= value < end
    return value if fits else None
