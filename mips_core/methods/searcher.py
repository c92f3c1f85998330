"""How a built index is asked: what a Searcher proposes, at which cost, in which steps."""

from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, final

import numpy as np
from numpy.typing import NDArray

from mips_core.base.arrays import Floats, Ids, Mask, Matrix, Ranks
from mips_core.base.kernels import concat_lists, mark_candidates
from mips_core.methods.bits import Words, pack_bits, sum_by_fold

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
    takes_all: ClassVar[bool] = False  # whether every search proposes all items
    why_no_descent: ClassVar[str] = ""  # where it opens lists, and yet is not `Descending`

    @abstractmethod
    def efforts(self) -> Sequence[int]:
        """Ascending query-time efforts that trace a curve; the last need not reach every item."""

    @abstractmethod
    def candidates(self, Q: Matrix, effort: int, K: int) -> Candidates:
        """Candidates for the queries Q (m, d), unlifted."""

    def trace(self, q: Matrix, effort: int, K: int) -> list[Step]:
        """The steps of one search for q (d,); what they spent sums to the ledger.

        Here the last alone, which scores the candidates: what chooses them comes before it.
        """
        ids = self.candidates(q[None], effort, K).ids
        return [Step("candidates", ids, ids, float(len(ids)))]

    @abstractmethod
    def groups(self) -> list[Ids]:
        """Item -> cluster or leaf (n,), one array per level, coarsest first."""

    def centroids(self) -> Sequence[Matrix] | None:
        """Unit centroids (k, d') of each level of `groups`; None where groups have none."""
        return None

    def outcomes(self, Q: Matrix, wanted: Ids, K: int) -> Iterator[tuple[Mask, Ledger]]:
        """For each of efforts(): which wanted items (m, w; -1 none) are candidates, (m,) costs.

        An index may answer from its structure instead of listing candidates; tested equal.
        """
        for effort in self.efforts():
            candidates = self.candidates(Q, effort, K)
            yield (
                mark_candidates(wanted, candidates.starts, candidates.ids, self.n),
                candidates.costs,
            )

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
