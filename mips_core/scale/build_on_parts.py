"""Flat and hierarchical k-means of vectors in parts: the bits that `Index.build` gives on all rows.

The finest level is worked on by an engine. Levels above it cluster its centroids, which fit here.
"""

from dataclasses import dataclass, replace
from hashlib import blake2b
from pathlib import Path
from typing import TypeGuard

import numpy as np

from mips_core.base.arrays import Ids
from mips_core.base.errors import DataError, ParamError
from mips_core.base.progress import Progress, silent, span
from mips_core.base.seeds import rng_for, stream
from mips_core.methods.clustering.growing import GROWTH, with_earlier
from mips_core.methods.clustering.rounds import Clustering, Round
from mips_core.methods.indexes import Index
from mips_core.methods.kmeans.cluster_tree import KMeansTree, Level, tree_of
from mips_core.methods.kmeans.flat import FlatKMeans
from mips_core.methods.kmeans.hierarchical import HierarchicalKMeans
from mips_core.methods.kmeans.parameters import cluster_rows
from mips_core.methods.reductions import Lift
from mips_core.scale.engine import Engine
from mips_core.scale.manifest import NAME, Manifest, VectorPart
from mips_core.scale.part_work import LiftedParts, measured, sampled, write_array
from mips_core.scale.parts_fit import PartsClustering, PartsFit, smallest_hashes, start_on_parts

ALGORITHM = (
    1  # raised where the same parameters give other bits: old runs are then not gone on with
)
KMeansIndex = FlatKMeans | HierarchicalKMeans


@dataclass(frozen=True, slots=True, eq=False)
class PartsTree:
    """What was built: the finest level in files, the coarser ones, coarsest first, in memory."""

    manifest: Manifest
    lift: Lift
    finest: PartsClustering
    coarser: tuple[Clustering, ...]

    def labels_of(self, ids: Ids) -> Ids:
        """(s,) the finest clusters of the rows `ids`, each below n."""
        firsts = np.array([part.first for part in self.manifest.parts])
        owners = np.searchsorted(firsts, ids, side="right") - 1
        labels = np.empty(len(ids), np.int64)
        for at in np.unique(owners):
            mine = owners == at
            labels[mine] = self.finest.labels(int(at))[ids[mine] - firsts[at]]
        return labels

    def tree(self) -> KMeansTree:
        """The whole structure, with a label for each row in memory."""
        labels = np.concatenate([self.finest.labels(at) for at in range(len(self.manifest.parts))])
        fit = self.finest
        finest = Clustering(fit.centroids, labels, fit.rounds, fit.converged)
        return tree_of(self.lift, [*self.coarser, finest])

    def tree_of_rows(self, ids: Ids) -> KMeansTree:
        """As `tree`, knowing the rows `ids` alone, by their place in it; sizes are of all rows.

        So a curve is measured that asks only where those are.
        """
        starts = np.concatenate([[0], np.cumsum(self.finest.counts)])
        members = np.empty(0, np.int64)
        finest = Level(self.finest.centroids, self.labels_of(ids), starts, members)
        coarser = tree_of(self.lift, self.coarser).levels
        return KMeansTree(self.lift, (*coarser, finest), ())


def run_folder(manifest: Manifest, index: Index, seed: int) -> Path:
    """Where the files of a build go: named by the vectors, all build parameters and the seed."""
    what = f"{ALGORITHM} {manifest.key} {index.structure_key()} {seed}"
    key = blake2b(what.encode(), digest_size=12).hexdigest()
    return manifest.path.parent / f"run-{key}"


def lift_of(
    index: KMeansIndex, manifest: Manifest, engine: Engine, progress: Progress = silent
) -> Lift:
    """The reduction fitted to all rows, in a pass that checks every part too. Raises DataError."""
    tasks = [(str(manifest.path), manifest.key, at) for at in range(len(manifest.parts))]
    longest = engine.reduce(measured, tasks, max, f"measured-{manifest.key}", progress)
    if longest == 0:
        raise DataError(f"{manifest.path.name}: all rows are zero.", "There is nothing to rank.")
    return Lift(index.reduction, index.reduction.longest / longest)


def is_kmeans(index: Index) -> TypeGuard[KMeansIndex]:
    """Whether it can be built on parts."""
    return isinstance(index, KMeansIndex)


