"""Exact top-K of queries in blocks: shortlists from tiles of float32 scores, then float64."""

import operator

import numpy as np
from numba import njit

from mips_core.base.arrays import Floats, Ids, Matrix, as_matrix
from mips_core.base.errors import DataError, ParamError
from mips_core.base.kernels import order_of, row_norms, score_rows
from mips_core.base.progress import Progress, silent
from mips_core.base.sorting import kth_largest
from mips_core.base.threads import map_blocks
from mips_core.methods.exact.prepared import PreparedItems, prepare, prepare_in_place
from mips_core.methods.exact.shortlist import SPARE, Shortlists, add_tile, shortlists

QUERY_BLOCK = 512
ITEM_BLOCK = 512
TILE = QUERY_BLOCK * ITEM_BLOCK  # float32 scores: 1 MB, it stays in cache
WIDEST = 16 * ITEM_BLOCK  # scores of one query at a time, where there are few queries
LISTED = 2**22  # most items on the shortlists of a block
PART = 2**23  # numbers of float16 items: 32 MB as float32
FEW_QUERIES = 256  # to sort the items costs as much as so many queries save
NO_ORDER = np.empty(0, np.int64)


def exact_top_k(X: Matrix, Q: Matrix, k: int, exclude: Ids | None = None) -> Ids:
    """(m, K) items of largest inner product, best first; ties go to the lower number.

    X (n, d), Q (m, d) float32. K is k, or the number of items left when k is larger. `exclude`
    (m,) names one item a query must not get, -1 for none. Raises ParamError when k < 1, DataError
    when the dimensions differ.
    """
    X, Q = as_matrix(X, "X"), as_matrix(Q, "Q")
    if len(X) == 0:
        raise DataError("X holds no items.", "Give one or more.")
    banned = None if exclude is None else np.asarray(exclude, np.int64)
    return exact_top_k_scores(X, Q, operator.index(k), banned)[0]


def exact_top_k_scores(
    X: Matrix,
    Q: Matrix,
    k: int,
    exclude: Ids | None = None,
    progress: Progress = silent,
    *,
    prepared: PreparedItems | None = None,
) -> tuple[Ids, Floats]:
    """ids (m, K) as `exact_top_k` returns them, and their float64 scores (m, K).

    X and Q must be checked already: float32, C order, finite, n >= 1; X may be float16, mapped say.
    `prepared` is what `prepare` made of a float32 X. K is 0 where the only item is excluded.
    """
    if k < 1:
        raise ParamError(f"k is {k}.", "Ask for one answer or more.")
    if X.shape[1] != Q.shape[1]:
        raise DataError(f"The queries have {Q.shape[1]} dimensions, the items {X.shape[1]}.")
    n = len(X)
    most = min(k + (exclude is not None), n)
    if X.dtype != np.float32:
        best = _of_parts(X, Q, most, progress)
    else:
        if prepared is None:
            prepared = prepare_in_place(X) if len(Q) <= FEW_QUERIES else prepare(X)
        best = _top_k(prepared, Q, most, progress)
    return best if exclude is None else _without(*best, exclude, min(k, n - 1))


