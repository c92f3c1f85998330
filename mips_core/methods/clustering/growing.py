"""Spherical k-means on samples that grow: most of the way is gone on few rows."""

from dataclasses import replace
from typing import Any

import numpy as np

from mips_core.base.arrays import Matrix
from mips_core.base.progress import Progress, silent, span
from mips_core.base.seeds import sample_rows, stream
from mips_core.methods.clustering.rounds import Clustering, Empty, Fit, Round, Start, held, start_of
from mips_core.methods.reductions import LiftedRows, lengths_of

GROWTH = ((16, 4), (64, 3))  # rows a cluster, rounds at most; at last one round on all rows


def growing_kmeans(
    X: Matrix | LiftedRows,
    k: int,
    start: Start,
    rng: np.random.Generator,
    *,
    empty: Empty = "drop",
    max_rounds: int = 100,
    progress: Progress = silent,
) -> Clustering:
    """Cluster the rows of X (n, d) into at most k clusters: `spherical_kmeans` along GROWTH.

    Each sample holds the one before it and goes on from its centroids; where it would be as large
    as X it is X. `max_rounds` holds for each of them. At last the centroids are turned to all of
    their rows once more, so a row may by then be nearer to another: that costs no product, and
    gains half as much as another round.
    """
    n, X = len(X), held(X)
    norms = lengths_of(X)
    stages = [(min(k * rows, n), min(rounds, max_rounds)) for rows, rounds in GROWTH] + [(n, 1)]
    ends = np.cumsum([size * most for size, most in stages])
    rounds: list[Round] = []
    total = sum(most for _, most in stages)
    first = None
    for (size, most), end in zip(stages, ends, strict=True):
        taken = slice(None) if size == n else sample_rows(stream(rng, "sample"), n, size)
        rows = X if size == n else X[taken]
        first = start_of(start, rng, rows, k) if first is None else first
        fit = Fit(rows, norms[taken], first)
        part = span(progress, (end - size * most) / ends[-1], end / ends[-1])
        fit.run(empty, most, with_earlier(rounds, total, part))
        rounds += fit.rounds
        fit.update(empty)
        first = fit.centroids
    return replace(fit.result(), rounds=tuple(rounds))


def with_earlier(rounds: list[Round], total: int, progress: Progress) -> Progress:
    """Report the rounds of a stage as those after `rounds`, of at most `total`."""
    earlier = tuple(rounds)

    def report(fraction: float, message: str, partial: Any = None) -> None:
        so_far = replace(partial, rounds=earlier + partial.rounds, max_rounds=total)
        progress(fraction, so_far.sentence(), so_far)

    return report
