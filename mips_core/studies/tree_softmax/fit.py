"""Fitting a tree softmax to a flat one: the temperature, the tree, then a Newton method a node.

A node learns the flat softmax's own share of its left side, weighted by its mass: by the chain rule
the cross-entropies of the nodes sum to that of the leaves. BLAS and LAPACK differ between
processors in their last bits, so what is kept of them is settled.
"""

import numpy as np
from numba import njit

from mips_core.base.arrays import Floats, Ids, Matrix, as_matrix, settled
from mips_core.base.errors import DataError
from mips_core.base.kernels import dot, order_of, score_rows
from mips_core.base.progress import Progress, silent, span
from mips_core.base.seeds import sample_rows, stream
from mips_core.base.threads import map_blocks
from mips_core.studies.tree_softmax.model import QUERY_BLOCK, TreeSoftmax

ROUNDS = 5  # Newton steps of a node
HALVINGS = 6  # of a step that would raise the loss
RIDGE = 3e-4  # pull to a node's start, for queries of rms 1; of 1e-6 to 1e-2 best on new words
NEGLIGIBLE = 1e-13  # nats: steps that promise less would follow rounding
ENTROPY_SHARE = 0.5  # of ln n: what t gives the median query, halfway from one item to all alike
SCALE_QUERIES = 200  # looked at to choose t
NODE_BLOCK = 64


def fit_tree_softmax(
    X: Matrix, Q: Matrix, rng: np.random.Generator, progress: Progress = silent
) -> TreeSoftmax:
    """Fit a tree to the flat softmax over the items X (n, d) at the training queries Q (m, d).

    t is such that the median entropy of the flat softmax is half of ln n nats. Meant for some
    thousand items: takes 16 m n + 4 m d^2 bytes. Raises DataError where shapes do not fit.
    """
    X, Q = as_matrix(X, "X"), as_matrix(Q, "Q")
    if len(X) < 2 or len(Q) < 1 or X.shape[1] != Q.shape[1]:
        raise DataError(
            f"X is {len(X):,} x {X.shape[1]:,}, Q is {len(Q):,} x {Q.shape[1]:,}.",
            "Two items, one query and as many columns in both are needed.",
        )
    progress(0.0, "choosing the temperature")
    scale = softmax_scale(X, Q[sample_rows(stream(rng, "scale queries"), len(Q), SCALE_QUERIES)])
    children = split_items(X, span(progress, 0.0, 0.3))
    logs = flat_masses(X, Q, scale, children, span(progress, 0.3, 0.4))
    length = float(np.sqrt(np.mean(np.square(Q, dtype=np.float64)))) or 1.0
    features = np.column_stack([Q.astype(np.float64) / length, np.ones(len(Q))])
    rows, columns = np.triu_indices(features.shape[1])
    squares = features[:, rows] * features[:, columns]  # the upper triangle row by row
    start = first_units(X, scale * length, children)
    units, losses = np.empty_like(start), np.empty((len(start), ROUNDS + 1))
    done = np.zeros(len(start), np.bool_)

    def work(first: int, stop: int) -> None:
        nodes = slice(first, stop)
        mass = np.exp(logs[:, nodes] - logs[:, :1]) / len(Q)
        share = np.exp(logs[:, children[nodes, 0]] - logs[:, nodes])
        units[nodes], losses[nodes] = _fit(features, squares, mass, share, start[nodes])
        done[nodes] = True
        progress(0.4 + 0.6 * done.mean(), "fitting the nodes")

    map_blocks(work, len(start), NODE_BLOCK)
    weights, biases = settled(units[:, :-1] / length), settled(units[:, -1])
    return TreeSoftmax(children, weights, biases, scale, losses.sum(axis=0))


def softmax_scale(X: Matrix, Q: Matrix) -> float:
    """t at which the median entropy of softmax(t q.x) over Q is ENTROPY_SHARE ln n, by bisection.

    1 where all items score alike; the largest tried where ties keep every entropy above that.
    """
    scores = np.stack([score_rows(X, q, np.arange(len(X))) for q in Q])
    spread = float(scores.std(axis=1).max())
    if spread == 0.0:
        return 1.0
    low, high = -12.0, 12.0  # log2 of t times the spread
    for _ in range(24):
        middle = (low + high) / 2
        logs = log_softmax(2.0**middle / spread * scores)
        entropy = -(np.exp(logs) * logs).sum(axis=1)
        too_flat = np.median(entropy) > ENTROPY_SHARE * np.log(len(X))
        low, high = (middle, high) if too_flat else (low, middle)
    return float(np.float32(2.0**low / spread))


def log_softmax(scores: Floats) -> Floats:
    """(m, n) scores -> log probabilities in nats, row by row."""
    lowered = scores - scores.max(axis=1, keepdims=True)
    return lowered - np.log(np.exp(lowered).sum(axis=1, keepdims=True))


def split_items(X: Matrix, progress: Progress) -> Ids:
    """children (n-1, 2): the items of a node halve at the median of their principal direction."""
    n = len(X)
    children = np.empty((n - 1, 2), np.int64)
    level, first = [np.arange(n)], 0  # the items of the inner nodes first, first + 1, ...
    while level:
        progress(first / n, "splitting the items")
        below: list[Ids] = []
        for node, halves in enumerate(_halves_of(X, level), first):
            for side, items in enumerate(halves):
                if len(items) == 1:
                    children[node, side] = n - 1 + items[0]
                else:
                    children[node, side] = first + len(level) + len(below)
                    below.append(items)
        level, first = below, first + len(level)
    return children


