"""True answers, curves and answers of searches over vectors in parts."""

from dataclasses import replace
from functools import partial
from pathlib import Path

import numpy as np

from mips_core.base.arrays import Floats, Ids, Matrix, as_matrix
from mips_core.base.errors import DataError
from mips_core.base.limits import MAX_K
from mips_core.base.progress import Progress, silent
from mips_core.base.seeds import rng_for
from mips_core.data.rankable import queries_evaluated, rankable
from mips_core.evaluation.evaluate import Evaluation, evaluate
from mips_core.evaluation.truth import SPARE_DEPTHS, Truth
from mips_core.methods.exact import exact_top_k_scores, merged
from mips_core.methods.indexes import Index
from mips_core.scale.build_on_parts import PartsTree
from mips_core.scale.engine import Engine
from mips_core.scale.manifest import Manifest, manifest_of, parts_told
from mips_core.scale.parts_fit import smallest_hashes
from mips_core.scale.shared_file import shared_file

ROWS = 2**15  # of a part, compared with all queries at once
Best = tuple[Ids, Floats]  # ids (m, D) and scores (m, D), best first


def sampled_queries(manifest: Manifest, count: int, seed: int = 0) -> tuple[Matrix, Ids]:
    """(m, d) rows as queries and (m,) which: those that `with_queries` takes of all rows."""
    rows = smallest_hashes(rng_for(seed, "queries"), manifest.n, count)
    return manifest.take(rows), rows


def best_in_part(path: str, key: str, at: int, queries: str, depth: int) -> Best:
    """The `depth` best rows of part `at` for the queries in a file, by the strict order."""
    manifest = manifest_of(path, key)
    Q, rows = np.load(queries, allow_pickle=False), manifest.blocks(at)
    best: Best = (np.empty((len(Q), 0), np.int64), np.empty((len(Q), 0)))
    for first in range(0, len(rows), ROWS):
        X = np.ascontiguousarray(rows[first : first + ROWS], np.float32)
        ids, scores = exact_top_k_scores(X, Q, depth)
        best = merged(depth, best, (ids + (manifest.parts[at].first + first), scores))
    return best


def truth_on_parts(
    manifest: Manifest,
    queries: Matrix,
    engine: Engine,
    progress: Progress = silent,
    own_rows: Ids | None = None,
) -> Truth:
    """As `truth_of`: exact answers for queries (m, d), without the row that each must not get.

    Raises DataError for queries of another width, or none that can rank items.
    """
    queries = as_matrix(queries, "The queries")
    if queries.shape[1] != manifest.d:
        raise DataError(
            f"The queries have {queries.shape[1]} dimensions, the items {manifest.d}.",
            "Both must come from the same model.",
        )
    asked = queries_evaluated(queries)
    if not asked.any():
        raise DataError("No query is long enough to rank items.", "Use other queries.")
    Q, dropped = np.ascontiguousarray(queries[asked]), int((~rankable(queries)).sum())
    exclude = None if own_rows is None else own_rows[asked]
    available = manifest.n - (exclude is not None)
    with shared_file(manifest.path.parent, "queries", lambda file: np.save(file, Q)) as path:
        for spare in SPARE_DEPTHS:
            depth = min(MAX_K + spare, available)
            wanted = depth + (exclude is not None)
            ids, scores = _best(manifest, path, wanted, engine, progress)
            if exclude is not None:
                ids, scores = _without(ids, scores, exclude)
            truth = Truth(Q, ids, scores, np.zeros(len(Q)), manifest.n, available, dropped)
            if depth == available or (truth.widths(truth.answers(MAX_K)) < depth).all():
                break
    return truth


def _best(
    manifest: Manifest, queries: Path, depth: int, engine: Engine, progress: Progress
) -> Best:
    """The `depth` best of all rows for the queries in a file."""
    tasks = [
        (str(manifest.path), manifest.key, at, str(queries), depth)
        for at in range(len(manifest.parts))
    ]
    key = f"truth-{manifest.path}-{queries.name}-{depth}"
    with parts_told(manifest):
        best: Best = engine.reduce(best_in_part, tasks, partial(merged, depth), key, progress)
    return best


def _without(ids: Ids, scores: Floats, exclude: Ids) -> Best:
    """Each row without its excluded id, or without its last entry."""
    keep = ids != exclude[:, None]
    keep[keep.all(axis=1), -1] = False
    shape = (len(ids), ids.shape[1] - 1)
    return ids[keep].reshape(shape), scores[keep].reshape(shape)


def evaluate_on_parts(
    index: Index, built: PartsTree, truth: Truth, seed: int, progress: Progress = silent
) -> Evaluation:
    """As `evaluate`, of a tree in parts: it asks only where the true answers are."""
    known, places = np.unique(truth.ids, return_inverse=True)
    searcher = index.searcher(built.tree_of_rows(known))
    placed = replace(truth, ids=places.reshape(truth.ids.shape).astype(np.int64))
    return replace(evaluate(index, searcher, placed, seed, progress), truth=truth)
