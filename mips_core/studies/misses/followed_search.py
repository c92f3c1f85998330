"""One search, followed over all its efforts at once: for a slider that moves under the pointer."""

from collections.abc import Sequence
from dataclasses import dataclass, fields

import numpy as np

from mips_core.base.arrays import Ids, Ranks
from mips_core.base.errors import DataError
from mips_core.data.dataset import Dataset
from mips_core.groups.clusters import GroupLevel
from mips_core.groups.typed_queries.one_query import Question, Ranked
from mips_core.methods.indexes import Index, Searcher
from mips_core.studies.misses.reasons import ExplainedSearch, reasons
from mips_core.studies.misses.trail import Trail, opening_order, trail_of


@dataclass(frozen=True, slots=True, eq=False)
class FollowedSearch(Trail):
    """The trail of one query, held against its K true answers.

    efforts (p,) int32, ascending. candidates (p,) int32 how many; they are among the costs. true
    (K,) int32 best first. order (g,) int32 groups of the finest level as they are opened, order_at
    (g,) int32 the position of each; empty where groups are not opened as a whole. why: K sentences,
    where each answer lies and what finds it.
    """

    efforts: Ranks
    candidates: Ranks
    true: Ranks
    order: Ranks
    order_at: Ranks
    why: list[str]


def follow(
    searcher: Searcher,
    index: Index,
    dataset: Dataset,
    question: Question,
    true: Ranked,
    levels: Sequence[GroupLevel],
) -> FollowedSearch:
    """Ask a built `index` at every effort; `true` as `one_query.true_answers` gives it, or empty.

    `levels` as `clusters.describe` gives them, the finest last. Every position agrees with
    a search at its effort alone. For a million items it takes up to 30 MB beside what the searcher
    takes, keeps 4 MB, and lasts 0.1 s (k-means, hashes) to 1 s (beams, quantization). Raises
    DataError where the index was built on other items.
    """
    if searcher.n != dataset.n:
        raise DataError(
            f"The index holds {searcher.n:,} items, {dataset.name} has {dataset.n:,}.",
            "Build it on this data.",
        )
    K = len(true.ids)
    trail = trail_of(searcher, question, true.ids)
    order = opening_order(searcher, index, question, K, trail.opened, levels[-1])
    return FollowedSearch(
        **{field.name: getattr(trail, field.name) for field in fields(trail)},
        efforts=np.asarray(searcher.efforts(), np.int32),
        candidates=trail.costs["candidates"].astype(np.int32),
        true=true.ids.astype(np.int32),
        order=order.groups,
        order_at=order.at,
        why=reasons(ExplainedSearch(searcher, index, question, trail, order, levels), true.ids),
    )


@dataclass(frozen=True, slots=True, eq=False)
class Located:
    """Where K true answers lie, best first.

    groups (K,) of the finest level; ranks (K,) of the group among the `opened` ones that any effort
    opens, 1 being the first, 0 where it is none of them; efforts (K,) the least that finds the
    answer, -1 for none.
    """

    groups: Ranks
    ranks: Ranks
    opened: int
    efforts: Ids


def located(followed: FollowedSearch, level: GroupLevel) -> Located:
    """The groups of the true answers of a search; `level` is the finest one of its index."""
    groups = np.asarray(level.of, np.int32)[followed.true]
    rank_of = np.zeros(len(level.sizes), np.int32)
    rank_of[followed.order] = np.arange(1, len(followed.order) + 1)
    efforts = np.append(followed.efforts, -1).astype(np.int64)
    needed = efforts[followed.opened[followed.true]]
    return Located(groups, rank_of[groups], len(followed.order), needed)
