"""PureSVD: ratings become user vectors (queries) and item vectors, as in the paper's section 5.1.

Cremonesi, Koren and Turrin, "Performance of recommender algorithms on top-N recommendation tasks",
RecSys 2010; Auvolat et al. 2015, section 5.1.
"""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numba import njit
from numpy.typing import NDArray
from scipy.sparse import csr_array

from mips_core.base.arrays import Floats, Ids, Matrix
from mips_core.base.eigenvectors import largest_eigenvectors
from mips_core.base.errors import DataError, ParamError
from mips_core.base.kernels import row_norms
from mips_core.base.progress import Progress, silent

RANK = 150  # the paper's for MovieLens; 300 for Netflix
NO_COMPONENT = 1e-10  # a singular value below this share of the first is rounding
NO_DIFFERENCE = 1e-12  # so is a rating's distance from the mean below this share of the largest
PRODUCTS = 5  # with Z or its transpose for each component: what MovieLens sets take


Codes = NDArray[np.integer[Any]]


@dataclass(frozen=True, slots=True, eq=False)
class RatingFactors:
    """users (u, r) rows of W S and items (i, r) rows of R, so that users @ items.T estimates Z.

    singular (r,) values, descending; total is the sum of squares of Z. A user whose ratings are all
    equal is a zero row; so is an item that was only ever rated at its raters' means.
    """

    users: Matrix
    items: Matrix
    singular: Floats
    total: float

    @property
    def rank(self) -> int:
        """r, the number of components."""
        return len(self.singular)

    @property
    def kept(self) -> Floats:
        """(r,) share of the sum of squares of Z that the first 1, 2, … r components keep."""
        return np.minimum(np.cumsum(self.singular**2) / self.total, 1.0)

    def truncated(self, rank: int) -> "RatingFactors":
        """The first `rank` components. Raises ParamError unless there are so many."""
        if not 1 <= rank <= self.rank:
            raise ParamError(
                f"Rank {rank} is outside 1 to {self.rank}.", "Choose as many components or fewer."
            )
        users, items = (np.ascontiguousarray(A[:, :rank]) for A in (self.users, self.items))
        return RatingFactors(users, items, self.singular[:rank], self.total)


def pure_svd(
    users: Codes,
    items: Codes,
    values: Floats,
    rank: int,
    *,
    centre: bool = True,
    progress: Progress = silent,
) -> RatingFactors:
    """Factors of the ratings values (e,) that users (e,) gave to items (e,), numbered from 0.

    Each user's mean over the items rated is subtracted unless `centre` is False; what was not rated
    stays 0. One rating per pair is expected. There are fewer components than `rank` where the
    ratings have no more. Component signs are fixed: the entry of R largest in size is positive.
    Raises ParamError unless 1 <= rank < the number of users and of items, DataError where there is
    nothing to factor.
    """
    if len(values) == 0:
        raise DataError("There are no ratings.", "Give one or more.")
    shape = int(users.max()) + 1, int(items.max()) + 1
    if not 1 <= rank < min(shape):
        raise ParamError(
            f"Rank {rank} is outside 1 to {min(shape) - 1}.",
            f"There are {shape[0]:,} users and {shape[1]:,} items; the rank must be below both.",
        )
    differences = _centred(users, values, shape[0]) if centre else values
    if not np.any(differences):
        raise DataError(
            "Every user gave equal ratings to all they rated.",
            "Nothing tells items apart: use ratings that differ.",
        )
    Z = csr_array((differences, (users, items)), shape=shape)
    left, singular, right = _factored(Z, rank, progress)
    largest = np.abs(right).argmax(axis=1)
    sign = np.where(right[np.arange(len(right)), largest] < 0, -1.0, 1.0)
    left, right = left * (singular * sign), (right * sign[:, None]).T
    left[np.bincount(users, differences != 0, shape[0]) == 0] = 0
    right[np.bincount(items, differences != 0, shape[1]) == 0] = 0
    return RatingFactors(
        left.astype(np.float32),
        np.ascontiguousarray(right, np.float32),
        singular,
        float(differences @ differences),
    )


def _centred(users: Codes, values: Floats, n_users: int) -> Floats:
    """values (e,) less the mean of their user, 0 where only rounding is left."""
    totals = np.bincount(users, values, n_users)
    means = totals / np.maximum(np.bincount(users, minlength=n_users), 1)
    differences = values - means[users]
    differences[np.abs(differences) <= NO_DIFFERENCE * np.abs(values).max()] = 0
    return differences


def _factored(Z: Any, rank: int, progress: Progress) -> tuple[Floats, Floats, Floats]:
    """W (u, r), S (r,) descending and R transposed (r, i) of Z, without components of rounding.

    W S has the eigenvectors of the smaller of Z Z' and Z' Z on that side, and their images on the
    other.
    """
    wide = Z.shape[0] <= Z.shape[1]
    rows, columns = ((A.indptr, A.indices, A.data) for A in (Z, Z.T.tocsr()))
    near, far = (rows, columns) if wide else (columns, rows)
    count, expected = 0, PRODUCTS * rank

    def product(x: Floats) -> Floats:
        nonlocal count
        count += 2
        share = min(0.99, count / expected)
        progress(share, f"Factoring the ratings: {count:,} products")
        return _times(*near, _times(*far, x))

    vectors = largest_eigenvectors(product, min(Z.shape), rank)[1]
    images = np.array([_times(*far, vector) for vector in vectors])
    singular = row_norms(images)
    order = np.argsort(-singular, kind="stable")
    order = order[: np.count_nonzero(singular > NO_COMPONENT * singular.max())]
    vectors, images, singular = vectors[order], images[order], singular[order]
    images /= singular[:, None]
    return (vectors.T, singular, images) if wide else (images.T, singular, vectors)


@njit(cache=True, nogil=True)
def _times(starts: Ids, columns: Ids, values: Floats, x: Floats) -> Floats:
    """A sparse matrix (a, b) times x (b,): each sum in the order of the columns."""
    sums = np.empty(len(starts) - 1)
    for i in range(len(sums)):
        total = 0.0
        for at in range(starts[i], starts[i + 1]):
            total += values[at] * x[columns[at]]
        sums[i] = total
    return sums
