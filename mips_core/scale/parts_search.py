"""Many queries asked of an index on parts, each part for its piece of the clusters opened.

A part that cannot be read is left out and told: such answers say how much of the rows they cover,
and no curve is made of them.
"""

from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any, BinaryIO

import numpy as np

from mips_core.base.arrays import Floats, Ids, Matrix
from mips_core.base.errors import DataError
from mips_core.base.kernels import concat_lists
from mips_core.base.progress import Progress, silent
from mips_core.methods.exact import merged
from mips_core.methods.indexes import Candidates, Index
from mips_core.methods.search import best_candidates, block_size, check_question
from mips_core.scale.build_on_parts import PartsTree
from mips_core.scale.engine import Engine
from mips_core.scale.manifest import manifest_of, parts_told
from mips_core.scale.part_work import read_labels
from mips_core.scale.parts_curve import ROWS, Best
from mips_core.scale.shared_file import shared_file


@dataclass(frozen=True, slots=True, eq=False)
class PartsAnswers:
    """ids (m, K), -1 for none, and scores (m, K), best first; of rows in parts that were read.

    coverage: their share of all rows, below 1 where parts are `missing`: name -> why. cost (m,):
    inner products, had all been read.
    """

    ids: Ids
    scores: Floats
    coverage: float
    missing: dict[str, str]
    cost: Floats


Piece = tuple[Best, dict[str, str], int]  # the best, parts that are missing, rows they hold


def opened_in_part(path: str, key: str, at: int, labels: str, asked: str, K: int) -> Piece:
    """The K best of part `at` in the clusters that a file says are opened for each query.

    `labels`: the folder of the labels. What cannot be read is told in place of answers.
    """
    manifest = manifest_of(path, key)
    part = manifest.parts[at]
    with np.load(asked, allow_pickle=False) as held:
        Q, opened, renumbered = held["Q"], held["opened"], held["renumbered"]
        k, number = (int(value) for value in held["sizes"])
    best: Best = (np.full((len(Q), K), -1), np.full((len(Q), K), -np.inf))
    try:
        rows = manifest.blocks(at)
        clusters = renumbered[read_labels(Path(labels), number, at)]
    except DataError as error:
        return best, {part.file: error.found}, part.count
    for first in range(0, len(rows), ROWS):
        X = np.ascontiguousarray(rows[first : first + ROWS], np.float32)
        ids, scores = _best_of_tile(X, clusters[first : first + ROWS], k, Q, opened, K)
        best = merged(K, best, (np.where(ids < 0, -1, ids + part.first + first), scores))
    return best, {}, 0


def _best_of_tile(X: Matrix, clusters: Ids, k: int, Q: Matrix, opened: Ids, K: int) -> Best:
    """As `search`, for rows X (n, d) in `clusters` (n,) and clusters opened (m, p), -1 for none."""
    members = np.argsort(clusters, kind="stable")
    starts = np.searchsorted(clusters[members], np.arange(k + 1))
    size = block_size(len(X))
    found = []
    for first in range(0, len(Q), size):
        queries = slice(first, first + size)
        listed = Candidates(*concat_lists(opened[queries], starts, members), {})
        found.append(best_candidates(X, Q[queries], listed, K))
    ids, scores = zip(*found, strict=True)
    return np.concatenate(ids), np.concatenate(scores)


def both_pieces(K: int, one: Piece, other: Piece) -> Piece:
    """What both hold."""
    return merged(K, one[0], other[0]), one[1] | other[1], one[2] + other[2]


def search_on_parts(
    index: Index,
    built: PartsTree,
    queries: Matrix,
    K: int,
    effort: int,
    engine: Engine,
    progress: Progress = silent,
) -> PartsAnswers:
    """As `search`, for queries (m, d): the same answers where every part is read.

    Raises ParamError where K or the effort is out of range, DataError where the dimensions differ.
    """
    manifest, finest = built.manifest, built.finest
    searcher: Any = index.searcher(built.tree_of_rows(np.empty(0, np.int64)))
    Q = check_question(searcher, manifest.d, queries, K, effort)
    opened, spent = searcher.opened(Q, effort)
    sizes = np.append(finest.counts, 0)  # of -1, too: none
    numbers = np.array([len(finest.counts), finest.number])

    def write(file: BinaryIO) -> None:
        np.savez(file, Q=Q, opened=opened, renumbered=finest.renumbered, sizes=numbers)

    with parts_told(manifest), shared_file(manifest.path.parent, "asked", write) as path:
        what = (str(finest.folder), str(path), K)
        tasks = [(str(manifest.path), manifest.key, at, *what) for at in range(len(manifest.parts))]
        key = f"search-{manifest.path}-{path.name}"
        best, missing, rows = engine.reduce(
            opened_in_part, tasks, partial(both_pieces, K), key, progress
        )
    cost = sum(spent.values(), sizes[opened].sum(axis=1, dtype=np.float64))
    return PartsAnswers(best[0], best[1], 1 - rows / manifest.n, missing, cost)
