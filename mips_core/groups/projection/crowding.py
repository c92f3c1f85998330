"""Where on a map the items are many: what its colours say of clusters too many for colours."""

import numpy as np
from scipy import ndimage

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
    return ndimage.convolve(counts, np.ones((3, 3), np.int64), mode="constant")[row, column]
