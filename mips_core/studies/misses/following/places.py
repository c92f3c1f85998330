"""How near the groups of the true answers are to the query: the reason why they are found late."""

from dataclasses import dataclass

import numpy as np

from mips_core.base.arrays import Ids, Ranks
from mips_core.groups.clusters import GroupLevel
from mips_core.studies.misses.following.search import FollowedSearch


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
