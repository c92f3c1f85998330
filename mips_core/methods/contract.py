"""The contract every index keeps.

    Index (parameters) --build(X, rng)--> Structure --searcher--> Searcher --candidates--> ids, cost

An Index is a value: what to build. A Structure is what was built. A Searcher says how it is asked;
it proposes candidates at a stated cost and never scores for the answer: scoring, top-K, metrics and
timing are written once, outside.
"""

from abc import ABC, abstractmethod
from collections.abc import Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from inspect import cleandoc
from typing import Any, ClassVar, TypeVar, final

import numpy as np
from numpy.typing import NDArray

from mips_core.base.arrays import Floats, Ids, Mask, Matrix, Ranks
from mips_core.base.kernels import concat_lists, mark_candidates
from mips_core.base.params import check, flat_values, format_value, params_of
from mips_core.base.progress import Progress, silent
from mips_core.methods.bits import Words
from mips_core.methods.tallies import pack_bits, sum_by_fold

Ledger = Mapping[str, NDArray[Any]]  # part -> inner products spent on it


@dataclass(frozen=True, slots=True, eq=False)
class Candidates:
    """The items worth scoring for each query: ragged rows in CSR layout, without repeats.

    starts (m+1,), ids (total,): row i is ids[starts[i]:starts[i+1]], and may be empty.
    spent {part: (m,)} inner products spent on choosing them; the candidates come on top.
    """

    starts: Ids
    ids: Ids
    spent: Ledger

    @property
    def costs(self) -> Ledger:
        """{part: (m,)}: what was spent, and one inner product per candidate."""
        return {**self.spent, "candidates": np.diff(self.starts)}

    @property
    def cost(self) -> Floats:
        """(m,) inner products to answer each query."""
        return sum(self.costs.values(), np.zeros(len(self.starts) - 1))


@dataclass(frozen=True, slots=True, eq=False)
class Step:
    """One step of a search: what was scored, what of it was kept, what it cost."""

    part: str  # of the ledger
    scored: Ids
    kept: Ids
    spent: float


class Searcher(ABC):
    """A built index, ready to be asked. Immutable: threads and visitors may share it."""

    n: int  # items searched

    @abstractmethod
    def efforts(self) -> Sequence[int]:
        """Ascending query-time efforts that trace a curve; the last need not reach every item."""

    @abstractmethod
    def candidates(self, Q: Matrix, effort: int, K: int) -> Candidates:
        """Candidates for the queries Q (m, d), unlifted."""

    @abstractmethod
    def trace(self, q: Matrix, effort: int, K: int) -> list[Step]:
        """The steps of one search for q (d,); what they spent sums to the ledger."""

    @abstractmethod
    def groups(self) -> list[Ids]:
        """Item -> cluster or leaf (n,), one array per level, coarsest first."""

    def outcomes(self, Q: Matrix, wanted: Ids, K: int) -> Iterator[tuple[Mask, Ledger]]:
        """For each of efforts(): which wanted items (m, w; -1 none) are candidates, (m,) costs.

        An index may answer from its structure instead of listing candidates; tested equal.
        """
        for effort in self.efforts():
            found = self.candidates(Q, effort, K)
            yield mark_candidates(wanted, found.starts, found.ids, self.n), found.costs

    def tally(self, Q: Matrix, wanted: Ids, K: int, folds: int) -> tuple[NDArray[Any], Ledger]:
        """What `outcomes` gives at all efforts, bits packed and costs summed over queries.

        found (p, m, words) uint64, as `pack_bits` packs them; costs {part: (folds, p)} of the
        queries i of equal i % folds. An index may count quicker; tested equal.
        """
        bits: list[Words] = []
        sums: list[Ledger] = []
        for found, costs in self.outcomes(Q, wanted, K):
            bits.append(pack_bits(found))
            sums.append({part: sum_by_fold(cost, folds) for part, cost in costs.items()})
        return np.stack(bits), {
            part: np.stack([cost[part] for cost in sums], axis=1) for part in sums[0]
        }

    def bytes_a_query(self) -> int:
        """Memory that `tally` takes for each query it is asked at once."""
        return 8 * max(len(self.efforts()), self.n)


class ListSearcher(Searcher):
    """A searcher that opens whole lists of items, every item in one list: clusters, say.

    A retriever may so keep the rows of a list side by side.
    """

    @abstractmethod
    def lists(self) -> tuple[Ids, Ids]:
        """starts (l+1,), members (n,): list i is members[starts[i]:starts[i+1]]."""

    @abstractmethod
    def opened(self, Q: Matrix, effort: int) -> tuple[Ids, Ledger]:
        """(m, p) lists as they are opened, best first, -1 for none, and what choosing them cost."""

    def candidates(self, Q: Matrix, effort: int, K: int) -> Candidates:
        opened, spent = self.opened(Q, effort)
        return Candidates(*concat_lists(opened, *self.lists()), spent)


class NestedSearcher(Searcher):
    """A searcher whose candidates only grow with effort, so one pass gives the whole curve."""

    @abstractmethod
    def sweep(self, Q: Matrix, wanted: Ids) -> tuple[Ranks, Ledger]:
        """Where each wanted item turns up, and every cost, in one pass.

        found (m, w) int32: position in efforts() at which wanted[i, j] becomes a candidate;
        len(efforts()) means never. costs {part: (m, p)} inner products at every effort.
        """

    @final
    def first_found(self, Q: Matrix, wanted: Ids) -> Ranks:
        """(m, w) positions in efforts(), as `sweep` gives them."""
        return self.sweep(Q, wanted)[0]

    @final
    def costs(self, Q: Matrix) -> Ledger:
        """{part: (m, p)} inner products at every effort."""
        return self.sweep(Q, np.empty((len(Q), 0), np.int64))[1]

    def tally(self, Q: Matrix, wanted: Ids, K: int, folds: int) -> tuple[NDArray[Any], Ledger]:
        """found (m, w) int32 as `sweep` gives it, and costs {part: (folds, p)} summed by fold."""
        found, costs = self.sweep(Q, wanted)
        return found, {part: sum_by_fold(cost, folds) for part, cost in costs.items()}


ALL_EFFORTS = 32  # a ladder has every effort up to this one; then steps of an eighth


def effort_ladder(most: int) -> list[int]:
    """Efforts 1 to `most`, dense where a step matters and about 8 to a doubling beyond."""
    steps = list(range(1, min(most, ALL_EFFORTS) + 1))
    while steps[-1] < most:
        steps.append(min(most, steps[-1] + steps[-1] // 8))
    return steps


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
    def build(self, X: Matrix, rng: np.random.Generator, progress: Progress = silent) -> Any:
        """The Structure for X (n, d), float32 or float16. Randomness: named streams of rng."""

    @abstractmethod
    def searcher(self, structure: Any) -> Searcher:
        """How `structure` is asked, with the search parameters of this index; costs nothing."""

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
