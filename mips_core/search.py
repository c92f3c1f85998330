"""Ask a built index for answers: its candidates, scored exactly, best K first."""

import numpy as np
from numba import njit

from mips_core.arrays import Floats, Ids, Matrix, as_matrix
from mips_core.errors import DataError, ParamError
from mips_core.indexes import Searcher
from mips_core.kernels import order_of, score_rows
from mips_core.limits import BLOCK_BYTES, MAX_K
from mips_core.threads import map_blocks


def search(searcher: Searcher, X: Matrix, Q: Matrix, K: int, effort: int) -> tuple[Ids, Floats]:
    """ids (m, K) best first and float64 scores (m, K) of the items X (n, d) for Q (m, d).

    `effort` is one of searcher.efforts(). A query with fewer than K candidates ends in id -1,
    score -inf. Raises ParamError when K or the effort is out of range, DataError when X is not what
    was indexed or the dimensions differ.
    """
    X, Q = as_matrix(X, "X"), as_matrix(Q, "Q")
    most = max(len(X), MAX_K)
    if not 1 <= K <= most:
        raise ParamError(f"K is {K}, outside 1 to {most:,}.", "There are no more answers.")
    if effort not in searcher.efforts():
        low, high = searcher.efforts()[0], searcher.efforts()[-1]
        raise ParamError(f"Effort {effort} is not offered.", f"Efforts go from {low} to {high}.")
    if len(X) != searcher.n:
        raise DataError(f"The index holds {searcher.n:,} items, X has {len(X):,}.")
    if X.shape[1] != Q.shape[1]:
        raise DataError(f"The queries have {Q.shape[1]} dimensions, the items {X.shape[1]}.")
    ids = np.full((len(Q), K), -1, np.int64)
    scores = np.full((len(Q), K), -np.inf)

    def work(start: int, stop: int) -> None:
        found = searcher.candidates(Q[start:stop], effort, K)
        _best(X, Q[start:stop], found.starts, found.ids, ids[start:stop], scores[start:stop])

    map_blocks(work, len(Q), int(np.clip(BLOCK_BYTES // (8 * len(X)), 1, 256)))
    return ids, scores


@njit(cache=True, nogil=True)
def _best(X: Matrix, Q: Matrix, starts: Ids, listed: Ids, ids: Ids, scores: Floats) -> None:
    for i in range(len(Q)):
        near = listed[starts[i] : starts[i + 1]]
        near_scores = score_rows(X, Q[i], near)
        best = order_of(near_scores, near)
        for j in range(min(len(near), ids.shape[1])):
            ids[i, j] = near[best[j]]
            scores[i, j] = near_scores[best[j]]