def _halves_of(X: Matrix, level: list[Ids]) -> list[tuple[Ids, Ids]]:
    """The two halves, ids ascending, of every list of items of X; the odd item goes left."""

    def work(start: int, stop: int) -> list[tuple[Ids, Ids]]:
        return [_halves(X, items) for items in level[start:stop]]

    return [halves for block in map_blocks(work, len(level), NODE_BLOCK) for halves in block]


def _halves(X: Matrix, items: Ids) -> tuple[Ids, Ids]:
    centred = X[items] - X[items].mean(axis=0, dtype=np.float64)
    direction = settled(np.linalg.svd(centred, full_matrices=False)[2][0])
    direction *= np.sign(direction[np.abs(direction).argmax()])  # its sign is free
    ranked = items[order_of(score_rows(X, direction.astype(np.float32), items), items)]
    half = (len(items) + 1) // 2
    return np.sort(ranked[:half]), np.sort(ranked[half:])


def flat_masses(X: Matrix, Q: Matrix, scale: float, children: Ids, progress: Progress) -> Floats:
    """(m, 2n-1) log of the flat softmax's weight under each place, not normalised."""
    logs = np.empty((len(Q), 2 * len(X) - 1))
    done = np.zeros(len(Q), np.bool_)

    def work(start: int, stop: int) -> None:
        _gather(X, Q[start:stop], scale, children, logs[start:stop])
        done[start:stop] = True
        progress(done.mean(), "weighing the branches")

    map_blocks(work, len(Q), QUERY_BLOCK)
    return logs


@njit(cache=True, nogil=True)
def _gather(X: Matrix, Q: Matrix, scale: float, children: Ids, logs: Floats) -> None:
    inner = len(children)
    for i in range(len(Q)):
        for item in range(len(X)):
            logs[i, inner + item] = scale * dot(X[item], Q[i])
        for node in range(inner - 1, -1, -1):
            logs[i, node] = np.logaddexp(logs[i, children[node, 0]], logs[i, children[node, 1]])


def first_units(X: Matrix, scale: float, children: Ids) -> Floats:
    """(n-1, d+1) units, bias last: what a node must learn, to first order at q = 0.

    ln sum_left exp(t q.x) less the same on the right is t q.(mean left - mean right) + ln of the
    sizes' ratio + O(q^2). Exact for a node over two leaves.
    """
    n = len(X)
    sums, sizes = np.zeros((2 * n - 1, X.shape[1])), np.ones(2 * n - 1)
    sums[n - 1 :] = X
    for node in range(n - 2, -1, -1):
        sums[node], sizes[node] = sums[children[node]].sum(axis=0), sizes[children[node]].sum()
    means, (left, right) = sums / sizes[:, None], children.T
    ratios = np.log(sizes[left] / sizes[right])
    return np.column_stack([scale * (means[left] - means[right]), ratios])


def _fit(
    features: Floats, squares: Floats, mass: Floats, share: Floats, start: Floats
) -> tuple[Floats, Floats]:
    """Logistic units (b, D) by Newton's method from start (b, D); losses (b, ROUNDS+1).

    features (m, D); mass (m, b) weighs the queries of each unit, share (m, b) is its target. A step
    is halved while it would raise a unit's loss, and left out if it still does.
    """
    units, loss = start, _loss(features, mass, share, start, start)
    losses = [loss]
    for _ in range(ROUNDS):
        step = _newton_step(features, squares, mass, share, units, start)
        for _ in range(HALVINGS):
            lower = _loss(features, mass, share, units - step, start)
            worse = lower > loss
            if not worse.any():
                break
            step[worse] /= 2
        units = np.where(worse[:, None], units, units - step)
        loss = np.where(worse, loss, lower)
        losses.append(loss)
    return units, np.stack(losses, axis=1)


def _newton_step(
    features: Floats, squares: Floats, mass: Floats, share: Floats, units: Floats, start: Floats
) -> Floats:
    """(b, D) steps down; 0 where next to nothing is to be gained."""
    D = features.shape[1]
    likely = np.exp(-np.logaddexp(0, -features @ units.T))
    slope = (mass * (likely - share)).T @ features + RIDGE * (units - start)
    curvature = np.empty((len(units), D, D))
    rows, columns = np.triu_indices(D)
    curvature[:, rows, columns] = (mass * likely * (1 - likely)).T @ squares
    curvature[:, columns, rows] = curvature[:, rows, columns]
    solved = np.linalg.solve(curvature + RIDGE * np.eye(D), slope[..., None])
    step = np.asarray(solved[..., 0], np.float64)
    step[(step * slope).sum(axis=1) < 2 * NEGLIGIBLE] = 0.0
    return step


def _loss(features: Floats, mass: Floats, share: Floats, units: Floats, start: Floats) -> Floats:
    """(b,) weighted cross-entropy of each unit in nats, and its ridge."""
    logits = features @ units.T
    entropy = (mass * (np.logaddexp(0, logits) - share * logits)).sum(axis=0)
    pulled = units - start
    return entropy + RIDGE / 2 * (pulled * pulled).sum(axis=1)
