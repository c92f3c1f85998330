"""Beams of several widths down one binary tree, all in one descent (Auvolat et al. 2015, Alg. 2).

Every node carries a mask: bit e says that it is in the beam of the e-th width. Beams of different
widths meet mostly the same nodes, so that each is sorted and looked at once.
"""

from typing import NamedTuple

import numpy as np
from numba import njit

from mips_core.base.arrays import Floats, Ids, Matrix
from mips_core.base.kernels import dot
from mips_core.methods.bits import ONE, Words, count_bits, lowest_bit
from mips_core.methods.cluster_order.first import unit_slack

MOST_WIDTHS = 64  # bits of a mask
SCORE_STEPS = 2.0**29  # of a sort key, in a score of 1: far finer than float32


class Nodes(NamedTuple):
    """What kernels read of a tree: centroids (N, d'), children (N,), lists of the leaves."""

    centroids: Matrix
    children: Ids
    starts: Ids
    members: Ids


class Query(NamedTuple):
    """A lifted query (d',), its float32 products with all nodes (N,) as a unit vector.

    exact (N,) holds the float64 ones that were needed, NaN elsewhere.
    """

    lifted: Matrix
    scores: Matrix
    exact: Floats


@njit(cache=True, nogil=True)
def leaves_of(tree: Nodes, Q: Matrix, scores: Matrix, width: int) -> tuple[Ids, Ids]:
    """The leaves (m, width) that a beam ends with, -1 for none, and (m,) nodes scored.

    Q (m, d') lifted, scores (m, N) float32 of unit queries: they preselect.
    """
    leaves = np.full((len(Q), width), -1, np.int64)
    scored = np.zeros((len(Q), 2), np.int64)
    N = len(tree.children)
    nodes, masks, exact = np.empty(N, np.int64), np.empty(N, np.uint64), np.empty(N, np.float64)
    for i in range(len(Q)):
        query = Query(Q[i], scores[i], exact)
        size = _descend(tree, query, np.array([width]), nodes, masks, scored[i])
        leaves[i, :size] = nodes[:size]
    return leaves, scored[:, 0]


@njit(cache=True, nogil=True)
def outcomes_of(
    tree: Nodes, Q: Matrix, scores: Matrix, widths: Ids, wanted: Ids, n: int
) -> tuple[Words, Ids, Ids]:
    """What beams of the ascending widths (p,), at most 64, find of the wanted items (m, w).

    Returns masks (m, w) of the widths that find each item, and (m, p) nodes scored and different
    items held. For Q and scores as `leaves_of` takes them.
    """
    m, p = len(Q), len(widths)
    found = np.zeros(wanted.shape, np.uint64)
    scored, sizes = np.zeros((m, p + 1), np.int64), np.zeros((m, p + 1), np.int64)
    N = len(tree.children)
    nodes, masks, exact = np.empty(N, np.int64), np.empty(N, np.uint64), np.empty(N, np.float64)
    held_by = np.zeros(n, np.uint64)
    for i in range(m):
        query = Query(Q[i], scores[i], exact)
        size = _descend(tree, query, widths, nodes, masks, scored[i])
        _hold(tree, nodes[:size], masks[:size], held_by, sizes[i])
        for j in range(wanted.shape[1]):
            if wanted[i, j] >= 0:
                found[i, j] = held_by[wanted[i, j]]
        for leaf in nodes[:size]:
            held_by[tree.members[tree.starts[leaf] : tree.starts[leaf + 1]]] = 0
    return found, scored[:, :p], sizes[:, :p]


@njit(cache=True, nogil=True)
def _hold(tree: Nodes, leaves: Ids, masks: Words, held_by: Words, sizes: Ids) -> None:
    """Add the masks of leaves to those of their items (n,), and to sizes (p+1,) the items new."""
    for at in range(len(leaves)):
        leaf, mask = leaves[at], masks[at]
        fresh = 0
        for s in range(tree.starts[leaf], tree.starts[leaf + 1]):
            item = tree.members[s]
            new = mask & ~held_by[item]
            held_by[item] |= mask
            if new == mask:
                fresh += 1
            elif new:
                _add_to(sizes, new, 1)
        _add_to(sizes, mask, fresh)
    sizes[:] = np.cumsum(sizes)


