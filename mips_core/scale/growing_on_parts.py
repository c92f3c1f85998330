"""Growing fits of vectors in parts: on samples, each a manifest of its own, then on all."""

from dataclasses import replace
from hashlib import blake2b
from operator import add
from pathlib import Path

import numpy as np

from mips_core.base.progress import Progress, span
from mips_core.base.seeds import rng_for, stream
from mips_core.methods.clustering.growing import GROWTH, with_earlier
from mips_core.methods.clustering.rounds import Round
from mips_core.methods.kmeans.flat import FlatKMeans
from mips_core.methods.kmeans.hierarchical import HierarchicalKMeans
from mips_core.scale.checkpoints import BuildClock
from mips_core.scale.engine import Engine
from mips_core.scale.manifest import NAME, Manifest, VectorPart
from mips_core.scale.part_work import LiftedParts, sampled, write_array
from mips_core.scale.parts_fit import PartsClustering, PartsFit, smallest_hashes, start_on_parts
from mips_core.scale.shared_file import make_folder


def growing_on_parts(
    index: FlatKMeans | HierarchicalKMeans,
    source: LiftedParts,
    engine: Engine,
    folder: Path,
    seed: int,
    k: int,
    clock: BuildClock,
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
        rows = source if size == n else sample_on_parts(source, engine, folder, seed, size, part)
        if first is None:
            first = start_on_parts(index.start, rows, engine, seed, k, part)
        fit = PartsFit(rows, engine, folder / f"stage-{number}", seed, first, clock, part)
        fit.run(index.empty, most, with_earlier(rounds, total, part))
        rounds += fit.rounds
        fit.update(index.empty)
        first = fit.centroids
    return replace(fit.clustering(), rounds=tuple(rounds))


def sample_on_parts(
    source: LiftedParts, engine: Engine, folder: Path, seed: int, size: int, progress: Progress
) -> LiftedParts:
    """So many rows as parts of their own; each sample holds the smaller ones."""
    out = folder / f"sample-{size}"
    manifest = source.manifest()
    key = blake2b(f"{source.key} {seed} {size}".encode(), digest_size=16).hexdigest()
    if not (out / NAME).exists():
        make_folder(out)
        rng = stream(rng_for(seed, "kmeans", 0), "sample")
        write_array(out / "ids.npy", smallest_hashes(rng, manifest.n, size))
        tasks = [(source, at, str(out / "ids.npy"), str(out)) for at in range(len(manifest.parts))]
        parts: list[VectorPart] = engine.reduce(
            sampled, tasks, add, f"sample-{out}-{key}", lambda f, m, p=None: progress(0.0, m)
        )
        ordered = tuple(sorted(parts, key=lambda one: one.first))
        path = out / NAME
        Manifest(path, size, manifest.d, manifest.dtype, key, ordered).write()
    return LiftedParts(str(out / NAME), key, source.lift)
