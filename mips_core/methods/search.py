"""Ask a built index for answers: its candidates, scored exactly, best K first."""

import numpy as np
from numba import njit
from numpy.typing import ArrayLike

from mips_core.base.arrays import Floats, Ids, Matrix, as_matrix
from mips_core.base.errors import DataError, ParamError
from mips_core.base.kernels import concat_lists, mark_candidates, order_of, score_rows
from mips_core.base.limits import BLOCK_BYTES, MAX_K
from mips_core.base.sorting import kth_largest
from mips_core.base.threads import map_blocks
from mips_core.methods.indexes import Candidates, Searcher


def search(searcher: Searcher, X: Matrix, Q: Matrix, K: int, effort: int) -> tuple[Ids, Floats]:
    """ids (m, K) best first and float64 scores (m, K) of the items X (n, d) for Q (m, d).

    `effort` is one of searcher.efforts(). A query with fewer than K candidates ends in id -1,
    score -inf. Raises ParamError when K or the effort is out of range, DataError when X is not what
    was indexed or the dimensions differ.
    """
    X = items_of(searcher, X)
    Q = check_question(searcher, X.shape[1], Q, K, effort)
    return search_checked(searcher, X, Q, K, effort)


def search_checked(
    searcher: Searcher, X: Matrix, Q: Matrix, K: int, effort: int
) -> tuple[Ids, Floats]:
    """As `search`, for an X and Q of a Dataset: checking X again costs as much as scoring it."""
    ids = np.empty((len(Q), K), np.int64)
    scores = np.empty((len(Q), K))

    def work(start: int, stop: int) -> None:
        queries = Q[start:stop]
        candidates = searcher.candidates(queries, effort, K)
        ids[start:stop], scores[start:stop] = best_candidates(X, queries, candidates, K)

    map_blocks(work, len(Q), block_size(len(X)))
    return ids, scores


def items_of(searcher: Searcher, X: ArrayLike) -> Matrix:
    """X as float32 (n, d). Raises DataError where it is not what was indexed."""
    items = as_matrix(X, "X")
    if len(items) != searcher.n:
        raise DataError(f"The index holds {searcher.n:,} items, X has {len(items):,}.")
    return items


def check_question(searcher: Searcher, d: int, Q: ArrayLike, K: int, effort: int) -> Matrix:
    """Q as float32 (m, d). Raises as `search` does, for items of d dimensions."""
    queries = as_matrix(Q, "Q")
    most = max(searcher.n, MAX_K)
    if not 1 <= K <= most:
        raise ParamError(f"K is {K}, outside 1 to {most:,}.", "There are no more answers.")
    check_effort(searcher, effort)
    if queries.shape[1] != d:
        raise DataError(f"The queries have {queries.shape[1]} dimensions, the items {d}.")
    return queries


def check_effort(searcher: Searcher, effort: int) -> None:
    """Raise ParamError unless `effort` is one of searcher.efforts()."""
    efforts = searcher.efforts()
    if effort not in efforts:
        raise ParamError(
            f"Effort {effort} is not offered.", f"Efforts go from {efforts[0]} to {efforts[-1]}."
        )


def block_size(n: int) -> int:
    """How many queries may be asked at once of n items, if all items become candidates."""
    return int(np.clip(BLOCK_BYTES // (8 * n), 1, 256))


def best_candidates(
    X: Matrix, Q: Matrix, candidates: Candidates, K: int, exclude: Ids | None = None
) -> tuple[Ids, Floats]:
    """ids and scores (m, K), as `search` gives them, of `candidates` for queries Q (m, d).

    `exclude` (m,) names one item a query must not get, -1 for none.
    """
    ids, scores = np.full((len(Q), K), -1, np.int64), np.full((len(Q), K), -np.inf)
    banned = np.full(len(Q), -1, np.int64) if exclude is None else exclude
    _keep_best(X, Q, candidates.starts, candidates.ids, banned, ids, scores)
    return ids, scores


def answers_among(
    true: Ids, X: Matrix, Q: Matrix, candidates: Candidates, K: int, exclude: Ids | None = None
) -> Ids:
    """The ids (m, K) of `best_candidates`, sooner, where the best items of all are settled.

    true (m, D): what exact search answers, with `exclude` left out. Where K of them are candidates,
    those are the answers, and nothing need be scored.
    """
    listed = mark_candidates(true, candidates.starts, candidates.ids, len(X))
    best = listed & (np.cumsum(listed, axis=1) <= K)
    settled = best.sum(axis=1) == K
    ids = np.empty((len(Q), K), np.int64)
    ids[settled] = true[settled][best[settled]].reshape(-1, K)
    rest = np.flatnonzero(~settled)
    left = Candidates(*concat_lists(rest[:, None], candidates.starts, candidates.ids), {})
    ids[rest], _ = best_candidates(X, Q[rest], left, K, None if exclude is None else exclude[rest])
    return ids


@njit(cache=True, nogil=True)
def _keep_best(
    X: Matrix, Q: Matrix, starts: Ids, listed: Ids, banned: Ids, ids: Ids, scores: Floats
) -> None:
    K = ids.shape[1]
    for i in range(len(Q)):
        near = listed[starts[i] : starts[i + 1]]
        near = near[near != banned[i]]
        near_scores = score_rows(X, Q[i], near)
        if len(near) > K:
            last = kth_largest(near_scores.copy(), K)
            kept = np.flatnonzero(near_scores >= last)  # more than K where some tie with the last
            near, near_scores = near[kept], near_scores[kept]
        best = order_of(near_scores, near)
        for j in range(min(len(near), K)):
            ids[i, j] = near[best[j]]
            scores[i, j] = near_scores[best[j]]
