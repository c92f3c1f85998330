"""Uploaded data by fingerprint: kept while a visitor holds it, and ten minutes longer.

Whoever has the fingerprint, from a link, sees the data; the Data page says so.
"""

from dataclasses import dataclass
from threading import Lock
from time import monotonic
from typing import Any, Generic, TypeVar
from weakref import WeakSet, WeakValueDictionary

from mips_core import Dataset
from mips_core.base.limits import UPLOAD_SECONDS
from mips_core.base.text import memory

Value = TypeVar("Value")
_EVERY: "WeakSet[Lingering[Any]]" = WeakSet()


class Lingering(Generic[Value]):
    """Values by name, each known while somebody holds it, and UPLOAD_SECONDS longer."""

    def __init__(self) -> None:
        self._lock = Lock()
        self._known: WeakValueDictionary[str, Value] = WeakValueDictionary()
        self._until: dict[str, tuple[float, Value]] = {}
        _EVERY.add(self)

    def hold(self, name: str, value: Value) -> None:
        """Make `value` known by this name; called again, it lingers from now."""
        with self._lock:
            self._known[name] = value
            self._until[name] = (monotonic() + UPLOAD_SECONDS, value)
        self.forget_old()

    def find(self, name: str) -> Value | None:
        """The value of this name, if it is still here."""
        self.forget_old()
        with self._lock:
            return self._known.get(name)

    def forget(self) -> None:
        """As if nothing had been held."""
        with self._lock:
            self._until.clear()
            self._known.clear()

    def forget_old(self) -> None:
        """Let go of what nobody has held for UPLOAD_SECONDS; `hold` and `find` do so too."""
        now = monotonic()
        with self._lock:
            for name in [name for name, (until, _) in self._until.items() if until < now]:
                del self._until[name]


def forget_old() -> None:
    """Let go of all that lingers, and nobody has held for UPLOAD_SECONDS, whatever it is."""
    for lingering in list(_EVERY):
        lingering.forget_old()


@dataclass(frozen=True)
class DataOrigin:
    """What data that did not ship with the app are called, and the files they came from."""

    name: str
    n: int
    d: int
    files: tuple[str, ...] = ()  # their names
    size: int = 0  # bytes of all
    folder: bool = False  # whether they lie in the data folder
    reading: str = ""  # how they were understood, where that was chosen

    def in_words(self) -> str:
        """Films 9,724 × 150 (ratings.csv, 2.4 MB); ratings.csv 9,724 × 150 (2.4 MB)."""
        count = len(self.files)
        files = self.files[0] if count == 1 else f"{count:,} files" * (count > 1)
        told = [files * (files != self.name), memory(self.size) if self.size else ""]
        of = ", ".join(filter(None, told))
        return f"{self.name} {self.n:,} × {self.d:,}" + (f" ({of})" if of else "")


_UPLOADS = Lingering[Dataset]()
_ORIGINS: dict[str, DataOrigin] = {}  # by fingerprint: small, so they stay


def hold(dataset: Dataset, origin: DataOrigin | None = None) -> None:
    """Make `dataset` known by its fingerprint; called again, it lingers from now."""
    name = dataset.fingerprint
    _UPLOADS.hold(name, dataset)
    if origin is not None or name not in _ORIGINS:
        _ORIGINS[name] = origin or DataOrigin(dataset.name, dataset.n, dataset.d)


def origin_of(fingerprint: str) -> DataOrigin | None:
    """Where the data of this fingerprint came from, if they were ever held here."""
    return _ORIGINS.get(fingerprint)


def find(fingerprint: str) -> Dataset | None:
    """The data of this fingerprint, if it is still here."""
    return _UPLOADS.find(fingerprint)
