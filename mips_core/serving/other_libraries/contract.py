"""The contract of an index that another library builds and searches.

It is asked for inner products on the vectors as they are searched, like every index here, so that
both answer the same question. Each library is optional.

Graphs share how they are built, and how hard they are asked. Malkov and Yashunin, "Efficient and
robust approximate nearest neighbor search using hierarchical navigable small world graphs", TPAMI
2020: M links an item and a level, efConstruction and ef the length of the list of best items kept
while building and while searching. With inner products the graph loses what a metric guarantees,
and may miss items whatever the effort.
"""

import warnings
from abc import ABC, abstractmethod
from collections.abc import Sequence
from contextlib import AbstractContextManager
from importlib import import_module, metadata
from importlib.util import find_spec
from typing import Any, ClassVar, Self, TypeVar

from mips_core.base.arrays import Ids, Matrix
from mips_core.base.errors import MipsError
from mips_core.base.progress import Progress, silent
from mips_core.methods.searcher import effort_ladder

M = 16
EF_CONSTRUCTION = 200
MOST_EF = 4096
CHUNK = 4096  # items added between two reports of progress


class Rival(ABC):
    """An index of another library, built. One thread at a time may search it."""

    key: ClassVar[str]  # stable name in results and links
    label: ClassVar[str]  # name shown to people
    package: ClassVar[str]  # what is imported
    pip: ClassVar[str]  # the line that adds it

    @classmethod
    @abstractmethod
    def build(cls, X: Matrix, seed: int, threads: int, progress: Progress = silent) -> Self:
        """Index the items X (n, d) on so many threads. Raises MipsError as `load` does."""

    @abstractmethod
    def efforts(self, K: int) -> Sequence[int]:
        """Ascending query-time efforts worth trying for K answers."""

    @abstractmethod
    def in_words(self, effort: int) -> str:
        """The parameters and the effort: "566 lists, 24 probes"."""

    @abstractmethod
    def search(self, Q: Matrix, K: int, effort: int) -> Ids:
        """(m, K) items found for the queries Q (m, d), best first; -1 where there are no more."""

    @abstractmethod
    def inner_products(self, Q: Matrix, K: int, effort: int) -> float | None:
        """Mean inner products a query; None where the library does not tell."""

    @abstractmethod
    def limited(self, threads: int) -> AbstractContextManager[None]:
        """Within it, the calling thread's searches run on so many threads."""


RivalT = TypeVar("RivalT", bound=Rival)
RIVALS: dict[str, type[Rival]] = {}


def register(cls: type[RivalT]) -> type[RivalT]:
    """Class decorator: make a rival known wherever searches are timed."""
    RIVALS[cls.key] = cls
    return cls


def available() -> list[str]:
    """Keys of the rivals whose library is installed."""
    return [key for key, rival in RIVALS.items() if _is_installed(rival.package)]


def missing() -> list[tuple[str, str]]:
    """(library, line that adds it) of every library that is not installed."""
    lines = {rival.package: rival.pip for rival in RIVALS.values()}
    return [(package, pip) for package, pip in lines.items() if not _is_installed(package)]


def _is_installed(package: str) -> bool:
    return find_spec(package) is not None


def load(rival: type[Rival]) -> Any:
    """The library of `rival`, imported. Raises MipsError where that fails."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", DeprecationWarning)  # of SWIG's types, Python 3.12 on
            return import_module(rival.package)
    except ImportError as error:
        raise MipsError(
            f"{rival.package} cannot be loaded: {error}.", f"Install it anew: {rival.pip}"
        ) from None


def version(rival: type[Rival]) -> str:
    """The version of its library, "unknown" where that does not say."""
    try:
        return str(getattr(load(rival), "__version__", None) or metadata.version(rival.package))
    except metadata.PackageNotFoundError:
        return "unknown"


def ef_ladder(n: int, K: int) -> list[int]:
    """Values of ef for K answers of n items: at least K, as both libraries take no less."""
    most = max(K, min(n, MOST_EF))
    return [K, *(ef for ef in effort_ladder(most) if ef > K)]