@njit(cache=True, nogil=True)
def _add_to(changes: Ids, mask: np.uint64, amount: int) -> None:
    """Add an amount at every bit of the mask: to `changes` (p+1,), whose running sums are meant.

    Only where a run of bits begins and where it ends; there is mostly one run.
    """
    edges = mask ^ (mask << ONE)
    while edges:
        edge = lowest_bit(edges)
        changes[count_bits(edge - ONE)] += amount
        amount = -amount
        edges ^= edge


@njit(cache=True, nogil=True)
def _descend(tree: Nodes, query: Query, widths: Ids, nodes: Ids, masks: Words, scored: Ids) -> int:
    """Write the leaves of all beams and their masks; returns how many there are.

    scored (p+1,) becomes the nodes scored for each width.
    """
    children = tree.children
    query.exact[:] = np.nan
    reached, through = np.empty(len(nodes), np.int64), np.empty(len(nodes), np.uint64)
    nodes[0], masks[0] = 0, ~np.uint64(0) >> np.uint64(MOST_WIDTHS - len(widths))
    size = 1
    while True:
        count = 0
        for at in range(size):
            child = children[nodes[at]]
            reached[count], through[count] = nodes[at], masks[at]
            if child >= 0:
                reached[count] = child
                count += 1
                reached[count], through[count] = child + 1, masks[at]
                _add_to(scored, masks[at], 2)
            count += 1
        if count == size:
            break
        order = np.arange(count)
        if count > widths[0] and len(widths) == 1:
            order = _best(tree.centroids, query, reached[:count], widths[0])
        elif count > widths[0]:
            order = _best_first(tree.centroids, query, reached[:count])
            _cut(through, order, widths)
        size = 0
        for place in order:
            if through[place]:
                nodes[size], masks[size] = reached[place], through[place]
                size += 1
    scored[:] = np.cumsum(scored)
    return size


@njit(cache=True, nogil=True)
def _cut(masks: Words, order: Ids, widths: Ids) -> None:
    """Clear bit e of the masks after the first widths[e] that have it, in this order."""
    ordered = masks[order]
    for e in range(len(widths)):
        bit, width = np.uint64(e), widths[e]
        if len(order) <= width:
            break
        left = width
        for at in range(width):
            left -= int((ordered[at] >> bit) & ONE)
        end = width
        while left > 0 and end < len(order):
            left -= int((ordered[end] >> bit) & ONE)
            end += 1
        for at in range(end, len(order)):
            ordered[at] &= ~(ONE << bit)
    masks[order] = ordered


@njit(cache=True, nogil=True)
def _best_first(centroids: Matrix, query: Query, reached: Ids) -> Ids:
    """Positions in `reached` (c,) by q.c in float64 descending, the lower number on ties.

    Only where float32 cannot tell is it computed.
    """
    scores = query.scores[reached].astype(np.float64)
    keys = ((2.0 - scores) * SCORE_STEPS).astype(np.int64) << 32
    for at in range(len(keys)):
        keys[at] |= at
    keys.sort()
    order = keys & 0xFFFFFFFF
    slack = unit_slack(len(query.lifted))
    start = 0  # of a run of near ties
    for at in range(1, len(order) + 1):
        if at == len(order) or scores[order[at - 1]] - scores[order[at]] > slack:
            if at - start > 1:
                _settle(centroids, query.lifted, query.exact, reached, order[start:at])
            start = at
    return order


@njit(cache=True, nogil=True)
def _best(centroids: Matrix, query: Query, reached: Ids, width: int) -> Ids:
    """Positions in `reached` (c,), c > width, of the best `width` as above, in no order."""
    scores = query.scores[reached].astype(np.float64)
    last = np.partition(scores, len(scores) - width)[len(scores) - width]
    slack = unit_slack(len(query.lifted))
    sure = np.flatnonzero(scores > last + slack)
    near = np.flatnonzero(np.abs(scores - last) <= slack)
    if len(sure) + len(near) > width:
        _settle(centroids, query.lifted, query.exact, reached, near)
    return np.concatenate((sure, near[: width - len(sure)]))


@njit(cache=True, nogil=True)
def _settle(centroids: Matrix, q: Matrix, exact: Floats, reached: Ids, run: Ids) -> None:
    """Sort a few positions, best sorted nearly, by (q.c in float64 descending, number)."""
    for end in range(len(run)):
        position, node = run[end], reached[run[end]]
        if np.isnan(exact[node]):
            exact[node] = dot(centroids[node], q)
        at = end
        while at > 0:
            other = reached[run[at - 1]]
            if exact[other] > exact[node] or (exact[other] == exact[node] and other < node):
                break
            run[at] = run[at - 1]
            at -= 1
        run[at] = position
