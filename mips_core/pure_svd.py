"""PureSVD: ratings become user vectors (queries) and item vectors, as in the paper's section 5.1.

Cremonesi, Koren and Turrin, "Performance of recommender algorithms on top-N recommendation tasks",
RecSys 2010; Auvolat et al. 2015, section 5.1.
"""

from dataclasses import dataclass

import numpy as np
from scipy.sparse import csr_array
from scipy.sparse.linalg import svds

from mips_core.arrays import Floats, Ids, Matrix
from mips_core.errors import DataError, ParamError

NO_COMPONENT = 1e-10  # a singular value below this share of the first is rounding


@dataclass(frozen=True, slots=True, eq=False)
class RatingFactors:
    """users (u, r) rows of W S and items (i, r) rows of R, so that users @ items.T estimates Z.

    singular (r,) values, descending. A user whose ratings are all equal is a zero row; so is an
    item that was only ever rated at its raters' means.
    """

    users: Matrix
    items: Matrix
    singular: Floats


def pure_svd(users: Ids, items: Ids, values: Floats, rank: int) -> RatingFactors:
    """Factors of the ratings values (e,) that users (e,) gave to items (e,), numbered from 0.

    Each user's mean over the items rated is subtracted; what was not rated stays 0. One rating per
    pair is expected. Component signs are fixed: the entry of R largest in size is positive. Raises
    ParamError unless 1 <= rank < the number of users and of items, DataError where there is nothing
    to factor or the ratings have no such rank.
    """
    if len(values) == 0:
        raise DataError("There are no ratings.", "Give one or more.")
    shape = int(users.max()) + 1, int(items.max()) + 1
    if not 1 <= rank < min(shape):
        raise ParamError(
            f"Rank {rank} is outside 1 to {min(shape) - 1}.",
            f"There are {shape[0]:,} users and {shape[1]:,} items; the rank must be below both.",
        )
    totals = np.bincount(users, values, shape[0])
    means = totals / np.maximum(np.bincount(users, minlength=shape[0]), 1)
    centred = csr_array((values - means[users], (users, items)), shape=shape)
    if not np.any(centred.data):
        raise DataError(
            "Every user gave equal ratings to all they rated.",
            "Nothing tells items apart: use ratings that differ.",
        )
    start = np.random.default_rng(0).normal(size=min(shape))
    left, singular, right = svds(centred, k=rank, v0=start)
    order = np.argsort(-singular, kind="stable")  # svds gives them ascending
    left, singular, right = left[:, order], singular[order], right[order]
    real = int(np.count_nonzero(singular > NO_COMPONENT * singular[0]))
    if real < rank:
        raise DataError(f"The ratings have rank {real}, {rank} was asked for.", "Ask for less.")
    largest = np.abs(right).argmax(axis=1)
    sign = np.where(right[np.arange(rank), largest] < 0, -1.0, 1.0)
    return RatingFactors(
        (left * (singular * sign)).astype(np.float32),
        np.ascontiguousarray((right * sign[:, None]).T, np.float32),
        singular,
    )
