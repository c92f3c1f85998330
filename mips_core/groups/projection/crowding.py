"""Where on a map the items are many: what its colours say of clusters too many for colours."""

from itertools import product

import numpy as np

from mips_core.base.arrays import Ids, Matrix

SIDE = 0.02  # of a square: 1% of the frame of a layout
REACH = 150  # squares from the middle; strays beyond count as there


def crowding(xy: Matrix) -> Ids:
    """(n,) int64 how many items of a framed layout xy (n, 2) stand around each, itself among them.

    Counted in nine squares, of which the item is in the middle one: 3% of the frame on a side.
    """
    row, column = np.clip(np.floor(xy / SIDE), -REACH, REACH).astype(np.int64).T + REACH + 1
    counts = np.zeros((2 * REACH + 3, 2 * REACH + 3), np.int64)
    np.add.at(counts, (row, column), 1)
    around = product((-1, 0, 1), repeat=2)
    return np.sum([counts[row + down, column + right] for down, right in around], axis=0)
