"""What the mapping P does to norms, and to answers (Auvolat et al. 2015, section 3.1).

‖P(x)‖² = m/4 + ‖sx‖^(2^(m+1)) with s = U / max ‖x‖: the sum telescopes. What ranks by the cosine of
Q(q) and P(x) ranks by q·x / ‖P(x)‖.
"""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from mips_core.base.arrays import Floats, Ids
from mips_core.base.progress import Progress, silent, span
from mips_core.data.dataset import Dataset
from mips_core.data.rankable import queries_evaluated
from mips_core.evaluation.truth import Truth
from mips_core.methods.exact import exact_top_k_scores
from mips_core.methods.reductions import lengths_of
from mips_core.studies.paper.sums import GROUPS

MS = (1, 2, 3, 4, 5, 6)
US = (0.5, 0.75, 0.99)
MOST = 1_000  # queries
POINTS = tuple((m, U) for U in US for m in MS)


def norms_of(lengths: Floats, m: int, U: float) -> Floats:
    """(n,) ‖P(x)‖ of items of lengths (n,), not all 0."""
    scaled = lengths * (U / lengths.max())
    return np.asarray(np.sqrt(m / 4 + scaled ** (2 ** (m + 1))))


def measured(
    searched: Dataset, truth: Truth, ks: Sequence[int], progress: Progress = silent
) -> Mapping[str, Any]:
    """hits (G, p, c + 1), costs (G, p): answers that P keeps, of each K, for each of POINTS.

    The last column is the largest relative difference of norms, the same for every query.
    """
    lengths = lengths_of(searched.items)
    rows = searched.query_rows
    own = None if rows is None else rows[queries_evaluated(searched.queries)][:MOST]
    queries, true = truth.queries[:MOST], truth.ids[:MOST]
    groups = np.arange(len(queries)) % GROUPS
    sizes = np.bincount(groups, minlength=GROUPS)
    hits = np.zeros((GROUPS, len(POINTS), len(ks) + 1))
    for at, (m, U) in enumerate(POINTS):
        report = span(progress, at / len(POINTS), (at + 1) / len(POINTS))
        norms = norms_of(lengths, m, U)
        items = (searched.items / norms[:, None]).astype(np.float32)
        ids, _ = exact_top_k_scores(items, queries, truth.answers(ks[-1]), own)
        for column, K in enumerate(ks):
            kept = _overlap(ids[:, : truth.answers(K)], true[:, : truth.answers(K)])
            hits[:, at, column] = np.bincount(groups, kept, GROUPS)
        spread = float(norms.max() / norms.min()) - 1
        hits[:, at, -1] = spread * sizes
        report(1.0, f"P with m = {m}, U = {U:g}")
    return {"hits": hits, "costs": np.zeros(hits.shape[:2]), "queries": sizes}


def _overlap(first: Ids, second: Ids) -> Floats:
    """(m,) how many ids each row (m, K) shares with the other's."""
    both = np.sort(np.concatenate([first, second], axis=1), axis=1)
    return np.asarray((both[:, 1:] == both[:, :-1]).sum(axis=1), np.float64)
