"""The descent of a ball tree that leaves out every ball that cannot hold a better item.

Ram and Gray 2012, section 3: no item x of a ball has q.x above q.c + |q| r.
"""

from typing import NamedTuple

import numpy as np
from numba import njit

from mips_core.base.arrays import Floats, Ids, Matrix, Ranks
from mips_core.base.kernels import COMPARE, FLOAT32_ROUNDING, SMALLEST_NORMAL, dot
from mips_core.base.limits import BLOCK_BYTES
from mips_core.methods.trees.ball_tree import Balls

NOBODY = np.iinfo(np.int64).max  # in place of an id: worse than any item of the same score
AHEAD = 128  # queries at most whose products are formed at once
ROW_BLOCK = 1024  # rows of a tile of products: 256 KB, which stay in cache


class Foreseen(NamedTuple):
    """Float32 products of b queries, formed ahead of their descents, or empty.

    centres (b, N); items (n, b), rows as the tree has them; highest (b, L) item of each leaf.
    """

    centres: Matrix
    items: Matrix
    highest: Matrix


_EMPTY = np.empty((0, 0), np.float32)
NOTHING = Foreseen(_EMPTY, _EMPTY, _EMPTY)


class Record(NamedTuple):
    """What a descent writes down.

    visited (v,) leaves in order, at most v of them, -1 beyond; bounded (v,) how many bounds had
    been evaluated when each was, and in all beyond; nodes (N,) whose bounds.
    """

    visited: Ranks
    bounded: Ranks
    nodes: Ids


