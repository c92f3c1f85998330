"""One query: its lists are chosen and scanned by their codes in one compiled call.

Codes of centroids tell which may be among the best, float32 products and the strict order which
are; codes of rows shortlist, and float64 decides.
"""

from typing import NamedTuple

import numpy as np
from numba import njit
from numpy.typing import NDArray

from mips_core.base.arrays import Floats, Ids, Matrix
from mips_core.base.kernels import COMPARE, kth_bound, product, row_norms
from mips_core.methods.cluster_order.first import first_among
from mips_core.methods.cluster_order.order import unit_rows
from mips_core.methods.indexes import ListSearcher
from mips_core.methods.kmeans.flat import ProbeSearcher
from mips_core.methods.kmeans.head_search import HeadListSearcher
from mips_core.serving.fast_search.blocks import ENTRIES, ROWS, Planes, block_products
from mips_core.serving.fast_search.packed import Codes, PackedLists, encode, encode_query
from mips_core.serving.fast_search.shortlist import (
    TOO_MANY,
    add_near,
    decide,
    drop_below,
    reach,
    room_for,
    rounding_bound,
)


class ListChoice(NamedTuple):
    """How lists are chosen: the first `heads` always, then c + `shift` for the best centroids c.

    centroids (k, d') float32, d' >= d; codes of their first d entries, as one list; longest (1,)
    float32: no centroid is longer.
    """

    centroids: Matrix
    codes: Codes
    longest: Matrix
    heads: int
    shift: int


def choice_of(searcher: ListSearcher, d: int) -> ListChoice | None:
    """How a searcher for queries of d entries chooses, where nearness to centroids alone does."""
    if isinstance(searcher, ProbeSearcher):
        centroids, heads, shift = searcher.centroids()[0], 0, 0
    elif isinstance(searcher, HeadListSearcher) and searcher.probing != "spread":
        _, centroids = searcher.promises(np.zeros((1, d), np.float32))
        heads, shift = searcher.heads, 1
    else:
        return None
    rows = np.ascontiguousarray(centroids[:, :d])
    longest = np.nextafter(row_norms(rows).max(keepdims=True).astype(np.float32), np.float32(9))
    codes = encode(np.array([0, len(rows)]), rows)
    return ListChoice(np.ascontiguousarray(centroids), codes, longest, heads, shift)


class CodedQuery(NamedTuple):
    """A query (d,), the same at length 1, and that as `encode_query` codes it."""

    q: Matrix
    unit: Matrix
    planes: Planes
    step: float
    lost: float
    excess: int


@njit(cache=True, nogil=True)
def coded_query(q: Matrix, width: int) -> CodedQuery:
    """The query q (1, d), its code of so many entries."""
    unit, planes = unit_rows(q)[0], np.empty((2, width), np.int8)
    step, lost, excess = encode_query(unit, planes)
    return CodedQuery(q[0], unit, planes, step, lost, excess)


@njit(cache=True, nogil=True)
def code_bound(query: CodedQuery, error: float) -> tuple[float, float]:
    """(relative, absolute): how far scores by codes may be off, whose rows lose `error` most."""
    relative, absolute = rounding_bound(len(query.unit))
    return relative + error + query.lost * (1 + error), absolute


@njit(cache=True, nogil=True, fastmath=COMPARE)
def score_block(
    codes: Codes, block: int, query: CodedQuery, products: NDArray[np.int32], chunk: Matrix
) -> np.float32:
    """Write what the codes of a block say of the scores (16,) of its rows; the highest."""
    block_products(codes.blocks, block, query.planes, query.excess, products)
    step, first, highest = np.float32(query.step), block * ROWS, np.float32(-np.inf)
    for at in range(ROWS):
        chunk[at] = np.float32(products[at]) * (codes.scales[first + at] * step)
        highest = max(highest, chunk[at])
    return highest


