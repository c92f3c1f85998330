"""What exact search keeps of the items between calls: bounds, and the order to visit them in."""

from dataclasses import dataclass

import numpy as np
from numba import njit

from mips_core.base.arrays import Ids, Matrix
from mips_core.base.kernels import FLOAT32_ROUNDING, SMALLEST_NORMAL

SKEW = 0.5  # norms are skewed where the middle one is below this share of a long one, which is
LONG = 0.99  # the one that this share of all norms do not exceed
HEAD_BYTES = 2**25  # of the longest items, copied: what comes later few queries meet


@dataclass(frozen=True, slots=True, eq=False)
class PreparedItems:
    """Items (n, d) in the order exact search visits them: as they are, or by falling norm.

    X (n, d): the items. order: None, or their ids (n,) by falling norm. head (h, d): a copy of the
    first in that order. norms (n,) float32, as they are visited: upper bounds of lengths. errors
    (n,) float32: upper bounds of what a float32 score of an item and a query of length 1 is off.
    """

    X: Matrix
    order: Ids | None
    head: Matrix
    norms: Matrix
    errors: Matrix

    @property
    def nbytes(self) -> int:
        """Bytes kept beside the items themselves."""
        order = 0 if self.order is None else self.order.nbytes
        return self.norms.nbytes + self.errors.nbytes + order + self.head.nbytes

    def visited(self, first: int, stop: int) -> Matrix:
        """(stop - first, d) items in the order they are visited."""
        if self.order is None:
            return self.X[first:stop]
        if stop <= len(self.head):
            return self.head[first:stop]
        return self.X.take(self.order[first:stop], axis=0)

    def within_reach(self, least: Matrix) -> Ids:
        """(a,) how many items by falling norm may score `least` (a,) with a query of length 1.

        By Cauchy-Schwarz: those that are as long.
        """
        return len(self.norms) - np.searchsorted(self.norms[::-1], least)


def prepare(X: Matrix) -> PreparedItems:
    """X (n, d), checked and n >= 1, ready for many calls of `exact_top_k_scores`.

    Where norms are skewed they are visited by falling norm, as a query then is done long before the
    last of them; the longest are copied in that order, HEAD_BYTES at most.
    """
    norms = norm_bounds(X)
    if not is_skewed(norms):
        return _with_bounds(X, None, X[:0], norms)
    order = np.argsort(-norms, kind="stable")
    head = X.take(order[: HEAD_BYTES // X[0].nbytes], axis=0)
    return _with_bounds(X, order, head, norms[order])


def prepare_in_place(X: Matrix) -> PreparedItems:
    """As `prepare`, without an order: for so few queries that it would not pay."""
    return _with_bounds(X, None, X[:0], norm_bounds(X))


def _with_bounds(X: Matrix, order: Ids | None, head: Matrix, norms: Matrix) -> PreparedItems:
    """|float32 score - true score| <= (d + 1) u |x| for a unit query rounded once.

    Higham, Accuracy and Stability, section 3.1. Three u |x| more are for what is rounded when
    scores are compared, and a last term is for what underflows.
    """
    d = X.shape[1]
    errors = 1.01 * (d + 4) * FLOAT32_ROUNDING * norms + d * SMALLEST_NORMAL
    return PreparedItems(X, order, head, norms, errors.astype(np.float32))


def is_skewed(norms: Matrix) -> bool:
    """Whether norms (n,) differ so much that a query is done long before it met all items."""
    last = len(norms) - 1
    places = [last // 2, int(LONG * last)]
    middle, long = np.partition(norms, places)[places]
    return bool(middle < SKEW * long)


@njit(cache=True, nogil=True, fastmath={"reassoc", "nsz"})
def norm_bounds(X: Matrix) -> Matrix:
    """X (n, d) -> (n,) float32, no less than the Euclidean lengths and hardly more.

    The last bits differ between processors: they say what is visited, never what is answered.
    """
    norms = np.empty(len(X), np.float32)
    for i in range(len(X)):
        x, total = X[i], 0.0
        for j in range(len(x)):
            total += np.float64(x[j]) * np.float64(x[j])
        norms[i] = np.sqrt(total) * (1.0 + 1e-6) + SMALLEST_NORMAL
    return norms
