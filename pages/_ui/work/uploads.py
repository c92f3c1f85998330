"""Uploaded data by fingerprint: kept while a visitor holds it, and ten minutes longer.

Whoever has the fingerprint, from a link, sees the data; the Data page says so.
"""

from threading import Lock
from time import monotonic
from typing import Generic, TypeVar
from weakref import WeakValueDictionary

from mips_core import Dataset

LINGER = 600.0  # seconds
Value = TypeVar("Value")


class Lingering(Generic[Value]):
    """Values by name, each known while somebody holds it, and LINGER seconds longer."""

    def __init__(self) -> None:
        self._lock = Lock()
        self._known: WeakValueDictionary[str, Value] = WeakValueDictionary()
        self._until: dict[str, tuple[float, Value]] = {}

    def hold(self, name: str, value: Value) -> None:
        """Make `value` known by this name; called again, it lingers from now."""
        with self._lock:
            self._known[name] = value
            self._until[name] = (monotonic() + LINGER, value)
            self._forget_old()

    def find(self, name: str) -> Value | None:
        """The value of this name, if it is still here."""
        with self._lock:
            self._forget_old()
            return self._known.get(name)

    def forget(self) -> None:
        """As if nothing had been held."""
        with self._lock:
            self._until.clear()
            self._known.clear()

    def _forget_old(self) -> None:
        now = monotonic()
        for name in [name for name, (until, _) in self._until.items() if until < now]:
            del self._until[name]


_UPLOADS = Lingering[Dataset]()


def hold(dataset: Dataset) -> None:
    """Make `dataset` known by its fingerprint; called again, it lingers from now."""
    _UPLOADS.hold(dataset.fingerprint, dataset)


def find(fingerprint: str) -> Dataset | None:
    """The data of this fingerprint, if it is still here."""
    return _UPLOADS.find(fingerprint)
