"""One query asked by itself: an oracle for what is counted over many, written from the definition.

A true answer is found where it is a candidate; an answer whose score ties with the K-th true one
counts as right where ties are forgiven.
"""

from dataclasses import dataclass

import numpy as np

from mips_core.base.arrays import Ids, Mask, Matrix
from mips_core.base.kernels import order_of, score_rows
from mips_core.evaluation.truth import tied_with
from mips_core.groups.typed_queries.one_query import NEVER, Question, Ranked
from mips_core.methods.indexes import NestedSearcher, Searcher
from mips_core.methods.searcher import Ledger


@dataclass(frozen=True, slots=True, eq=False)
class Answers:
    """What an index of n items found of the true K answers, at one effort.

    found (K,): whether each true answer is a candidate. returned: the best candidates, K or fewer;
    right (r,): whether each is among the true answers or ties with the last of them. found_from
    (K,): the least effort at which each true answer is found, NEVER where none does; None where
    more effort may lose one. costs {part: (1,)} inner products.
    """

    n: int
    true: Ranked
    found: Mask
    returned: Ranked
    right: Mask
    found_from: Ids | None
    costs: Ledger

    @property
    def precision(self) -> float:
        """Share of the true answers that were found, by the strict order."""
        return float(self.found.mean())

    @property
    def precision_with_ties(self) -> float:
        """The same where a score that ties with the last true one is right too."""
        return float(self.right.sum() / len(self.found))

    @property
    def cost(self) -> float:
        """Inner products spent on this query."""
        return float(sum(spent[0] for spent in self.costs.values()))

    @property
    def speedup(self) -> float:
        """n / cost; below 1 where exact search is cheaper."""
        return self.n / self.cost


def ask(searcher: Searcher, X: Matrix, question: Question, true: Ranked, effort: int) -> Answers:
    """What `searcher`, built on X (n, d), answers at `effort`, held against `true`, not empty."""
    Q, K = question.query[None], len(true.ids)
    listed = searcher.candidates(Q, effort, K + len(question.exclude))
    near = listed.ids[~np.isin(listed.ids, question.exclude)]
    scores = score_rows(X, question.query, near)
    best = order_of(scores, near)[:K]
    returned = Ranked(near[best], scores[best])
    found = np.isin(true.ids, near)
    (least,) = tied_with(true.scores[-1:], np.array([question.origin]))
    return Answers(
        n=len(X),
        true=true,
        found=found,
        returned=returned,
        right=returned.scores >= least,
        found_from=_found_from(searcher, Q, true.ids),
        costs=listed.costs,
    )


def _found_from(searcher: Searcher, Q: Matrix, wanted: Ids) -> Ids | None:
    """(K,) the least effort at which each item of `wanted` (K,) is a candidate; else NEVER."""
    if not isinstance(searcher, NestedSearcher):
        return None
    efforts = np.array([*searcher.efforts(), NEVER], np.int64)
    return efforts[searcher.sweep(Q, wanted[None])[0][0]]