@njit(cache=True, nogil=True)
def first_by_codes(query: CodedQuery, choice: ListChoice, p: int) -> Ids:
    """(p,) the first centroids of the query in the strict order, p <= k."""
    k, codes = len(choice.centroids), choice.codes
    products = np.empty(ROWS, np.int32)
    scores = np.empty(len(codes.blocks) * ROWS, np.float32)
    for block in range(len(codes.blocks)):
        chunk = scores[block * ROWS : (block + 1) * ROWS]
        score_block(codes, block, query, products, chunk)
    relative, absolute = code_bound(query, codes.errors[0])
    error = np.float32(relative * choice.longest[0] + absolute)
    furthest = np.float32(1.01) * (choice.longest[0] + error)
    least = kth_bound(scores[:k], p, -furthest, furthest) - np.float32(2.01) * error
    near, size = np.empty(k, np.int64), 0
    for centroid in range(k):
        near[size] = centroid  # written always, kept by counting: no branch
        size += scores[centroid] >= least
    closer = scores[:size]
    for at in range(size):
        closer[at] = product(choice.centroids[near[at]], query.unit)
    return first_among(near[:size], closer, query.q, choice.centroids, p)


@njit(cache=True, nogil=True)
def answer_by_codes(
    query: CodedQuery, opened: Ids, packed: PackedLists, codes: Codes, ids: Ids, scores: Floats
) -> bool:
    """Write the K best of the lists `opened` (p,) to ids and scores (K,).

    False where more items nearly tie than a shortlist holds: then nothing is written.
    """
    starts, norms, K = packed.starts, packed.norms, len(ids)
    near, highest = np.empty(room_for(K), np.int32), np.empty(room_for(K), np.float32)
    lowest = np.empty(K, np.float32)  # a heap: K items score at least so much
    lowest[:] = -np.inf
    chunk, products = np.empty(ROWS, np.float32), np.empty(ROWS, np.int32)
    size = 0
    for which in opened:
        if which < 0:
            continue
        relative, absolute = code_bound(query, codes.errors[which])
        error, least_slack = np.float32(relative), np.float32(absolute)
        stop = reach(norms, starts[which], starts[which + 1], lowest[0])
        block = codes.begins[which]
        for first in range(starts[which], stop, ROWS):
            top = score_block(codes, block, query, products, chunk)
            block += 1
            slack = error * norms[first] + least_slack
            if top + slack < lowest[0]:
                continue
            some = chunk[: min(ROWS, stop - first)]
            size = add_near(some, first, slack, lowest, near, highest, size)
            if size == TOO_MANY:
                return False
    size = drop_below(lowest[0], near, highest, size)
    decide(query.q, packed.rows, packed.items, near[:size], ids, scores)
    return True


@njit(cache=True, nogil=True)
def answer_opened(
    q: Matrix, opened: Ids, packed: PackedLists, codes: Codes, ids: Ids, scores: Floats
) -> bool:
    """`answer_by_codes` for q (1, d), opened (1, p), ids and scores (1, K)."""
    query = coded_query(q, codes.blocks.shape[1] * ENTRIES)
    return answer_by_codes(query, opened[0], packed, codes, ids[0], scores[0])


@njit(cache=True, nogil=True)
def answer_few(
    Q: Matrix,
    effort: int,
    packed: PackedLists,
    codes: Codes,
    choice: ListChoice,
    ids: Ids,
    scores: Floats,
) -> int:
    """Write the K best of `effort` lists for Q (m, d), m <= 63, to ids and scores (m, K).

    Bit i tells that query i is left, as more items nearly tie than a shortlist holds.
    """
    left = 0
    opened = np.zeros(effort, np.int64)
    for i in range(len(Q)):
        ids[i], scores[i] = -1, -np.inf
        query = coded_query(Q[i : i + 1], codes.blocks.shape[1] * ENTRIES)
        if effort > choice.heads:
            first = first_by_codes(query, choice, effort - choice.heads)
            opened[choice.heads :] = first + choice.shift
        if not answer_by_codes(query, opened, packed, codes, ids[i], scores[i]):
            left |= 1 << i
    return left
