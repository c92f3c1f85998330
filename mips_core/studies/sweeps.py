"""Many settings tried on vectors in parts: a task each, where the vectors fit a worker.

A task builds and asks one structure as one process does, with any method. What would not fit a
worker is built by all of them, one after the other, which k-means can.
"""

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from time import monotonic
from typing import Any, BinaryIO

import numpy as np

from mips_core.base.byte_size import byte_size
from mips_core.base.errors import Cancelled, DataError
from mips_core.base.progress import Progress, silent, span
from mips_core.data.dataset import Dataset
from mips_core.evaluation.builder import Builder, Tried
from mips_core.evaluation.truth import Truth
from mips_core.methods.indexes import INDEXES, Index
from mips_core.scale.build_on_parts import build_on_parts, can_be_built, is_kmeans
from mips_core.scale.engine import Engine
from mips_core.scale.manifest import Manifest, manifest_of
from mips_core.scale.parts_curve import evaluate_on_parts
from mips_core.scale.shared_file import shared_file
from mips_core.serving.faiss_export import runs_in_faiss
from mips_core.studies.noise import NoisyQueries
from mips_core.studies.robustness import RobustMethod, robustness
from mips_core.studies.tuning import Budget, Need, Tuned, Within, further
from mips_core.studies.tuning.run import answer
from mips_core.studies.worker_room import WorkerRoom

LOOK_SECONDS = 1.0  # from one look of a task at whether it is still wanted to the next
OF_TRUTH = ("queries", "ids", "scores", "origins")  # its arrays, in their order
TO_TRY = 0.7  # share of the time that the settings named take, about; the rest those near the best


def tune_on_parts(
    manifest: Manifest,
    indexes: Sequence[Index],
    truth: Truth,
    K: int,
    goal: Need | Budget,
    engine: Engine,
    seed: int = 0,
    progress: Progress = silent,
    *,
    known: Sequence[Tried] = (),
    untried: Sequence[Index] = (),
    refine: bool = True,
    faiss: bool = False,
    room: WorkerRoom | None = None,
) -> Tuned | Within:
    """As `tune`: settings of one structure share it. Raises as it does and as `sweep`.

    known: what `sweep` tried of other settings, with the same truth, K and seed. untried: settings
    that `room` does not take; these, and such near the best, are told as left out.
    """
    room = room or WorkerRoom.of(engine, manifest, truth.m)
    begin = TO_TRY if indexes else 0.0
    first = span(progress, 0.0, begin)
    tried = [*known, *sweep(manifest, indexes, truth, K, engine, seed, first, room)]
    every = [*(one.evaluation.index for one in tried), *untried]
    if refine:
        near = further(tried, K, goal, manifest.n, manifest.d)
        near = [index for index in near if not faiss or runs_in_faiss(index)]
        every += near
        able = list(filter(room.takes, near))
        tried += sweep(manifest, able, truth, K, engine, seed, span(progress, begin, 1.0), room)
    every = list(dict.fromkeys(index.explicit(manifest.n) for index in every))
    return replace(answer(tried, K, goal), left_out=tuple(room.left_out(every)))


def grid_on_parts(keys: Sequence[str], manifest: Manifest) -> list[Index]:
    """The grids of these methods; grouped fits, which parts have not, are growing ones."""
    n, d = manifest.n, manifest.d
    every = (index for key in keys for index in INDEXES[key].grid(n, d))
    grown = (
        replace(index, fit="growing") if is_kmeans(index) and not can_be_built(index, n) else index
        for index in every
    )
    return list(dict.fromkeys(grown))


def sweep(
    manifest: Manifest,
    indexes: Sequence[Index],
    truth: Truth,
    K: int,
    engine: Engine,
    seed: int = 0,
    progress: Progress = silent,
    room: WorkerRoom | None = None,
) -> list[Tried]:
    """Each of `indexes` built with `seed` and asked at every effort, in the order given.

    Partial results are tuples of what is done. Raises ParamError, before anything is built, for a
    method that neither fits a worker nor can be built on parts.
    """
    if not indexes:
        return []
    room = room or WorkerRoom.of(engine, manifest, truth.m)
    room.check(indexes)
    groups: dict[Any, list[int]] = {}
    for at, index in enumerate(indexes):
        groups.setdefault(index.structure_key(), []).append(at)
    small = [group for group in groups.values() if room.fits(indexes[group[0]])]
    tried: dict[int, Tried] = {}

    def done(group: Sequence[int], results: Sequence[Tried]) -> None:
        tried.update(zip(group, results, strict=True))
        told = tuple(tried[at] for at in sorted(tried))
        progress(len(tried) / len(indexes), f"{len(tried):,} of {len(indexes):,} tried", told)

    def waiting(fraction: float, message: str, partial: object = None) -> None:
        progress(len(tried) / max(len(indexes), 1), message)

    with shared_file(manifest.path.parent, "truth", lambda file: _write(file, truth)) as path:
        what = (str(manifest.path), manifest.key, str(path))
        tasks = [(*what, tuple(indexes[at] for at in group), K, seed) for group in small]
        key = f"sweep-{manifest.path}-{path.name}-{seed}"
        with room.told():
            for number, results in engine.run(tried_whole, tasks, key, waiting) if tasks else ():
                done(small[number], [_with_truth(one, truth) for one in results])
    for group in groups.values():
        if group[0] not in tried:
            together = [indexes[at] for at in group]
            done(group, _tried_on_parts(manifest, together, truth, engine, seed, waiting))
    return [tried[at] for at in range(len(indexes))]


