"""How much a layout may be trusted: whether what is near on the map is near in the data.

Venna and Kaski, "Neighborhood preservation in nonlinear projection methods", ICANN 2001, section 2.
"""

import numpy as np
from numba import njit

from mips_core.base.arrays import Floats, Ids, Matrix
from mips_core.base.kernels import row_norms
from mips_core.base.progress import Progress, silent
from mips_core.base.seeds import rng_for, sample_rows
from mips_core.base.threads import map_blocks

QUERY_BLOCK = 128
ITEM_BLOCK = 4096
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
    centre = rows.mean(axis=0, dtype=np.float64)
    blocks = (rows[at : at + ITEM_BLOCK] - centre for at in range(0, n, ITEM_BLOCK))
    squares = np.concatenate([row_norms(block) ** 2 for block in blocks])
    done = np.zeros(len(judged), np.bool_)

    def work(start: int, stop: int) -> float:
        intruded = _excess_ranks(rows, centre, squares, judged[start:stop], listed[start:stop])
        done[start:stop] = True
        progress(done.mean(), "Comparing the map with the data")
        return intruded

    excess = sum(map_blocks(work, len(judged), QUERY_BLOCK))
    return 1.0 - 2.0 * excess / (len(judged) * k * (2 * n - 3 * k - 1))


def _near_on_map(xy: Matrix, judged: Ids, k: int) -> Ids:
    """(m, k) the nearest on the map of each chosen item, without itself."""
    from scipy.spatial import cKDTree  # slow to import, and not needed by a first curve

    near = cKDTree(xy).query(xy[judged], k + 1)[1]
    others = near != judged[:, None]
    others[others.all(axis=1), -1] = False  # others in the same place came first
    return near[others].reshape(len(judged), k)


def _excess_ranks(rows: Matrix, centre: Floats, squares: Floats, judged: Ids, listed: Ids) -> float:
    """Sum over the listed (b, k) of the places by which their rank for `judged` (b,) exceeds k.

    Rows are taken from their centre block by block: all at once take twice their memory again.
    """
    own = rows[judged] - centre
    b, k = listed.shape
    products = np.einsum("ij,ikj->ik", own, rows[listed] - centre)
    limits = squares[listed] - 2 * products
    limits -= ROUNDING * (squares[listed] + squares[judged, None])
    limits.sort(axis=1)
    nearer = np.zeros((b, k), np.int64)
    for start in range(0, len(rows), ITEM_BLOCK):
        block = slice(start, start + ITEM_BLOCK)
        _count_nearer(own @ (rows[block] - centre).T, squares[block], limits, nearer)
    nearer -= -squares[judged, None] < limits  # itself
    return float(np.maximum(nearer + 1 - k, 0).sum())


@njit(cache=True, nogil=True)
def _count_nearer(products: Floats, squares: Floats, limits: Floats, nearer: Ids) -> None:
    """Add to nearer (b, k) how many of the items are nearer than each of ascending limits (b, k).

    An item is |x|^2 - 2 q.x away: the squared distance less |q|^2, which is the same for all.
    """
    b, k = limits.shape
    for i in range(b):
        last = limits[i, k - 1]
        for j in range(len(squares)):
            away = squares[j] - 2 * products[i, j]
            if away < last:
                at = np.searchsorted(limits[i], away, side="right")  # the first that exceeds it
                for later in range(at, k):
                    nearer[i, later] += 1
