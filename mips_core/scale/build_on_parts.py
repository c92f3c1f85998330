"""Flat and hierarchical k-means of vectors in parts: the bits that `Index.build` gives on all rows.

The finest level is worked on by an engine. Levels above it cluster its centroids, which fit here.
"""

from dataclasses import dataclass
from typing import TypeGuard

import numpy as np

from mips_core.base.arrays import Ids
from mips_core.base.errors import DataError, ParamError
from mips_core.base.progress import Progress, silent, span
from mips_core.base.seeds import rng_for, stream
from mips_core.base.threads import working_clock
from mips_core.methods.clustering.rounds import Clustering
from mips_core.methods.indexes import Index
from mips_core.methods.kmeans.cluster_tree import KMeansTree, Level, tree_of
from mips_core.methods.kmeans.flat import FlatKMeans
from mips_core.methods.kmeans.hierarchical import HierarchicalKMeans
from mips_core.methods.kmeans.parameters import cluster_rows
from mips_core.methods.reductions import Lift
from mips_core.scale.checkpoints import BuildClock
from mips_core.scale.engine import Engine
from mips_core.scale.finished import read_finished, run_folder, write_finished
from mips_core.scale.growing_on_parts import growing_on_parts
from mips_core.scale.manifest import Manifest, parts_told
from mips_core.scale.part_work import LiftedParts, measured
from mips_core.scale.parts_fit import PartsClustering, PartsFit, start_on_parts
from mips_core.scale.shared_file import alone

KMeansIndex = FlatKMeans | HierarchicalKMeans


@dataclass(frozen=True, slots=True, eq=False)
class PartsTree:
    """What was built: the finest level in files, the coarser ones, coarsest first, in memory.

    seconds: of the work that led here, with that of whoever was stopped, up to the last pass; inf
    where it is not known.
    """

    manifest: Manifest
    lift: Lift
    finest: PartsClustering
    coarser: tuple[Clustering, ...]
    seconds: float

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


def lift_of(
    index: KMeansIndex, manifest: Manifest, engine: Engine, progress: Progress = silent
) -> Lift:
    """The reduction fitted to all rows, in a pass that checks every part too. Raises DataError."""
    tasks = [(str(manifest.path), manifest.key, at) for at in range(len(manifest.parts))]
    longest = engine.reduce(
        measured, tasks, max, f"measured-{manifest.path}-{manifest.key}", progress
    )
    if longest == 0:
        raise DataError(f"{manifest.path.name}: all rows are zero.", "There is nothing to rank.")
    return Lift(index.reduction, index.reduction.longest / longest)


def is_kmeans(index: Index) -> TypeGuard[KMeansIndex]:
    """Whether it is flat or hierarchical k-means."""
    return isinstance(index, KMeansIndex)


def can_be_built(index: Index, n: int) -> bool:
    """Whether `build_on_parts` takes it for n rows."""
    return is_kmeans(index) and index.explicit(n).fit != "grouped"


def build_on_parts(
    index: Index, manifest: Manifest, seed: int, engine: Engine, progress: Progress = silent
) -> PartsTree:
    """`index` built with `seed` on the vectors of a manifest; goes on with what a stopped one left.

    Where another process, or thread, builds the same it waits for that, and goes on should it stop.
    Raises ParamError for an index that is not flat or hierarchical k-means, or with a grouped fit,
    DataError for parts that are not as they were written, Cancelled from `progress`.
    """
    index, clock = buildable(index, manifest.n), BuildClock()
    with parts_told(manifest):
        lift = lift_of(index, manifest, engine, span(progress, 0.0, 0.02))
        finest = _finest(index, manifest, lift, seed, engine, clock, span(progress, 0.02, 0.95))
    built = _with_levels(index, manifest, lift, finest, seed, span(progress, 0.95, 1.0))
    progress(1.0, "built")
    return built


def finished_tree(index: Index, manifest: Manifest, seed: int) -> PartsTree:
    """What `build_on_parts` left when it was finished; no part is looked at, nor are labels.

    Raises ParamError as it does, DataError where it was not finished.
    """
    index = buildable(index, manifest.n)
    held = read_finished(run_folder(manifest, index, seed))
    if held is None:
        raise DataError(
            f"{index.label} of these parameters and seed was not built on these parts.",
            "Build it first: python -m mips_core parts build.",
        )
    scale, finest = held
    return _with_levels(index, manifest, Lift(index.reduction, scale), finest, seed, silent)


def buildable(index: Index, n: int) -> KMeansIndex:
    """Raises ParamError for an index that cannot be built on parts of n rows."""
    if not is_kmeans(index):
        raise ParamError(
            f"{index.label} cannot be built on vectors in parts.",
            "Use flat-kmeans or hierarchical-kmeans, or a sample in one file.",
        )
    if index.explicit(n).fit == "grouped":
        why = "" if index.fit == "grouped" else " (what fit=all becomes for so many items)"
        raise ParamError(
            f"A grouped fit{why} cannot be built on vectors in parts.",
            "Set the parameter fit to growing or exact, on Build or by --set fit=growing.",
        )
    return index


def _level_sizes(index: KMeansIndex, n: int) -> tuple[int, ...]:
    """Clusters of each level, coarse to fine."""
    if isinstance(index, HierarchicalKMeans):
        return index.level_sizes(n)
    return (index.clusters(n),)


def _finest(
    index: KMeansIndex,
    manifest: Manifest,
    lift: Lift,
    seed: int,
    engine: Engine,
    clock: BuildClock,
    progress: Progress,
) -> PartsClustering:
    """The finest level, which is kept; what led to it is removed."""
    folder, parts = run_folder(manifest, index, seed), range(len(manifest.parts))
    source = LiftedParts(str(manifest.path), manifest.key, lift)
    k = _level_sizes(index, manifest.n)[-1]
    checked = clock.seconds
    with alone(folder, lambda message: progress(0.0, message)):
        clock = BuildClock(checked)  # waiting is no work
        held = read_finished(folder, parts)
        if held is None:
            try:
                if index.fit == "growing":
                    finest = growing_on_parts(
                        index, source, engine, folder, seed, k, clock, progress
                    )
                else:
                    start = start_on_parts(index.start, source, engine, seed, k, progress)
                    fit = PartsFit(source, engine, folder / "all", seed, start, clock, progress)
                    fit.run(index.empty, index.max_rounds, progress)
                    finest = fit.clustering()
                write_finished(folder, lift.scale, finest, len(parts))
            except (DataError, OSError):  # where nothing locks, another may have removed files
                held = read_finished(folder, parts)
                if held is None:
                    raise
    return finest if held is None else held[1]


def _with_levels(
    index: KMeansIndex,
    manifest: Manifest,
    lift: Lift,
    finest: PartsClustering,
    seed: int,
    progress: Progress,
) -> PartsTree:
    """The levels above the finest cluster its centroids, here."""
    coarser: list[Clustering] = []
    rows, rng, began = finest.centroids, rng_for(seed), working_clock()
    for depth, k in enumerate(reversed(_level_sizes(index, manifest.n)[:-1]), 1):
        coarser.insert(0, cluster_rows(index, rows, k, stream(rng, "kmeans", depth), progress))
        rows = coarser[0].centroids
    seconds = finest.seconds + working_clock() - began
    return PartsTree(manifest, lift, finest, tuple(coarser), seconds)
