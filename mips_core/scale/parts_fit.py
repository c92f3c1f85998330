"""Rounds of spherical k-means on vectors in parts: those of `Fit`, each one pass of an engine."""

from dataclasses import dataclass, field
from pathlib import Path

import numpy as np

from mips_core.base.arrays import Ids, Matrix
from mips_core.base.kernels import row_norms
from mips_core.base.progress import Progress, silent
from mips_core.base.seeds import rng_for, row_hashes
from mips_core.methods.clustering.cluster_sums import ClusterSums
from mips_core.methods.clustering.rounds import Empty, Fit, Round, Start, first_members
from mips_core.methods.reductions import lengths_of
from mips_core.scale.checkpoints import (
    BuildClock,
    Checkpoint,
    last_checkpoint,
    write_checkpoint,
    write_pass,
)
from mips_core.scale.engine import Engine
from mips_core.scale.part_work import (
    LabelsBefore,
    LiftedParts,
    added,
    drawn_labels,
    one_pass,
    read_labels,
    start_sums,
    worst_of,
    worst_rows,
    zero_rows,
)
from mips_core.scale.shared_file import make_folder

CHUNK = 2**20  # rows drawn for at once


@dataclass(frozen=True, slots=True, eq=False)
class PartsClustering:
    """centroids (k, d') unit rows, live ones only; counts (k,) of their rows; what led here.

    The labels are in files of the last pass, under numbers that `renumbered` brings up to date.
    seconds: as in `Checkpoint`, to the end.
    """

    centroids: Matrix
    counts: Ids
    rounds: tuple[Round, ...]
    converged: bool
    folder: Path
    number: int
    renumbered: Ids = field(repr=False)
    seconds: float

    def labels(self, at: int) -> Ids:
        """(count,) the cluster of each row of part `at`. Raises DataError."""
        return self.renumbered[read_labels(self.folder, self.number, at)]


class PartsFit(Fit):
    """A clustering of the rows of parts that is under way, or goes on where another stopped.

    `start` is a number of clusters, to draw one for each row, or centroids (k, d'). Files are in
    `folder`, which belongs to these rows and this start alone.
    """

    def __init__(
        self,
        source: LiftedParts,
        engine: Engine,
        folder: Path,
        seed: int,
        start: int | Matrix,
        clock: BuildClock,
        progress: Progress = silent,
    ) -> None:
        make_folder(folder)
        self.source, self.engine, self.folder, self.seed = source, engine, folder, seed
        self.manifest = source.manifest()
        self.rounds = []
        self.fraction, self.progress, self.clock = 0.0, progress, clock
        self.drawn = start if isinstance(start, int) else 0
        state = last_checkpoint(folder, range(len(self.manifest.parts)))
        if state is not None:
            clock.goes_on_after(state.seconds)
            self.centroids, self.rounds = state.centroids, list(state.rounds)
            self.sums = ClusterSums(*state.totals.shape)
            self.sums.totals, self.sums.counts = state.totals, state.counts
        elif isinstance(start, int):
            self._draw(start)
        else:
            self.centroids = start.astype(np.float32)
            self.sums = ClusterSums(*start.shape)
        self.renumbered = np.arange(len(self.centroids))

    def run(self, empty: Empty, max_rounds: int, progress: Progress) -> None:
        def noted(fraction: float, message: str, partial: object = None) -> None:
            self.fraction = fraction
            progress(fraction, message, partial)

        super().run(empty, max_rounds, noted)

    def clustering(self) -> PartsClustering:
        """What was found, clusters without rows left out."""
        self._drop_empty()
        rounds = tuple(self.rounds)
        converged = rounds[-1].moved == 0
        last = (self.folder, len(rounds), self.renumbered, self.clock.seconds)
        return PartsClustering(self.centroids, self.sums.counts, rounds, converged, *last)

    def _poll(self, fraction: float, message: str, partial: object = None) -> None:
        """Hear of a cancel while a pass runs."""
        self.progress(self.fraction, f"round {len(self.rounds) + 1}: {message}")

    def _tasks(self, *more: object) -> list[tuple[object, ...]]:
        return [(self.source, at, *more) for at in range(len(self.manifest.parts))]

    def _key(self, what: str) -> str:
        return f"{self.folder}-{what}-{len(self.rounds)}"

    def _draw(self, k: int) -> None:
        """Sums of clusters drawn for each row; their first members, should a sum vanish."""
        tasks = self._tasks(self.seed, k)
        totals, counts, _ = self.engine.reduce(
            start_sums, tasks, added, self._key("start"), self._poll
        )
        k = int(np.flatnonzero(counts)[-1]) + 1
        self.sums = ClusterSums(k, totals.shape[1])
        self.sums.totals, self.sums.counts = totals[:k], counts[:k]
        firsts = _first_rows(self.seed, self.manifest.n, self.drawn, counts)
        present = np.flatnonzero(firsts >= 0)
        members = self.source.lift.items(self.manifest.take(firsts[present]))
        self.centroids = first_members(members, present, k)

    def _before(self) -> LabelsBefore:
        if self.rounds:
            return LabelsBefore(str(self.folder), len(self.rounds))
        return LabelsBefore(seed=self.seed, k=self.drawn)

    def _round(self, empty: Empty) -> None:
        if self.sums.counts.any():
            self.update(empty)
        number, live = len(self.rounds) + 1, len(self.centroids)
        write_pass(self.folder, number, self.centroids, self.renumbered)
        tasks = self._tasks(str(self.folder), number, self._before())
        totals, counts, moved = self.engine.reduce(
            one_pass, tasks, added, self._key("pass"), self._poll
        )
        self.sums.totals, self.sums.counts = totals, counts
        self.renumbered = np.arange(live)
        objective = self.sums.objective(self.centroids)
        self.rounds.append(Round(objective, moved, live, self.manifest.n))
        rounds, seconds = tuple(self.rounds), self.clock.seconds
        state = Checkpoint(self.centroids, totals, counts, rounds, seconds)
        write_checkpoint(self.folder, state, len(self.manifest.parts))

    def _drop_empty(self) -> None:
        live = self.sums.counts > 0
        if not live.all():
            self.sums.keep(live)
            self.centroids = np.ascontiguousarray(self.centroids[live])
            self.renumbered = (np.cumsum(live) - 1)[self.renumbered]

    def _reseed(self) -> None:
        empty = np.flatnonzero(self.sums.counts == 0)
        if len(empty) == 0:
            return
        number = len(self.rounds) + 1
        write_pass(self.folder, number, self.centroids, self.renumbered)
        tasks = self._tasks(str(self.folder), number, self._before(), len(empty))
        _, ids = self.engine.reduce(worst_rows, tasks, worst_of, self._key("worst"), self._poll)
        rows = self.source.lift.items(self.manifest.take(ids[: len(empty)]))
        norms = lengths_of(rows).astype(np.float32)
        for cluster, row, norm in zip(empty, rows, norms, strict=False):
            if norm > 0:
                self.centroids[cluster] = row / norm


