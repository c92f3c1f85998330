"""What a browser says was done on the map, read and checked: nonsense chooses nothing."""

import base64
import binascii
from typing import Any

import numpy as np

from mips_core.base.arrays import Ids
from pages._ui.elements.map_picture import MapChoice, MapPicture

_RUNS, _BITS = 0, 1  # the first byte of written items says how they are written


def read_choice(sent: Any, picture: MapPicture) -> MapChoice:
    """The choice a browser sent, as far as it makes sense for this picture.

    A choice for other data is none. An effort for another search, and a group of a level that is
    not shown, are left out.
    """
    if not isinstance(sent, dict) or sent.get("topic") != picture.topic:
        return MapChoice()
    selected = items_of(sent.get("selected"), picture.n)
    how = sent.get("how")
    return MapChoice(
        effort=_effort(sent, picture),
        selected=selected,
        how=how if selected is not None and how in ("lasso", "click", "group") else "",
        focus=_focus(sent, picture),
        follow=_within(sent.get("follow"), picture.n),
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


def _effort(sent: dict[str, Any], picture: MapPicture) -> int | None:
    followed = picture.followed
    if followed is None or sent.get("search") != followed.opened.address:
        return None
    return _within(sent.get("effort"), len(followed.efforts))


def _focus(sent: dict[str, Any], picture: MapPicture) -> int:
    if not picture.levels or sent.get("level") != picture.levels[picture.level].of.address:
        return -1
    focus = _within(sent.get("focus"), len(picture.levels[picture.level].sizes))
    return -1 if focus is None else focus


def _within(value: Any, end: int) -> int | None:
    """`value` if it is one of 0, 1, ... end - 1."""
    fits = isinstance(value, int) and not isinstance(value, bool) and 0 <= value < end
    return value if fits else None