def build_on_parts(
    index: Index, manifest: Manifest, seed: int, engine: Engine, progress: Progress = silent
) -> PartsTree:
    """`index` built with `seed` on the vectors of a manifest; goes on with what a stopped one left.

    Raises ParamError for an index that is not flat or hierarchical k-means, or with a grouped fit,
    DataError for parts that are not as they were written, Cancelled from `progress`.
    """
    if not is_kmeans(index):
        raise ParamError(
            f"{index.label} cannot be built on parts.",
            "Use flat-kmeans or hierarchical-kmeans, or a sample in one file.",
        )
    if index.explicit(manifest.n).fit == "grouped":
        why = "" if index.fit == "grouped" else ", as fit=all is of so many items and clusters,"
        raise ParamError(
            f"A grouped fit{why} cannot be built on parts.", "Set fit to growing or exact."
        )
    folder = run_folder(manifest, index, seed)
    lift = lift_of(index, manifest, engine, span(progress, 0.0, 0.02))
    source = LiftedParts(str(manifest.path), manifest.key, lift)
    sizes = (
        index.level_sizes(manifest.n)
        if isinstance(index, HierarchicalKMeans)
        else (index.clusters(manifest.n),)
    )
    report = span(progress, 0.02, 0.95)
    if index.fit == "growing":
        finest = _growing(index, source, engine, folder, seed, sizes[-1], report)
    else:
        start = start_on_parts(index.start, source, engine, seed, sizes[-1], report)
        fit = PartsFit(source, engine, folder / "all", seed, start, report)
        fit.run(index.empty, index.max_rounds, report)
        finest = fit.clustering()
    coarser: list[Clustering] = []
    rows, rng = finest.centroids, rng_for(seed)
    for depth, k in enumerate(reversed(sizes[:-1]), 1):
        part = span(progress, 0.95, 1.0)
        coarser.insert(0, cluster_rows(index, rows, k, stream(rng, "kmeans", depth), part))
        rows = coarser[0].centroids
    progress(1.0, "built")
    return PartsTree(manifest, lift, finest, tuple(coarser))


def _growing(
    index: KMeansIndex,
    source: LiftedParts,
    engine: Engine,
    folder: Path,
    seed: int,
    k: int,
    progress: Progress,
) -> PartsClustering:
    """As `growing_kmeans`: on samples along GROWTH, each a manifest of its own, then on all."""
    n = source.manifest().n
    stages = [(min(k * rows, n), min(most, index.max_rounds)) for rows, most in GROWTH] + [(n, 1)]
    ends = np.cumsum([size * most for size, most in stages])
    rounds: list[Round] = []
    total = sum(most for _, most in stages)
    first = None
    for number, ((size, most), end) in enumerate(zip(stages, ends, strict=True)):
        part = span(progress, (end - size * most) / ends[-1], end / ends[-1])
        rows = source if size == n else _sample(source, engine, folder, seed, size, part)
        if first is None:
            first = start_on_parts(index.start, rows, engine, seed, k, part)
        fit = PartsFit(rows, engine, folder / f"stage-{number}", seed, first, part)
        fit.run(index.empty, most, with_earlier(rounds, total, part))
        rounds += fit.rounds
        fit.update(index.empty)
        first = fit.centroids
    return replace(fit.clustering(), rounds=tuple(rounds))


def _sample(
    source: LiftedParts, engine: Engine, folder: Path, seed: int, size: int, progress: Progress
) -> LiftedParts:
    """So many rows as parts of their own; each sample holds the smaller ones."""
    out = folder / f"sample-{size}"
    manifest = source.manifest()
    key = blake2b(f"{source.key} {seed} {size}".encode(), digest_size=16).hexdigest()
    if not (out / NAME).exists():
        out.mkdir(parents=True, exist_ok=True)
        rng = stream(rng_for(seed, "kmeans", 0), "sample")
        write_array(out / "ids.npy", smallest_hashes(rng, manifest.n, size))
        tasks = [(source, at, str(out / "ids.npy"), str(out)) for at in range(len(manifest.parts))]
        parts: list[VectorPart] = engine.reduce(
            sampled, tasks, _both, f"sample-{key}", lambda f, m, p=None: progress(0.0, m)
        )
        ordered = tuple(sorted(parts, key=lambda one: one.first))
        path = out / NAME
        Manifest(path, size, manifest.d, manifest.dtype, key, ordered).write()
    return LiftedParts(str(out / NAME), key, source.lift)


def _both(one: list[VectorPart], other: list[VectorPart]) -> list[VectorPart]:
    return one + other
