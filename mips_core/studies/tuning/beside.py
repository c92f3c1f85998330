"""What was seen beside the answer: what may be cheaper still, and the best of other methods."""

from collections.abc import Sequence

import numpy as np

from mips_core.base.arrays import Ids
from mips_core.evaluation.evaluate import FOLDS
from mips_core.evaluation.intervals import queries_to_settle
from mips_core.studies.tuning.field import Field

MOST_RUNNERS_UP = 8
MANY = 10  # times the queries there are: more are seldom worth asking to settle a close call


def count_passed(field: Field, path: Ids) -> int:
    """How many points of `path`, in its order, hold before the first that does not."""
    holds = field.held_out.lower[path] >= field.need.precision
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
    held_out = queries_to_settle(field.histogram(point), need.precision, need.confidence)
    return None if held_out is None else FOLDS * max(held_out, field.m_held_out + 1)


def runners_up(
    field: Field, path: Ids, others: Sequence[Ids], answer: int, close: int | None
) -> list[int]:
    """Points to show beside the answer (or the best there is), by cost, at most 8.

    The close call, the steps before and after the answer, and the best of every other method: the
    cheapest that its own way promises, or else its safest.
    """
    passed = count_passed(field, path)
    steps = path[max(passed - 2, 0) : passed + 1].tolist()
    found = [*([] if close is None else [close]), *steps, *_best_of_others(field, others, answer)]
    kept = [point for point in dict.fromkeys(found) if point != answer][:MOST_RUNNERS_UP]
    return sorted(kept, key=lambda point: float(field.held_out.cost[point]))


def _best_of_others(field: Field, others: Sequence[Ids], answer: int) -> list[int]:
    """The best of every method but the answer's: first what holds, by cost, then the safest."""
    ends = [int(way[max(count_passed(field, way) - 1, 0)]) for way in others if len(way)]
    points = np.array([p for p in ends if field.key(p) != field.key(answer)], np.int64)
    holds = field.held_out.lower[points] >= field.need.precision
    rank = np.where(holds, field.held_out.cost[points], -field.held_out.lower[points])
    return [int(point) for point in points[np.lexsort((rank, ~holds))]]
