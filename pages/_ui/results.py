"""What the process remembers, by key, under one budget of bytes: least recently used goes first."""

from collections import OrderedDict
from collections.abc import Hashable
from threading import RLock
from typing import Any

from mips_core.limits import CACHE_BYTES
from mips_core.sizes import byte_size

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
