"""Results the process remembers, under one budget of bytes: least recently used goes first."""

from collections import Counter, OrderedDict
from collections.abc import Hashable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from threading import RLock, local
from time import monotonic
from typing import Any

from mips_core.base.byte_size import arrays_in
from mips_core.base.limits import (
    ALONE_CACHE_BYTES,
    ALONE_SECONDS,
    CACHE_BYTES,
    UNSEEN_CACHE_BYTES,
    UNSEEN_SECONDS,
)


@dataclass(eq=False, slots=True)
class _Entry:
    value: Any
    arrays: dict[int, int]  # bytes of each by its id
    seen: float


_LOCK = RLock()
_ENTRIES: OrderedDict[Hashable, _Entry] = OrderedDict()
_SIZES: dict[int, int] = {}  # bytes of each array in any entry: one that several share counts once
_HOLDERS: Counter[int] = Counter()  # how many entries an array is in
_TOTAL = [0]  # of _SIZES
_LOST: Counter[Hashable] = Counter()  # how often a key was forgotten for want of room
_OFTEN = 2
_FORGOTTEN: dict[str, int] = {}  # content -> the how many-th it was of all that were forgotten
_MAKING = local()  # of this thread: .since, how many were when what it makes was begun


def remember(key: Hashable, value: Any) -> None:
    """Keep `value` under `key`; forget what was used longest ago while the budget is exceeded.

    Not what was begun before its content was forgotten: some may be of other content.
    """
    arrays = arrays_in(value)  # looked for once: pages remember small things all the time
    with _LOCK:
        if outdated(key):
            return
        _forget(key)
        _ENTRIES[key] = _Entry(value, arrays, monotonic())
        _hold(arrays)
        while len(_ENTRIES) > 1 and _TOTAL[0] > CACHE_BYTES:
            oldest = next(iter(_ENTRIES))
            _forget(oldest)
            _LOST[oldest] += 1


def forget_unseen(*, alone: bool = False) -> None:
    """Forget what nobody looked at for a while, where all takes more than is left to that.

    Both are less while the server is `alone`. Counts anew what all entries hold: some grow as they
    are read.
    """
    seconds, room = UNSEEN_SECONDS, UNSEEN_CACHE_BYTES
    if alone:
        seconds, room = ALONE_SECONDS, ALONE_CACHE_BYTES
    with _LOCK:
        every = list(_ENTRIES.items())
    counted = [(key, entry, arrays_in(entry.value)) for key, entry in every]  # pages go on
    with _LOCK:
        if alone:
            _LOST.clear()
        for key, entry, arrays in counted:
            if _ENTRIES.get(key) is entry:
                _release(entry.arrays)
                entry.arrays = arrays
                _hold(entry.arrays)
        for key, entry in list(_ENTRIES.items()):  # the oldest first
            if _TOTAL[0] > room and monotonic() - entry.seen >= seconds:
                _forget(key)


def forget_all() -> None:
    """Remember nothing any more."""
    with _LOCK:
        for key in list(_ENTRIES):
            _forget(key)


def forget_of(name: str) -> None:
    """Forget all that keys name by this content: other content may have been read in its place.

    What is being made of it is not remembered, but for what this thread makes from now on.
    """
    with _LOCK:
        for key in [key for key in _ENTRIES if _names(key, name)]:
            _forget(key)
        _FORGOTTEN[name] = 1 + max(_FORGOTTEN.values(), default=0)
        if hasattr(_MAKING, "since"):
            _MAKING.since = _FORGOTTEN[name]


@contextmanager
def making() -> Iterator[None]:
    """Within, this thread makes what it remembers: all is as old as the outermost of these."""
    if hasattr(_MAKING, "since"):
        yield
        return
    with _LOCK:
        _MAKING.since = max(_FORGOTTEN.values(), default=0)
    try:
        yield
    finally:
        del _MAKING.since


def outdated(key: Hashable) -> bool:
    """Whether content that `key` names was forgotten since this thread has begun to make it."""
    since = getattr(_MAKING, "since", None)
    with _LOCK:
        later = [] if since is None else [name for name, at in _FORGOTTEN.items() if at > since]
    return any(_names(key, name) for name in later)


def _names(key: Hashable, name: str) -> bool:
    return key == name or (isinstance(key, tuple) and any(_names(part, name) for part in key))


def _forget(key: Hashable) -> None:
    if key in _ENTRIES:
        _release(_ENTRIES.pop(key).arrays)


def _hold(arrays: dict[int, int]) -> None:
    for array, size in arrays.items():
        _HOLDERS[array] += 1
        if array not in _SIZES:
            _SIZES[array] = size
            _TOTAL[0] += size


def _release(arrays: dict[int, int]) -> None:
    for array in arrays:
        _HOLDERS[array] -= 1
        if not _HOLDERS[array]:
            del _HOLDERS[array]
            _TOTAL[0] -= _SIZES.pop(array)


def recall(key: Hashable) -> Any:
    """The value kept under `key`, or None."""
    with _LOCK:
        entry = _ENTRIES.get(key)
        if entry is None:
            return None
        _ENTRIES.move_to_end(key)
        entry.seen = monotonic()
        return entry.value


def crowded(key: Hashable) -> bool:
    """Whether what was kept under `key` had to go again and again: making it anew helps nobody."""
    with _LOCK:
        return _LOST[key] >= _OFTEN and key not in _ENTRIES


def worth_making(key: Hashable) -> bool:
    """Whether nothing is kept under `key`, and it may stay when it is."""
    return recall(key) is None and not crowded(key)


def give_another_chance(key: Hashable) -> None:
    """Let what was kept under `key` be made anew."""
    with _LOCK:
        del _LOST[key]
