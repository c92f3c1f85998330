"""Data that did not ship with the app: kept while a visitor holds it, and for a while longer.

What a visitor uploaded has a random key: whoever has that, from a link, sees the data; who has the
same file does not. Data that all visitors may open, as those of the data folder, have none.
"""

import re
from collections.abc import Callable
from dataclasses import dataclass
from secrets import token_hex
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

    def drop(self, name: str) -> None:
        """Let this name be of nothing, whoever holds the value."""
        with self._lock:
            self._until.pop(name, None)
            self._known.pop(name, None)

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
    published: str = ""  # key of the published set that they are

    def in_words(self) -> str:
        """Films 9,724 × 150 (ratings.csv, 2.4 MB); ratings.csv 9,724 × 150 (2.4 MB)."""
        count = len(self.files)
        files = self.files[0] if count == 1 else f"{count:,} files" * (count > 1)
        told = [files * (files != self.name), memory(self.size) if self.size else ""]
        of = ", ".join(filter(None, told))
        return f"{self.name} {self.n:,} × {self.d:,}" + (f" ({of})" if of else "")


@dataclass(frozen=True)
class Share:
    """What opens an upload: a key, and for who uploaded it the proof that they may stop sharing.

    The address of a page holds both, so that a refresh keeps them; a link that is copied holds the
    key alone. Without a key: what all visitors may open.
    """

    key: str = ""
    proof: str = ""

    @property
    def text(self) -> str:
        """As an address holds it: key.proof, or the key."""
        return ".".join(filter(None, (self.key, self.proof)))

    @property
    def is_own(self) -> bool:
        """Whether who has this uploaded the data."""
        return bool(self.key) and _PROOFS.get(self.key) == self.proof

    @property
    def is_renewed(self) -> bool:
        """Whether it came in the place of one that was stopped."""
        return self.key in _NEXT.values()

    @property
    def stopped(self) -> bool:
        """Whether what the key opened is shared by it no more."""
        return self.key in _NEXT


NOBODY = Share()  # of data that nobody has to themselves
_UPLOADS = Lingering[Dataset]()
_MAPPED: dict[str, Callable[[], bool]] = {}  # fingerprint -> whether its files changed meanwhile
_ORIGINS: dict[str, DataOrigin] = {}  # by fingerprint and key: small, so they stay, as do these
_PROOFS: dict[str, str] = {}  # by key
_NEXT: dict[str, str] = {}  # key by which nothing is shared any more -> the key after it


def new_share(proof: str = "") -> Share:
    """One that nobody has; of a `proof` that was there before, if one was."""
    share = Share(token_hex(16), proof or token_hex(16))
    _PROOFS[share.key] = share.proof
    return share


def share_of(text: str) -> Share:
    """What an address holds; of what its owner has stopped sharing, for them what came after it."""
    match = re.fullmatch(r"([0-9a-f]{32})(?:\.([0-9a-f]{32}))?", text)
    share = Share(match[1], match[2] or "") if match else Share()
    if not share.is_own:
        return Share(share.key)
    while share.stopped:
        share = Share(_NEXT[share.key], share.proof)
    return share


def stop(fingerprint: str, share: Share) -> Share:
    """Let the key open nothing any more, for whoever has it; returns the owner's next."""
    dataset, origin = find(fingerprint, share.key), origin_of(fingerprint, share.key)
    after = new_share(share.proof)
    _NEXT[share.key] = after.key
    _UPLOADS.drop(_name(fingerprint, share.key))
    if dataset is not None:
        hold(dataset, origin, after.key)
    return after


def hold(dataset: Dataset, origin: DataOrigin | None = None, key: str = "") -> None:
    """Make `dataset` known by its fingerprint and this key; called again, it lingers from now."""
    name = _name(dataset.fingerprint, key)
    if key in _NEXT:
        return
    _UPLOADS.hold(name, dataset)
    if origin is not None or name not in _ORIGINS:
        _ORIGINS[name] = origin or DataOrigin(dataset.name, dataset.n, dataset.d)


def watch(fingerprint: str, changed: Callable[[], bool]) -> None:
    """These data are read where their files lie: they are gone when `changed` says so."""
    _MAPPED[fingerprint] = changed


def has_changed(fingerprint: str) -> bool:
    """Whether the file that these data are read from was written over since."""
    return fingerprint in _MAPPED and _MAPPED[fingerprint]()


def drop_changed(fingerprint: str) -> bool:
    """Let go of these data where what they are read from has changed; whether it has.

    What is computed from then on would be of neither the old nor the new numbers.
    """
    changed = has_changed(fingerprint)
    if changed:
        _UPLOADS.drop(_name(fingerprint, ""))
    return changed


def origin_of(fingerprint: str, key: str = "") -> DataOrigin | None:
    """Where the data of this fingerprint and key came from, if they were ever held here."""
    return _ORIGINS.get(_name(fingerprint, key))


def find(fingerprint: str, key: str = "") -> Dataset | None:
    """The data of this fingerprint and key, if they are still here."""
    return _UPLOADS.find(_name(fingerprint, key))


def _name(fingerprint: str, key: str) -> str:
    return f"{fingerprint} {key}"
