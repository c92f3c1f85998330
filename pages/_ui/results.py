"""What the process remembers, by key, under one budget of bytes: least recently used goes first."""

from collections import OrderedDict
from collections.abc import Hashable, Mapping
from dataclasses import fields, is_dataclass
from threading import RLock
from typing import Any

import numpy as np

from mips_core.limits import CACHE_BYTES

_LOCK = RLock()
_KEPT: OrderedDict[Hashable, Any] = OrderedDict()


def remember(key: Hashable, value: Any) -> None:
    """Keep `value` under `key`; forget what was used longest ago while the budget is exceeded."""
    with _LOCK:
        _KEPT[key] = value
        _KEPT.move_to_end(key)
        while len(_KEPT) > 1 and byte_size(list(_KEPT.values())) > CACHE_BYTES:
            _KEPT.popitem(last=False)


def recall(key: Hashable) -> Any:
    """The value kept under `key`, or None."""
    with _LOCK:
        if key in _KEPT:
            _KEPT.move_to_end(key)
        return _KEPT.get(key)


def byte_size(value: Any) -> int:
    """Bytes of all different arrays reachable from `value`; what is not an array counts nothing."""
    seen: dict[int, int] = {}
    _collect(value, seen)
    return sum(seen.values())


def _collect(value: Any, seen: dict[int, int]) -> None:
    if isinstance(value, np.ndarray):
        owner = value if value.base is None else value.base
        seen[id(owner)] = getattr(owner, "nbytes", value.nbytes)
    elif is_dataclass(value) and not isinstance(value, type):
        for f in fields(value):
            _collect(getattr(value, f.name), seen)
    elif isinstance(value, Mapping):
        for inner in value.values():
            _collect(inner, seen)
    elif isinstance(value, list | tuple):
        for inner in value:
            _collect(inner, seen)
