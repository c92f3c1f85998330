"""Uploaded data by fingerprint: kept while a visitor holds it, and ten minutes longer.

Whoever has the fingerprint, from a link, sees the data; the Data page says so.
"""

from threading import Lock
from time import monotonic
from weakref import WeakValueDictionary

from mips_core import Dataset

LINGER = 600.0  # seconds

_LOCK = Lock()
_HELD: WeakValueDictionary[str, Dataset] = WeakValueDictionary()
_LINGERING: dict[str, tuple[float, Dataset]] = {}


def hold(dataset: Dataset) -> None:
    """Make `dataset` known by its fingerprint; called again, it lingers from now."""
    with _LOCK:
        _HELD[dataset.fingerprint] = dataset
        _LINGERING[dataset.fingerprint] = (monotonic() + LINGER, dataset)
        _forget_old()


def find(fingerprint: str) -> Dataset | None:
    """The data of this fingerprint, if it is still here."""
    with _LOCK:
        _forget_old()
        return _HELD.get(fingerprint)


def _forget_old() -> None:
    now = monotonic()
    for fingerprint in [f for f, (until, _) in _LINGERING.items() if until < now]:
        del _LINGERING[fingerprint]