def _of_parts(X: Matrix, Q: Matrix, K: int, progress: Progress) -> tuple[Ids, Floats]:
    """The same of a float16 X: PART of its numbers become float32 at once, and the best are kept.

    Scores are canonical and the order is strict, so that the parts leave no trace.
    """
    best = np.empty((len(Q), 0), np.int64), np.empty((len(Q), 0))
    rows = max(PART // X.shape[1], 1)
    for first in range(0, len(X), rows):
        part = X[first : first + rows].astype(np.float32)
        ids, scores = exact_top_k_scores(part, Q, K)
        best = merged(K, best, (ids + first, scores))
        progress(min(first + rows, len(X)) / len(X), "Exact search")
    return best


def merged(K: int, one: tuple[Ids, Floats], other: tuple[Ids, Floats]) -> tuple[Ids, Floats]:
    """The K best of both, ids and scores (m, any): the largest first, of equals the lower id."""
    ids, scores = (np.hstack(pair) for pair in zip(one, other, strict=True))
    order = np.lexsort((ids, -scores))[:, :K]
    return np.take_along_axis(ids, order, axis=1), np.take_along_axis(scores, order, axis=1)


def _without(ids: Ids, scores: Floats, exclude: Ids, K: int) -> tuple[Ids, Floats]:
    """Drop each row's excluded id, or its last entry, and keep K."""
    keep = ids != exclude[:, None]
    keep[keep.all(axis=1), -1] = False
    shape = (len(ids), ids.shape[1] - 1)
    return ids[keep].reshape(shape)[:, :K], scores[keep].reshape(shape)[:, :K]


def _top_k(items: PreparedItems, Q: Matrix, K: int, progress: Progress) -> tuple[Ids, Floats]:
    ids, scores = np.empty((len(Q), K), np.int64), np.empty((len(Q), K), np.float64)
    lengths = np.maximum(row_norms(Q), np.finfo(np.float64).tiny)[:, None]
    order = NO_ORDER if items.order is None else items.order
    block = max(1, min(QUERY_BLOCK, LISTED // (2 * K + SPARE), len(Q)))
    width = min(max(ITEM_BLOCK, min(TILE // block, WIDEST)), len(items.X))
    free: list[tuple[Matrix, Shortlists]] = []  # of blocks that are done: new memory is slow
    done = 0

    def work(start: int, stop: int) -> None:
        nonlocal done
        asked = slice(start, stop)
        unit = (Q[asked] / lengths[asked]).astype(np.float32)
        try:
            tile, lists = free.pop()
        except IndexError:
            tile, lists = np.zeros((block, width), np.float32), shortlists(block, K, width)
        found = lists.emptied(len(unit))
        _list_items(items, unit, K, tile, found)
        _decide(items.X, order, Q[asked], K, found, ids[asked], scores[asked])
        free.append((tile, lists))
        done += stop - start
        progress(min(done / len(Q), 1.0), "Exact search")

    map_blocks(work, len(Q), block)
    return ids, scores


def _list_items(
    items: PreparedItems, unit: Matrix, K: int, tile: Matrix, found: Shortlists
) -> None:
    """List what may be among the K best for unit queries (b, d)."""
    asking = np.arange(len(unit))
    longest = items.norms.max()
    first, stop = 0, len(items.X)
    while first < stop:
        width = min(tile.shape[1], stop - first)
        if items.order is not None:  # the first ones narrow: soon many are out of reach
            width = min(width, max(first, ITEM_BLOCK))
        seen = slice(first, first + width)
        scores = tile.reshape(-1)[: len(asking) * width].reshape(len(asking), width)
        np.dot(unit, items.visited(first, first + width).T, out=scores)
        widest = items.errors[seen].max()
        add_tile(scores, asking, first, items.errors, widest, longest, K, found)
        first += width
        if items.order is not None:
            reach = items.within_reach(found.least[asking])
            stop = reach.max()
            asking, unit = asking[reach > first], unit[reach > first]


@njit(cache=True, nogil=True)
def _decide(
    X: Matrix, order: Ids, Q: Matrix, K: int, lists: Shortlists, ids: Ids, scores: Floats
) -> None:
    """Score what is listed in float64 and keep the K best; where near-ties did not fit, all.

    order (n,): the ids of what is listed; (0,) where they are its numbers.
    """
    for i in range(len(Q)):
        size = lists.sizes[i]
        if size >= K:
            near = lists.listed[i, :size].astype(np.int64)
            if len(order) > 0:
                near = order[near]
            near_scores = score_rows(X, Q[i], near)
        else:
            every = score_rows(X, Q[i], np.arange(len(X)))
            last = kth_largest(every.copy(), K)
            near = np.flatnonzero(every >= last)
            near_scores = every[near]
        best = order_of(near_scores, near)[:K]
        for j in range(K):
            ids[i, j] = near[best[j]]
            scores[i, j] = near_scores[best[j]]