def noise_on_parts(
    manifest: Manifest,
    noisy: NoisyQueries,
    indexes: Sequence[Index],
    K: int,
    speedup: float,
    engine: Engine,
    seeds: Sequence[int] = (0,),
    progress: Progress = silent,
) -> list[RobustMethod]:
    """As `robustness`, each method a task. Raises DataError where the vectors fit no worker."""
    methods: dict[str, list[Index]] = {}
    for index in indexes:
        methods.setdefault(index.key, []).append(index)
    room = WorkerRoom.of(engine, manifest, noisy.m * len(noisy.sigmas))
    if not all(map(room.fits, indexes)):
        raise DataError(
            f"{manifest.path.parent.name} does not fit a worker, and noise is studied in one.",
            "Give the workers more memory, or take a sample in one file.",
        )

    def write(file: BinaryIO) -> None:
        _write(file, noisy.clean, noisy_queries=noisy.queries, noisy_ids=noisy.ids)

    with shared_file(manifest.path.parent, "noise", write) as path:
        what = (str(manifest.path), manifest.key, str(path))
        how = (noisy.sigmas, noisy.unit, noisy.rms, K, speedup, tuple(seeds))
        tasks = [(*what, tuple(tried), *how) for tried in methods.values()]
        key = f"noise-{manifest.path}-{path.name}"
        with room.told():
            done = dict(engine.run(robust_whole, tasks, key, progress))
    return [done[at] for at in range(len(tasks))]


def whole(path: str, key: str) -> Dataset:
    """All rows of a manifest, in memory. Raises DataError where they are not those of `key`."""
    manifest = manifest_of(path, key)
    return Dataset(manifest.take(np.arange(manifest.n)), name=manifest.path.parent.name)


def tried_whole(
    path: str, key: str, truth: str, indexes: Sequence[Index], K: int, seed: int
) -> list[Tried]:
    """`indexes`, of one structure, built and asked on all rows; without the truth in a file."""
    with np.load(truth, allow_pickle=False) as held:
        builder = Builder(whole(path, key).items, _read(held), K)
    nothing = Truth(*(np.empty((0, 0)),) * 4, 0, 0, 0)  # type: ignore[arg-type]
    wanted = _while_there(truth)
    return [_with_truth(builder.tried(index, seed, wanted), nothing) for index in indexes]


def robust_whole(
    path: str,
    key: str,
    noise: str,
    indexes: Sequence[Index],
    sigmas: tuple[float, ...],
    unit: Any,
    rms: float,
    K: int,
    speedup: float,
    seeds: Sequence[int],
) -> RobustMethod:
    """One method among settings `indexes`, on all rows, for the noisy queries in a file."""
    with np.load(noise, allow_pickle=False) as held:
        queries, ids = held["noisy_queries"], held["noisy_ids"]
        noisy = NoisyQueries(sigmas, unit, rms, queries, ids, _read(held), None)
    rows, wanted = whole(path, key), _while_there(noise)
    (method,) = robustness(rows, noisy, indexes, K, speedup, seeds, wanted)
    return method


def _while_there(path: str) -> Progress:
    """Ends the work of a task once the file it has read is gone: so is who waits for it."""
    looked = monotonic()

    def look(fraction: float, message: str, partial: object = None) -> None:
        nonlocal looked
        if monotonic() - looked > LOOK_SECONDS:
            looked = monotonic()
            if not Path(path).exists():
                raise Cancelled

    return look


def _tried_on_parts(
    manifest: Manifest,
    indexes: Sequence[Index],
    truth: Truth,
    engine: Engine,
    seed: int,
    progress: Progress,
) -> list[Tried]:
    """Indexes of one structure, which all workers build together."""
    built = build_on_parts(indexes[0], manifest, seed, engine, progress)
    size = byte_size((built.finest, built.coarser)) + 8 * manifest.n
    evaluations = [evaluate_on_parts(index, built, truth, seed) for index in indexes]
    return [Tried(evaluation, built.seconds, size) for evaluation in evaluations]


def _with_truth(tried: Tried, truth: Truth) -> Tried:
    return replace(tried, evaluation=replace(tried.evaluation, truth=truth))


def _write(file: BinaryIO, truth: Truth, **arrays: np.ndarray) -> None:
    sizes = np.array([truth.n, truth.available, truth.dropped])
    own = {name: getattr(truth, name) for name in OF_TRUTH}
    np.savez(file, sizes=sizes, **own, **arrays)  # type: ignore[arg-type]


def _read(held: Any) -> Truth:
    """What `_write` wrote."""
    return Truth(*(held[name] for name in OF_TRUTH), *map(int, held["sizes"]))
