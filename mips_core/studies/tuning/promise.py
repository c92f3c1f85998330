"""The cheapest setting that holds a precision on queries it has not seen.

Pareto testing (Laufer-Goldshtein et al., "Efficiently controlling multiple risks with Pareto
testing", ICLR 2023), an instance of "Learn then test" (Angelopoulos et al. 2021): settings are
ordered by the tuning queries alone, from safest to cheapest, and tested in this order on held-out
queries until one fails. Each test is at the full level, and still a setting that does not hold is
promised with a probability of at most 1 - confidence: the first such in the order must pass for
that (fixed-sequence testing, Maurer, Hothorn and Lehmacher 1995).

The level is not split. On five data sets (`benchmarks.promise`: 500 queries at 0.95 and at 0.8, 200
at 0.95) answers cost 12, 13 and 27% more than the cheapest setting that truly holds. A share of the
level for a start in each method made that 19, 19 and 42%, halves for the two likeliest methods 14,
15 and 29%, a tenth kept to go on after the first failure 12, 14 and 27%.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from mips_core.base.arrays import Ids, Mask
from mips_core.evaluation.builder import Tried
from mips_core.evaluation.evaluate import FOLDS
from mips_core.studies.queries_needed import queries_at
from mips_core.studies.tuning.field import Field, FoldPoints
from mips_core.studies.tuning.standing import Omission
from mips_core.studies.tuning.trials import Need, Trial

MOST_RUNNERS_UP = 8
STEP = 0.02  # of the cost that a step must save: one that saves less is one more chance to fail
MANY = 10  # times the queries there are: more are seldom worth asking to settle a close call


@dataclass(frozen=True, slots=True, eq=False)
class Tuned:
    """The answer to a Need, and what else was seen on the way.

    K: as asked, or all items where they are fewer. n_settings and n_efforts count what was tried:
    indexes, and their efforts. tested: safest first, up to and with the first failure. best: the
    safest of all, or the most precise where nothing holds. close_call: cheaper than the answer,
    and may hold too. queries_needed: how many queries in all would settle it, or, where nothing was
    chosen, show that the best holds; None where no number would. runners_up: others of interest, by
    cost, without the answer. too_few: held-out queries cannot carry the promise (`Need.fewest`),
    which the best may keep. missing: settings that are not in yet; until they are, the order of
    the tests is not fixed, nothing is promised, and what is chosen may become cheaper or dearer.
    on_samples: settings that were tried on samples of the items alone, and left out after that.
    left_out: methods of which that is so of every setting, or some that no worker of a cluster
    holds, and why.
    """

    K: int
    need: Need
    m_tuning: int
    m_held_out: int
    n_settings: int
    n_efforts: int
    chosen: Trial | None
    tested: tuple[Trial, ...]
    best: Trial
    close_call: Trial | None
    queries_needed: int | None
    runners_up: tuple[Trial, ...]
    too_few: bool = False
    missing: int = 0
    on_samples: int = 0
    left_out: tuple[Omission, ...] = ()


def cheapest(tried: Sequence[Tried], K: int, need: Need, missing: int = 0) -> Tuned:
    """The cheapest of all efforts of `tried` that holds `need`; all are of the same queries.

    Efforts that cost as much as exact search are left out, but for exact search itself, unless
    there are no others. missing: settings of the search that are still to come. Raises ParamError
    where nothing was tried or not at K, DataError below 20 queries.
    """
    field = Field.of(tried, K, need)
    useful = field.useful
    path = safest_to_cheapest(field.tuning, useful)
    others = [safest_to_cheapest(field.tuning, own & useful) for own in field.methods.values()]
    passed = path[: count_passed(field, path)]
    chosen = int(passed[-1]) if len(passed) else None
    close = None
    if chosen is not None:
        untested = np.setdiff1d(np.concatenate([path, *others]), passed)
        close = close_call(field, untested, chosen)
    best = _best(field, path, useful)
    answer = best if chosen is None else chosen
    likely = best if field.held_out.precision[best] > need.precision else None
    needed = queries_needed(field, likely if chosen is None else close)
    too_few = need.too_few(field.m_held_out) and field.held_out.upper[best] >= need.precision
    if chosen is None and too_few and need.fewest:
        needed = max(needed or 0, FOLDS * need.fewest)
    held = passed[:0] if missing else passed
    return Tuned(
        K=tried[0].evaluation.truth.answers(K),
        need=need,
        m_tuning=field.m - field.m_held_out,
        m_held_out=field.m_held_out,
        n_settings=len(tried),
        n_efforts=len(field.at),
        chosen=None if chosen is None else field.trial(chosen, held),
        tested=tuple(field.trial(point, held) for point in path[: len(passed) + 1]),
        best=field.trial(best, held),
        close_call=None if close is None else field.trial(close, held),
        queries_needed=needed,
        runners_up=tuple(
            field.trial(point, held) for point in runners_up(field, path, others, answer, close)
        ),
        too_few=chosen is None and bool(too_few),
        missing=missing,
    )


def _best(field: Field, path: Ids, useful: Mask) -> int:
    """The safest where it holds, else the most precise, unless that happens to hold."""
    lower, likely = field.held_out.lower, field.most_precise(useful)
    if max(lower[path[0]], lower[likely]) >= field.bar:
        return int(path[0])
    return likely


def safest_to_cheapest(points: FoldPoints, among: Mask) -> Ids:
    """The points of `among` that no other beats in both lower end and cost, STEP apart; both fall.

    By the lower end and not by the precision itself: where queries miss nothing at all, they say
    least of what others may miss. On the shipped words that order promised 0.99 with 250 held-out
    queries in all of 40 samples, precision itself in 29.
    """
    able = np.flatnonzero(among)
    order = able[np.lexsort((-points.lower[able], points.cost[able]))]
    before = np.maximum.accumulate(np.r_[-np.inf, points.lower[order]])[:-1]
    path: list[int] = []
    for point in order[points.lower[order] > before][::-1].tolist():
        if not path or points.cost[point] <= (1 - STEP) * points.cost[path[-1]]:
            path.append(point)
    return np.array(path, np.int64)


def count_passed(field: Field, path: Ids) -> int:
    """How many points of `path`, in its order, hold before the first that does not."""
    holds = field.held_out.lower[path] >= field.bar
    return int(np.argmin(np.append(holds, False)))


def close_call(field: Field, points: Ids, chosen: int) -> int | None:
    """The cheapest of `points` that costs less than the chosen one and may hold.

    Its estimate reaches the target, and ten times as many queries would settle it. If there is none
    such, the one that the fewest queries would settle.
    """
    held_out = field.held_out
    cheaper = points[held_out.cost[points] < held_out.cost[chosen]]
    may = np.unique(cheaper[held_out.upper[cheaper] >= field.need.precision])
    if not len(may):
        return None
    needed = np.array([queries_needed(field, int(point)) or np.inf for point in may])
    likely = held_out.precision[may] >= field.need.precision
    soon = likely & (needed <= MANY * field.m)
    if soon.any():
        return int(may[soon][np.argmin(held_out.cost[may[soon]])])
    return int(may[np.lexsort((needed, ~likely))[0]])


def queries_needed(field: Field, point: int | None) -> int | None:
    """How many queries in all, tuning ones included, would settle on which side a point is.

    More than there are; None where no number would.
    """
    if point is None:
        return None
    need = field.need
    least = max(field.m_held_out + 1, need.fewest or 0)
    mean, worth = field.held_out.precision[point], field.held_out.worth[point]
    held_out = queries_at(mean, worth, need.precision, need.confidence)
    return None if held_out is None else FOLDS * max(held_out, least)


def runners_up(
    field: Field, path: Ids, others: Sequence[Ids], answer: int, close: int | None
) -> list[int]:
    """Points to show beside the answer (or the best there is), by cost, at most 8.

    The close call, what clears the target at least cost, the steps before and after the answer, and
    the best of every other method: the cheapest that its own way promises, or else its safest.
    """
    passed, held_out = count_passed(field, path), field.held_out
    steps = path[max(passed - 2, 0) : passed + 1].tolist()
    clear = np.flatnonzero(field.useful & (held_out.lower >= field.bar))
    least = clear[np.argsort(held_out.cost[clear], kind="stable")[:1]].tolist()
    first = [] if close is None else [close]
    near = [*first, *least, *steps, *_best_of_others(field, others, answer)]
    shown = [point for point in dict.fromkeys(near) if point != answer][:MOST_RUNNERS_UP]
    return sorted(shown, key=lambda point: float(field.held_out.cost[point]))


def _best_of_others(field: Field, others: Sequence[Ids], answer: int) -> list[int]:
    """The best of every method but the answer's: first what holds, by cost, then the safest."""
    ends = [int(way[max(count_passed(field, way) - 1, 0)]) for way in others if len(way)]
    points = np.array([p for p in ends if field.key(p) != field.key(answer)], np.int64)
    holds = field.held_out.lower[points] >= field.bar
    rank = np.where(holds, field.held_out.cost[points], -field.held_out.lower[points])
    return [int(point) for point in points[np.lexsort((rank, ~holds))]]
