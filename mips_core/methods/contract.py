"""The contract every index keeps.

    Index (parameters) --build(X, rng)--> Structure --searcher--> Searcher --candidates--> ids, cost

An Index is a value: what to build. A Structure is what was built. A Searcher (`searcher`) says how
it is asked; it proposes candidates at a stated cost and never scores for the answer: scoring,
top-K, metrics and timing are written once, outside.
"""

from abc import ABC, abstractmethod
from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from inspect import cleandoc
from typing import Any, ClassVar, Protocol, TypeVar, final

import numpy as np

from mips_core.base.arrays import Matrix
from mips_core.base.params import check, flat_values, format_value, params_of
from mips_core.base.progress import Progress, silent
from mips_core.methods.searcher import Searcher


class Structure(Protocol):
    """What an index builds: dataclasses and named tuples of arrays, numbers, texts and None.

    It may come from a file, and compiled code checks no bounds: so it checks itself.
    """

    def check(self, n: int, d: int) -> None:
        """Raise UnsoundError unless it is sound, and of n items (n, d). Rules: `soundness`."""


@dataclass(frozen=True)
class Index(ABC):
    """The parameters of one method, and nothing else: hashable, comparable, a cache key.

    The docstring of a registered index is shown to people: what the method does in a few
    sentences, then a paragraph that starts with "Cost: " and gives its formula.
    """

    key: ClassVar[str]  # stable name in results, links and the command line
    label: ClassVar[str]  # name shown to people
    effort_name: ClassVar[str]  # what the query-time slider is called
    effort_nouns: ClassVar[tuple[str, str]]  # one and many of what an effort counts
    effort_help: ClassVar[str]
    asking: ClassVar[str]  # how a sentence about a search begins; fields {effort} and {live}
    cite: ClassVar[str]
    group_nouns: ClassVar[tuple[str, str]] = ("group", "groups")  # what searcher.groups() holds
    opens_groups: ClassVar[bool] = False  # whether a search takes whole groups of the finest level
    complete: ClassVar[bool] = False  # whether at its defaults the last effort misses nothing
    depends_on_k: ClassVar[bool] = False  # where candidates change with K, each K is asked alone
    main_param: ClassVar[str] = ""  # the one asked first, and stepped through by its slider

    def __post_init__(self) -> None:
        check(self)

    @abstractmethod
    def build(self, X: Matrix, rng: np.random.Generator, progress: Progress = silent) -> Structure:
        """The Structure for X (n, d), float32 or float16. Randomness: named streams of rng."""

    @abstractmethod
    def searcher(self, structure: Any) -> Searcher:
        """How `structure` is asked, with the search parameters of this index; costs nothing."""

    def check_built(self, structure: Any) -> None:  # noqa: B027  (most have a rule, not all)
        """Raise UnsoundError where `structure`, sound by itself, is not what this index builds.

        Where a parameter may be met in part (clusters that ended empty), at most as much; and
        nothing where a rule depends on how many items there are.
        """

    @classmethod
    @abstractmethod
    def grid(cls, n: int, d: int) -> Sequence["Index"]:
        """The settings tried by default on n items of d dimensions, cheapest build first."""

    def setting(self, n: int) -> str:
        """These parameters in a few words, for n items: "141 clusters"."""
        return ", ".join(f"{name} {format_value(v)}" for name, v in flat_values(self).items())

    @property
    def misses_nothing(self) -> bool:
        """Whether the last effort misses nothing, whatever the query."""
        return self.complete

    def explicit(self, n: int) -> "Index":
        """The same index with numbers in place of rules that depend on n; most have none."""
        return self

    @final
    @classmethod
    def about(cls) -> tuple[str, str]:
        """What the method does and what a query costs: its docstring, parted before "Cost: "."""
        what, _, cost = cleandoc(cls.__doc__ or "").partition("Cost: ")
        return " ".join(what.split()), " ".join(cost.split())

    @final
    @classmethod
    def main_label(cls) -> str:
        """The label of the main parameter, "" where there is none."""
        return params_of(cls)[cls.main_param].label if cls.main_param else ""

    @final
    def structure_key(self) -> Hashable:
        """Names the Structure this index builds: the key and the build-time parameters."""
        at = {name: p.at for name, p in params_of(self).items()}
        build = {k: v for k, v in flat_values(self).items() if at[k.partition(".")[0]] == "build"}
        return (self.key, *build.items())


IndexT = TypeVar("IndexT", bound=Index)
INDEXES: dict[str, type[Index]] = {}


def register(cls: type[IndexT]) -> type[IndexT]:
    """Class decorator: make an index known to every page, benchmark and contract test."""
    if cls.key in INDEXES:
        raise TypeError(f"The index key {cls.key!r} is taken by {INDEXES[cls.key].__name__}.")
    INDEXES[cls.key] = cls
    return cls
