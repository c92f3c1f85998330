"""Where the middle of each group is: its mean direction, and the items that may stand for it."""

from dataclasses import dataclass

import numpy as np
from numba import njit

from mips_core.base.arrays import Floats, Ids, Matrix, Ranks
from mips_core.base.kernels import row_norms
from mips_core.base.sorting import kth_largest
from mips_core.base.threads import map_blocks

CENTRAL_SHARE = 0.1  # of a group's items: those most like the group and least like the rest
CENTRAL = 3  # items that stand for a group


@dataclass(frozen=True, slots=True, eq=False)
class Members:
    """The items of each of k groups, as lists: group g holds ids[starts[g]:starts[g + 1]].

    starts (k + 1,) int64; ids (n,) int64, ascending within a group.
    """

    starts: Ids
    ids: Ids

    @property
    def sizes(self) -> Ids:
        """(k,) items of each group."""
        return np.diff(self.starts)

    def of(self, group: int) -> Ids:
        """The items of one group."""
        return self.ids[self.starts[group] : self.starts[group + 1]]


def members_of(of: Ranks, k: int) -> Members:
    """The lists of the groups `of` (n,), numbers below k, puts its items into."""
    starts = np.concatenate([[0], np.cumsum(np.bincount(of, minlength=k))])
    return Members(starts, np.argsort(of, kind="stable"))


def centres(rows: Matrix, members: Members) -> tuple[Matrix, Ids]:
    """Mean directions (k, d') float32 and central items (k, 3) int64 of groups of rows (n, d').

    A mean direction is that of the sum of the members' unit vectors; zero for an empty group and
    where the sum vanishes. The central items, -1 where there are fewer, are the first by number
    among the tenth of the members, three at least, whose way from the mean of all unit vectors
    points most as the group's does. Seen from there, what sets a group apart counts, not what all
    items share; and rows mostly come in some order of importance, while the nearest item of all is
    often odd.
    """
    k = len(members.starts) - 1
    norms = row_norms(rows)
    means = np.zeros((k, rows.shape[1]), np.float32)
    central = np.full((k, CENTRAL), -1, np.int64)
    block = max(1, k // 64)

    def average(start: int, stop: int) -> None:
        _average(rows, norms, members.starts[start : stop + 1], members.ids, means[start:stop])

    map_blocks(average, k, block)
    middle = members.sizes @ means.astype(np.float64) / len(rows)

    def choose(start: int, stop: int) -> None:
        part = slice(start, stop)
        bounds = members.starts[start : stop + 1]
        ways = means[part] - middle
        _choose(rows, norms, middle, ways, bounds, members.ids, central[part])

    map_blocks(choose, k, block)
    lengths = row_norms(means)[:, None]
    return (means / np.where(lengths > 0, lengths, 1.0)).astype(np.float32), central


@njit(cache=True, nogil=True)
def _average(rows: Matrix, norms: Floats, starts: Ids, ids: Ids, means: Matrix) -> None:
    """Fill means (b, d') of the unit vectors of the groups ids[starts[i]:starts[i + 1]]."""
    for i in range(len(means)):
        total = np.zeros(rows.shape[1], np.float64)
        for item in ids[starts[i] : starts[i + 1]]:
            if norms[item] > 0:
                for j in range(len(total)):
                    total[j] += rows[item, j] / norms[item]
        means[i] = total / max(starts[i + 1] - starts[i], 1)


@njit(cache=True, nogil=True)
def _choose(
    rows: Matrix, norms: Floats, middle: Floats, ways: Floats, starts: Ids, ids: Ids, central: Ids
) -> None:
    """Fill central (b, 3) of the groups ids[starts[i]:starts[i + 1]].

    middle (d',): the mean of all unit vectors. ways (b, d'): from there to the groups' means.
    """
    for i in range(len(central)):
        group = ids[starts[i] : starts[i + 1]]
        if len(group) == 0:
            continue
        cosines = np.zeros(len(group), np.float64)
        for at, item in enumerate(group):
            if norms[item] > 0:
                along = square = 0.0
                for j in range(len(middle)):
                    way = rows[item, j] / norms[item] - middle[j]
                    along += way * ways[i, j]
                    square += way * way
                cosines[at] = along / np.sqrt(square) if square > 0 else 0.0
        count = max(int(np.ceil(CENTRAL_SHARE * len(group))), min(CENTRAL, len(group)))
        least = kth_largest(cosines.copy(), count)
        central[i, : min(CENTRAL, len(group))] = group[cosines >= least][:CENTRAL]
