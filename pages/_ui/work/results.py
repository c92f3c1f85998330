"""What the process remembers, by key, under one budget of bytes: least recently used goes first."""

from collections import Counter, OrderedDict
from collections.abc import Hashable
from threading import RLock
from typing import Any

from mips_core.base.byte_size import arrays_in
from mips_core.base.limits import CACHE_BYTES

_LOCK = RLock()
_KEPT: OrderedDict[Hashable, tuple[Any, dict[int, int]]] = OrderedDict()  # and arrays in it
_LOST: Counter[Hashable] = Counter()  # how often a key was forgotten for want of room
_OFTEN = 2


def remember(key: Hashable, value: Any) -> None:
    """Keep `value` under `key`; forget what was used longest ago while the budget is exceeded."""
    arrays = arrays_in(value)  # looked for once: pages remember small things all the time
    with _LOCK:
        _KEPT[key] = value, arrays
        _KEPT.move_to_end(key)
        while len(_KEPT) > 1 and _bytes() > CACHE_BYTES:
            _LOST[_KEPT.popitem(last=False)[0]] += 1


def _bytes() -> int:
    """Of all that is kept; an array that several values share counts once."""
    sizes: dict[int, int] = {}
    for _, arrays in _KEPT.values():
        sizes.update(arrays)
    return sum(sizes.values())


def recall(key: Hashable) -> Any:
    """The value kept under `key`, or None."""
    with _LOCK:
        if key not in _KEPT:
            return None
        _KEPT.move_to_end(key)
        return _KEPT[key][0]


def crowded(key: Hashable) -> bool:
    """Whether what was kept under `key` had to go again and again: making it anew helps nobody."""
    with _LOCK:
        return _LOST[key] >= _OFTEN and key not in _KEPT


def worth_making(key: Hashable) -> bool:
    """Whether nothing is kept under `key`, and it may stay when it is."""
    return recall(key) is None and not crowded(key)


def give_another_chance(key: Hashable) -> None:
    """Let what was kept under `key` be made anew."""
    with _LOCK:
        del _LOST[key]
