"""How much a layout may be trusted: whether what is near on the map is near in the data.

Venna and Kaski, "Neighborhood preservation in nonlinear projection methods", ICANN 2001, section 2.
"""

from threading import Lock

import numpy as np
from numba import njit

from mips_core.base.arrays import Floats, Ids, Matrix
from mips_core.base.kernels import row_norms
from mips_core.base.progress import Progress, silent
from mips_core.base.seeds import rng_for, sample_rows
from mips_core.base.threads import map_blocks

ITEM_BLOCK = 1024
ROUNDING = 1e-12  # of squared lengths: rows no nearer than this are as near


def trustworthiness(
    rows: Matrix,
    xy: Matrix,
    k: int = 15,
    sample: int = 2000,
    seed: int = 0,
    progress: Progress = silent,
) -> float:
    """1 where the k nearest of an item on the map xy (n, 2) are its k nearest in rows (n, d') too.

    Each of the k that is only the r-th nearest by Euclidean distance of rows costs r - k; 0 is the
    worst there can be. Taken over a seeded sample of items, each against all others, in float64;
    equally near rows share the best rank of them. As `sklearn.manifold.trustworthiness`, which
    takes all items at once and a matrix (n, n). k is lowered to (n - 1) // 2; 1 for n below 3.
    """
    n = len(rows)
    k = min(k, (n - 1) // 2)
    if k < 1:
        return 1.0
    judged = sample_rows(rng_for(seed, "map", "trust"), n, sample)
    listed = _near_on_map(xy, judged, k)
    excess = _excess_ranks(rows, judged, listed, progress)
    return 1.0 - 2.0 * excess / (len(judged) * k * (2 * n - 3 * k - 1))


def _near_on_map(xy: Matrix, judged: Ids, k: int) -> Ids:
    """(m, k) the nearest on the map of each chosen item, without itself."""
    from scipy.spatial import cKDTree  # slow to import, and not needed by a first curve

    near = cKDTree(xy).query(xy[judged], k + 1)[1]
    others = near != judged[:, None]
    others[others.all(axis=1), -1] = False  # others in the same place came first
    return near[others].reshape(len(judged), k)


def _excess_ranks(rows: Matrix, judged: Ids, listed: Ids, progress: Progress) -> float:
    """Sum over the listed (m, k) of the places by which their rank for `judged` (m,) exceeds k.

    Rows are taken from their centre block by block, once for all that are judged: all at once take
    twice their memory again.
    """
    centre = rows.mean(axis=0, dtype=np.float64)
    own, k = rows[judged] - centre, listed.shape[1]
    limits = np.empty(listed.shape)
    for j in range(k):
        near = rows[listed[:, j]] - centre
        squares = row_norms(near) ** 2
        limits[:, j] = squares - 2 * np.einsum("ij,ij->i", own, near)
        limits[:, j] -= ROUNDING * (squares + row_norms(own) ** 2)
    nearer = np.zeros(listed.shape, np.int64)
    adding = Lock()
    done = 0

    def work(start: int, stop: int) -> None:
        nonlocal done
        block = rows[start:stop] - centre
        counts = np.zeros(listed.shape, np.int64)
        _count_nearer(own @ block.T, row_norms(block) ** 2, limits, counts)
        with adding:
            np.add(nearer, counts, out=nearer)
            done += stop - start
        progress(done / len(rows), "Comparing the map with the data")

    map_blocks(work, len(rows), ITEM_BLOCK)
    nearer -= -(row_norms(own)[:, None] ** 2) < limits  # itself
    return float(np.maximum(nearer + 1 - k, 0).sum())


@njit(cache=True, nogil=True)
def _count_nearer(products: Floats, squares: Floats, limits: Floats, nearer: Ids) -> None:
    """Add to nearer (b, k) how many of the items are nearer than each of limits (b, k).

    An item is |x|^2 - 2 q.x away: the squared distance less |q|^2, which is the same for all.
    """
    away = np.empty(len(squares), np.float64)
    for i in range(len(limits)):
        for j in range(len(squares)):
            away[j] = squares[j] - 2 * products[i, j]
        for at in range(limits.shape[1]):  # to count them anew for each runs wide: no search
            limit, count = limits[i, at], np.int64(0)
            for j in range(len(squares)):
                count += np.int64(away[j] < limit)
            nearer[i, at] += count