def descents(balls: Balls, Q: Matrix, K: int, most: int, ahead: bool) -> tuple[Ranks, Ranks]:
    """visited and bounded (m, most) of descents for Q (m, d): see Record.

    Forming products `ahead` costs a tenth of forming them on the way, where most are needed.
    """
    visited, bounded = np.empty((2, len(Q), most), np.int32)
    nodes = np.empty(len(balls.radii), np.int64)
    block = int(np.clip(BLOCK_BYTES // (4 * len(balls.rows)), 8, AHEAD))
    for first in range(0, len(Q), block):
        rows = slice(first, first + block)
        foreseen = foresee(balls, Q[rows]) if ahead else NOTHING
        _descend_each(balls, Q[rows], K, foreseen, visited[rows], bounded[rows], nodes)
    return visited, bounded


def foresee(balls: Balls, Q: Matrix) -> Foreseen:
    """What can be known of the descents of the queries Q (b, d) before they start."""
    leaf_starts = balls.starts[balls.leaf >= 0]
    items = np.zeros((len(balls.rows), len(Q)), np.float32)
    highest = np.full((len(leaf_starts), len(Q)), -np.inf, np.float32)
    for first in range(0, len(items), ROW_BLOCK):
        tile = items[first : first + ROW_BLOCK]
        np.dot(balls.rows[first : first + ROW_BLOCK], Q.T, out=tile)
        _raise(tile, first, leaf_starts, highest)
    return Foreseen(Q @ balls.centres.T, items, np.ascontiguousarray(highest.T))


@njit(cache=True, nogil=True, fastmath=COMPARE)
def _raise(tile: Matrix, first: int, leaf_starts: Ids, highest: Matrix) -> None:
    """Raise highest (L, b) of each leaf to the products (w, b) of its rows from `first` on."""
    leaf = np.searchsorted(leaf_starts, first, side="right") - 1
    for i in range(len(tile)):
        if leaf + 1 < len(leaf_starts) and leaf_starts[leaf + 1] == first + i:
            leaf += 1
        for j in range(tile.shape[1]):
            highest[leaf, j] = max(highest[leaf, j], tile[i, j])


@njit(cache=True, nogil=True)
def _descend_each(
    balls: Balls,
    Q: Matrix,
    K: int,
    foreseen: Foreseen,
    visited: Ranks,
    bounded: Ranks,
    nodes: Ids,
) -> None:
    for i in range(len(Q)):
        descend(balls, Q[i], K, foreseen, i, Record(visited[i], bounded[i], nodes))


@njit(cache=True, nogil=True)
def descend(balls: Balls, q: Matrix, K: int, foreseen: Foreseen, i: int, record: Record) -> None:
    """Depth first for q (d,), the child of larger bound first, until no ball or no room is left.

    A ball is left out when its bound is strictly below the K-th best score so far: with an equal
    one it may hold an item of lower id. What was foreseen for q, its query i, decides where the
    slack lets it, exact float64 elsewhere.
    """
    scores, ids = np.full(K, -np.inf), np.full(K, NOBODY)
    length = np.sqrt(dot(q, q))
    guessed = len(foreseen.centres) > 0
    per_reach, least = _slack(len(q), length) if guessed else (0.0, 0.0)
    waiting, bounds = np.empty(len(balls.radii), np.int64), np.empty(len(balls.radii), np.float64)
    waiting[0], bounds[0], record.nodes[0] = 0, np.inf, 0
    size, count, leaves = 1, 1, 0
    while size > 0 and leaves < len(record.visited):
        size -= 1
        node, bound = waiting[size], bounds[size]
        slack = per_reach * balls.reach[node] + least
        if abs(bound - scores[0]) <= slack:
            bound = _bound(balls.centres, balls.radii, node, q, length)
        if bound < scores[0]:
            continue
        leaf = balls.leaf[node]
        if leaf >= 0:
            if not guessed or foreseen.highest[i, leaf] + slack >= scores[0]:
                _score_leaf(balls, node, q, foreseen.items, i, slack, scores, ids)
            record.visited[leaves], record.bounded[leaves] = leaf, count
            leaves += 1
            continue
        near, far = node + 1, balls.second[node]
        record.nodes[count], record.nodes[count + 1] = far, near
        if guessed:
            higher = foreseen.centres[i, near] + length * balls.radii[near]
            lower = foreseen.centres[i, far] + length * balls.radii[far]
            slack = per_reach * (balls.reach[near] + balls.reach[far]) + 2 * least
        if not guessed or abs(higher - lower) <= slack:
            higher = _bound(balls.centres, balls.radii, near, q, length)
            lower = _bound(balls.centres, balls.radii, far, q, length)
        if lower > higher:
            near, far, higher, lower = far, near, lower, higher
        waiting[size], waiting[size + 1] = far, near
        bounds[size], bounds[size + 1] = lower, higher
        size, count = size + 2, count + 2
    record.visited[leaves:] = -1
    record.bounded[leaves:] = count


@njit(cache=True, nogil=True)
def _score_leaf(
    balls: Balls,
    node: int,
    q: Matrix,
    foreseen: Matrix,
    i: int,
    slack: float,
    scores: Floats,
    ids: Ids,
) -> None:
    """Put the items of a leaf among the K best, but those that, as foreseen, cannot be."""
    for at in range(balls.starts[node], balls.stops[node]):
        if len(foreseen) == 0 or foreseen[at, i] + slack >= scores[0]:
            keep_best(dot(balls.rows[at], q), balls.members[at], scores, ids)


@njit(cache=True, nogil=True)
def _bound(centres: Matrix, radii: Floats, node: int, q: Matrix, length: float) -> float:
    return dot(centres[node], q) + length * radii[node]


@njit(cache=True, nogil=True)
def _slack(d: int, length: float) -> tuple[float, float]:
    """By how much a float32 product with a query of this length may be off: a times reach, + b.

    By at most d u |q| |x|, u = 2^-24 (Higham, Accuracy and Stability, section 3.1), and by the
    smallest float32 for each term that underflows.
    """
    return 1.01 * (d + 2) * FLOAT32_ROUNDING * length, d * SMALLEST_NORMAL


@njit(cache=True, nogil=True)
def keep_best(score: float, item: int, scores: Floats, ids: Ids) -> None:
    """Put an item among the K best, unless they are better: scores (K,) and ids (K,) of a heap.

    The worst by (score descending, id ascending) is on top. It starts as -inf and NOBODY.
    """
    if score < scores[0] or (score == scores[0] and item > ids[0]):
        return
    at = 0
    while 2 * at + 1 < len(scores):
        child = 2 * at + 1
        other = child + 1
        if other < len(scores) and (
            scores[other] < scores[child]
            or (scores[other] == scores[child] and ids[other] > ids[child])
        ):
            child = other
        if score < scores[child] or (score == scores[child] and item > ids[child]):
            break
        scores[at], ids[at] = scores[child], ids[child]
        at = child
    scores[at], ids[at] = score, item
