"""What a search returns at every effort, held against its true answers, and what that loses."""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from mips_core.base.arrays import Floats, Ids, Mask
from mips_core.base.kernels import order_of
from mips_core.data.dataset import Dataset
from mips_core.data.item_scores import item_scores
from mips_core.data.metrics import measure_of, shown
from mips_core.evaluation.truth import tied_with
from mips_core.groups.typed_queries.one_query import Question, Ranked
from mips_core.methods.indexes import Searcher
from mips_core.methods.searcher import Ledger
from mips_core.studies.misses.trail import Trail, trail_of


@dataclass(frozen=True, slots=True, eq=False)
class AnswersByEffort:
    """One query at the p efforts of an index over n items, held against its K true answers.

    found (p, K): whether each true answer is a candidate. returned (p, K) ids of the best
    candidates, best first, -1 where there are fewer; scores (p, K) float64, -inf there; right
    (p, K): whether each is true or ties with the last true answer. costs {part: (p,)} inner
    products.

    instead (p, K): the item returned in the place of each true answer that is missed, -1 for one
    that is found and where nothing is: of those returned that are not true, the best stands in the
    place of the best missed. losses (p, K): how much worse it is, in the metric's own unit and
    never below 0 but for ties and rounding; 0 for an answer found, NaN where nothing is returned.
    total: what the true answers have in all, in that unit; None where a loss is no share of it:
    distances, and values of which one is not above 0.
    """

    n: int
    efforts: Ids
    true: Ranked
    found: Mask
    returned: Ids
    scores: Floats
    right: Mask
    instead: Ids
    losses: Floats
    total: float | None
    costs: Ledger

    @property
    def cost(self) -> Floats:
        """(p,) inner products spent."""
        return sum((np.asarray(part, np.float64) for part in self.costs.values()),
                   np.zeros(len(self.efforts)))  # fmt: skip

    @property
    def speedup(self) -> Floats:
        """(p,) n / cost; below 1 where exact search is cheaper."""
        return self.n / self.cost

    @property
    def precision(self) -> Floats:
        """(p,) share of the true answers that are found."""
        return np.asarray(self.found.mean(axis=1))

    @property
    def precision_with_ties(self) -> Floats:
        """(p,) the same where a score that ties with the last true one is right too."""
        return np.asarray(self.right.sum(axis=1) / self.found.shape[1])

    @property
    def loss(self) -> Floats:
        """(p,) how much worse all that is returned is than the true answers in its place."""
        return np.asarray(np.nansum(self.losses, axis=1))


def answers_by_effort(
    searcher: Searcher, dataset: Dataset, question: Question, true: Ranked
) -> AnswersByEffort:
    """Ask `searcher`, built on the items of `dataset`, at every effort; `true` is not empty.

    Every position agrees with a search at its effort alone.
    """
    trail, K = trail_of(searcher, question, true.ids), len(true.ids)
    opened = np.flatnonzero(trail.opened < len(trail.found))
    opened = opened[~np.isin(opened, question.exclude)]
    scores = item_scores(dataset.items, question.query, opened)
    order = order_of(scores, opened)
    ranked = Ranked(opened[order], scores[order])
    shape = trail.found.shape
    returned, returned_scores = np.full(shape, -1, np.int64), np.full(shape, -np.inf)
    for at, places in enumerate(_best(trail, ranked.ids, K)):
        returned[at, : len(places)] = ranked.ids[places]
        returned_scores[at, : len(places)] = ranked.scores[places]
    found = trail.found.astype(bool)
    least = tied_with(true.scores[-1:], np.array([question.origin]))
    instead, scores_instead = _in_place(found, true.ids, returned, returned_scores)
    (values,) = shown(dataset, question.query[None], true.scores[None])
    additive = not measure_of(dataset).less_is_better and values.min() > 0
    return AnswersByEffort(
        n=searcher.n,
        efforts=np.asarray(searcher.efforts(), np.int64),
        true=true,
        found=found,
        returned=returned,
        scores=returned_scores,
        right=(returned >= 0) & (returned_scores >= least),
        instead=instead,
        losses=_losses(dataset, question, values, found, scores_instead),
        total=float(values.sum()) if additive else None,
        costs=trail.costs,
    )


def _best(trail: Trail, ids: Ids, K: int) -> Iterator[Ids]:
    """For each effort the places in `ids`, best first, of the K best candidates, or of all."""
    opened = trail.opened[ids]
    place = np.full(len(trail.opened), -1, np.int64)
    place[ids] = np.arange(len(ids))
    for at in range(len(trail.found)):
        lost = place[trail.lost_ids[trail.lost_starts[at] : trail.lost_starts[at + 1]]]
        looked = K
        while True:  # the best are near the front: more are looked at only where they are few
            held = opened[:looked] <= at
            held[lost[(lost >= 0) & (lost < looked)]] = False
            places = np.flatnonzero(held)[:K]
            if len(places) == K or looked >= len(ids):
                break
            looked *= 8
        yield places


def _in_place(found: Mask, true: Ids, returned: Ids, scores: Floats) -> tuple[Ids, Floats]:
    """(p, K) what is returned in the place of each missed answer, -1 for none, and its score."""
    instead, scores_instead = np.full(found.shape, -1, np.int64), np.full(found.shape, -np.inf)
    others = (returned >= 0) & ~np.isin(returned, true)
    for at in range(len(found)):
        missed, other = np.flatnonzero(~found[at]), np.flatnonzero(others[at])
        pairs = min(len(missed), len(other))
        instead[at, missed[:pairs]] = returned[at, other[:pairs]]
        scores_instead[at, missed[:pairs]] = scores[at, other[:pairs]]
    return instead, scores_instead


def _losses(
    dataset: Dataset, question: Question, true: Floats, found: Mask, instead: Floats
) -> Floats:
    """(p, K) as `AnswersByEffort.losses`: true (K,) as people know them, scores of `instead`."""
    nothing = np.isneginf(instead)
    values = shown(dataset, question.query[None], np.where(nothing, 0.0, instead))
    losses = values - true if measure_of(dataset).less_is_better else true - values
    return np.where(found, 0.0, np.where(nothing, np.nan, losses))
