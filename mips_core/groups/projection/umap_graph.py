"""The graph that UMAP lays out, made from known neighbours, and the place it starts from.

McInnes, Healy and Melville, *UMAP: Uniform Manifold Approximation and Projection* (2018), section
4; constants as in umap-learn 0.5, whose graph this is to the last decimals of float32.
"""

from dataclasses import dataclass
from functools import cache

import numpy as np
from numba import njit
from numpy.typing import NDArray

from mips_core.base.arrays import Floats, Matrix, Ranks
from mips_core.base.seeds import rng_for
from mips_core.base.threads import map_blocks
from mips_core.groups.projection.neighbours import Neighbours

ROW_BLOCK = 4096
HALVINGS = 64
TOLERANCE = 1e-5
LEAST_SHARE = 1e-3  # the least sigma, as a share of the mean distance
SIDE = 10.0  # of the square that holds the start
NOISE = 1e-4  # added to the start: items in one place must be able to part
# What the fit gives for the usual distance: what fits takes 8 MB and a third of a second to load.
FITTED = {0.1: (1.5769434602697652, 0.8950608778515733)}


@dataclass(frozen=True, slots=True, eq=False)
class Graph:
    """Weighted edges, each both ways: from head (e,) to tail (e,) int32, by head, then tail.

    every (e,) float64: the number of epochs between two pulls along an edge; 1 for the heaviest.
    """

    head: Ranks
    tail: Ranks
    every: Floats


def graph_of(neighbours: Neighbours, epochs: int) -> Graph:
    """The fuzzy union of all items' views of their neighbours, without edges too light to be used.

    Algorithm 2 of the paper, and its section 3.2 for how edges are drawn.
    """
    from scipy import sparse

    ids, distances = neighbours.ids, neighbours.distances
    n, k = ids.shape
    views = np.empty((n, k), np.float32)
    mean = float(distances.mean(dtype=np.float64))
    map_blocks(
        lambda start, stop: _memberships(ids, distances, start, stop, mean, views), n, ROW_BLOCK
    )
    mine = sparse.csr_array((views.ravel(), ids.ravel(), np.arange(0, n * k + 1, k)), (n, n))
    mine.eliminate_zeros()
    both = mine.multiply(mine.T)
    union = (mine + mine.T - both).tocsr()
    union.sort_indices()
    weights = union.data
    used = weights >= weights.max(initial=0.0) / epochs
    head = np.repeat(np.arange(n, dtype=np.int32), np.diff(union.indptr))
    return Graph(
        head[used],
        union.indices[used].astype(np.int32),
        weights.max(initial=0.0) / weights[used].astype(np.float64),
    )


@njit(cache=True, nogil=True)
def _memberships(
    ids: Ranks, distances: Matrix, start: int, stop: int, mean: float, views: Matrix
) -> None:
    """Rows start to stop of `views` (n, k): how much each item holds its neighbours to be near.

    exp(-(d - rho) / sigma), rho the distance to the nearest neighbour that is elsewhere, sigma such
    that the row sums to log2 k (Algorithm 3). 0 for the item itself.
    """
    k = distances.shape[1]
    target = np.log2(k)
    for i in range(start, stop):
        rho, total = 0.0, 0.0
        for j in range(k):
            total += distances[i, j]
            if rho == 0.0:
                rho = distances[i, j]
        low, high, sigma = 0.0, np.inf, 1.0
        for _ in range(HALVINGS):
            held = 0.0
            for j in range(1, k):
                held += np.exp(-max(distances[i, j] - rho, 0.0) / sigma)
            if abs(held - target) < TOLERANCE:
                break
            if held > target:
                high = sigma
            else:
                low = sigma
            sigma = 2.0 * sigma if high == np.inf else (low + high) / 2.0
        sigma = max(sigma, LEAST_SHARE * (total / k if rho > 0.0 else mean))
        for j in range(k):
            beyond = max(distances[i, j] - rho, 0.0)
            views[i, j] = 0.0 if ids[i, j] == i else np.exp(-beyond / sigma)


@cache
def curve_of(min_dist: float) -> tuple[float, float]:
    """(a, b): 1 / (1 + a x^2b) is nearest to 1 up to `min_dist` and exp(min_dist - x) beyond.

    Definition 11 of the paper, by least squares, spread 1.
    """
    if min_dist in FITTED:
        return FITTED[min_dist]
    from scipy.optimize import curve_fit

    x = np.linspace(0, 3, 300)
    wanted = np.where(x < min_dist, 1.0, np.exp(min_dist - x))
    (a, b), _ = curve_fit(lambda x, a, b: 1.0 / (1.0 + a * x ** (2 * b)), x, wanted)
    return float(a), float(b)


def start_of(layout: Matrix, seed: int) -> Matrix:
    """`layout` (n, 2) in a square, each axis by itself, with a little noise, as umap-learn's."""
    low, width = layout.min(axis=0), np.ptp(layout, axis=0)
    square = SIDE * (layout - low) / np.where(width > 0, width, 1)
    noise = rng_for(seed, "map", "start").normal(scale=NOISE, size=layout.shape)
    return np.asarray(square + noise, np.float32)


def random_state_of(seed: int) -> NDArray[np.int64]:
    """(3,) int64: the state umap-learn's random numbers start from."""
    info = np.iinfo(np.int32)
    return rng_for(seed, "map", "umap").integers(info.min + 1, info.max - 1, 3, np.int64)
