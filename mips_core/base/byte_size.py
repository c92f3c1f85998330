"""How much memory values take."""

from collections.abc import Mapping
from dataclasses import fields, is_dataclass
from typing import Any

import numpy as np

PLAIN = frozenset((str, int, float, bool, bytes, type(None)))  # what counts nothing


def byte_size(value: Any) -> int:
    """Bytes of all different arrays and tables reachable from `value`; all else counts nothing."""
    return sum(arrays_in(value).values())


def arrays_in(value: Any) -> dict[int, int]:
    """Bytes of each of these arrays by its id(), which names it while `value` lives."""
    seen: dict[int, int] = {}
    _collect(value, seen)
    return {at: size for at, size in seen.items() if size}


def _collect(value: Any, seen: dict[int, int]) -> None:
    if isinstance(value, np.ndarray):
        owner = value if value.base is None else value.base
        seen[id(owner)] = getattr(owner, "nbytes", value.nbytes)
    elif hasattr(value, "memory_usage"):  # a table of pandas, which is not imported for this
        seen[id(value)] = int(np.sum(value.memory_usage(deep=True)))
    elif is_dataclass(value) and not isinstance(value, type) and id(value) not in seen:
        seen[id(value)] = 0  # looked into once: what is drawn of many trials holds few indexes
        for f in fields(value):
            _collect(getattr(value, f.name), seen)
    elif isinstance(value, Mapping):
        for inner in list(value.values()):  # of what is read off, where a page may add to it now
            _collect(inner, seen)
    elif isinstance(value, list | tuple):
        for inner in value:
            if type(inner) not in PLAIN:  # asked here: there are lists of a million labels
                _collect(inner, seen)