def _first_rows(seed: int, n: int, k: int, counts: Ids) -> Ids:
    """(k',) the first of n rows drawn for each cluster; -1 for one that has none."""
    firsts = np.full(len(counts), -1)
    for begin in range(0, n, CHUNK):
        labels = drawn_labels(seed, begin, min(begin + CHUNK, n), k)
        present, at = np.unique(labels, return_index=True)
        new = firsts[present] < 0
        firsts[present[new]] = at[new] + begin
        if (firsts[counts > 0] >= 0).all():
            break
    return firsts


def smallest_hashes(rng: np.random.Generator, n: int, size: int) -> Ids:
    """As `sample_rows`, without a hash of every row in memory at once."""
    if size >= n:
        return np.arange(n)
    key = rng.bit_generator.state
    ids, hashes = np.empty(0, np.int64), np.empty(0, np.uint64)
    for begin in range(0, n, max(CHUNK, size)):
        rng.bit_generator.state = key  # the same draw for every chunk
        stop = min(begin + max(CHUNK, size), n)
        hashes = np.concatenate([hashes, row_hashes(rng, stop, begin)])
        ids = np.concatenate([ids, np.arange(begin, stop)])
        if len(ids) > size:
            kept = np.argpartition(hashes, size)[:size]
            hashes, ids = hashes[kept], ids[kept]
    return np.sort(ids)


def start_on_parts(
    kind: Start, source: LiftedParts, engine: Engine, seed: int, k: int, progress: Progress
) -> int | Matrix:
    """As `start_of`: how many clusters to draw from, or unit vectors (k', d') towards k rows."""
    if kind == "assignment":
        return k
    manifest = source.manifest()
    zeros = np.empty(0, np.int64)
    if source.lift.n_extra == 0:
        tasks = [(source, at) for at in range(len(manifest.parts))]
        key = f"zero-{source.path}-{source.key}-{source.lift.scale!r}"
        zeros = np.sort(engine.reduce(zero_rows, tasks, _joined, key, progress))
    usable = manifest.n - len(zeros)
    if usable == 0:
        return np.zeros((1, manifest.d + source.lift.n_extra), np.float32)
    picked = smallest_hashes(rng_for(seed, "kmeans", 0), usable, k)
    picked += np.searchsorted(zeros - np.arange(len(zeros)), picked, side="right")
    rows = source.lift.items(manifest.take(picked))
    return (rows / row_norms(rows)[:, None]).astype(np.float32)


def _joined(one: Ids, other: Ids) -> Ids:
    return np.concatenate([one, other])
