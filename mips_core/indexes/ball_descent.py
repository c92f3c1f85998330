"""The descent of a ball tree that leaves out every ball that cannot hold a better item.

Ram and Gray 2012, section 3: no item x of a ball has q.x above q.c + |q| r.
"""

from typing import NamedTuple

import numpy as np
from numba import njit

from mips_core.arrays import Floats, Ids, Matrix, Ranks
from mips_core.indexes.ball_tree import Balls
from mips_core.kernels import dot

NOBODY = np.iinfo(np.int64).max  # in place of an id: worse than any item of the same score
AHEAD = 32  # queries whose products are formed at once


class Products(NamedTuple):
    """Canonical inner products of one query, formed ahead, or empty: items (n,), centres (N,)."""

    items: Floats
    centres: Floats


class Record(NamedTuple):
    """What a descent writes down.

    visited (v,) leaves in order, at most v of them, -1 beyond; bounded (v,) how many bounds had
    been evaluated when each was, and in all beyond; nodes (N,) whose bounds.
    """

    visited: Ranks
    bounded: Ranks
    nodes: Ids


@njit(cache=True, nogil=True)
def descents(balls: Balls, Q: Matrix, K: int, most: int, ahead: bool) -> tuple[Ranks, Ranks]:
    """visited and bounded (m, most) of descents for Q (m, d): see Record.

    Forming all products `ahead` costs a third of forming them on the way, where most are needed.
    """
    m = len(Q)
    visited = np.empty((m, most), np.int32)
    bounded = np.empty((m, most), np.int32)
    nodes = np.empty(len(balls.radii), np.int64)
    for first in range(0, m, AHEAD):
        block = Q[first : first + AHEAD]
        items = _products(balls.rows if ahead else balls.rows[:0], block)
        centres = _products(balls.centres if ahead else balls.centres[:0], block)
        for i in range(len(block)):
            record = Record(visited[first + i], bounded[first + i], nodes)
            descend(balls, block[i], K, Products(items[i], centres[i]), record)
    return visited, bounded


@njit(cache=True, nogil=True)
def descend(balls: Balls, q: Matrix, K: int, known: Products, record: Record) -> None:
    """Depth first for q (d,), the child of larger bound first, until no ball or no room is left.

    A ball is left out when its bound is strictly below the K-th best score so far: with an equal
    one it may hold an item of lower id.
    """
    scores, ids = np.full(K, -np.inf), np.full(K, NOBODY)
    length = np.sqrt(dot(q, q))
    waiting = np.zeros(len(balls.radii), np.int64)
    bounds = np.full(len(balls.radii), np.inf)
    record.nodes[0] = 0
    size, count, leaves = 1, 1, 0
    while size > 0 and leaves < len(record.visited):
        size -= 1
        node = waiting[size]
        if bounds[size] < scores[0]:
            continue
        if balls.leaf[node] >= 0:
            for at in range(balls.starts[node], balls.stops[node]):
                score = known.items[at] if len(known.items) else dot(balls.rows[at], q)
                keep_best(score, balls.members[at], scores, ids)
            record.visited[leaves], record.bounded[leaves] = balls.leaf[node], count
            leaves += 1
            continue
        for child in (balls.second[node], node + 1):
            centre = known.centres[child] if len(known.centres) else dot(balls.centres[child], q)
            waiting[size], bounds[size] = child, centre + length * balls.radii[child]
            record.nodes[count] = child
            size, count = size + 1, count + 1
        if bounds[size - 2] > bounds[size - 1]:
            waiting[size - 2], waiting[size - 1] = waiting[size - 1], waiting[size - 2]
            bounds[size - 2], bounds[size - 1] = bounds[size - 1], bounds[size - 2]
    record.visited[leaves:] = -1
    record.bounded[leaves:] = count


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


@njit(cache=True, nogil=True)
def _products(rows: Matrix, Q: Matrix) -> Floats:
    """Canonical inner products (m, n) of Q (m, d) and rows (n, d), as `kernels.dot` forms them."""
    m, d = Q.shape
    columns = np.ascontiguousarray(Q.T).astype(np.float64)
    products = np.empty((m, len(rows)), np.float64)
    totals = np.empty(m, np.float64)
    for i in range(len(rows)):
        totals[:] = 0.0
        for j in range(d):
            x = np.float64(rows[i, j])
            for query in range(m):
                totals[query] += x * columns[j, query]
        products[:, i] = totals
    return products
