"""Where data are a sample of vectors in parts: work on all of them, part by part.

By the cluster chosen at start, or the threads of this process: what the commands on parts do, with
the same bits. What k-means leaves beside the parts stays there.
"""

import os
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from mips_core import Dataset, Evaluation, Index, MipsError
from mips_core.base.progress import Progress, span
from mips_core.evaluation.truth import Truth
from mips_core.scale.scheduler_address import VARIABLE
from pages._ui.work.task import once

if TYPE_CHECKING:
    from mips_core.scale.engine import Engine
    from mips_core.scale.manifest import Manifest
    from mips_core.studies.tuning import Budget, Need, Tuned, Within

BUILDING = 0.9  # share of the time that a build takes, about; the rest true answers


@dataclass(frozen=True, eq=False)
class BuiltOnAll:
    """A build that is finished, in files of `folder`; its finest level, and its seconds of work.

    `efforts`, ascending, are how hard it can be searched; `was_there`: it was finished before, and
    only looked for. The seconds are inf where that is not known.
    """

    folder: Path
    clusters: int
    rounds: int
    efforts: Sequence[int]
    seconds: float
    was_there: bool


def worker_words() -> str:
    """Who does it."""
    return "the cluster" if os.environ.get(VARIABLE) else "threads of this machine"


def why_not_on_all(index: Index, manifest: "Manifest") -> str:
    """Why `index` cannot be built on all parts; "" where it can."""
    from mips_core.scale.build_on_parts import buildable

    try:
        buildable(index, manifest.n)
    except MipsError as error:
        return str(error)
    return ""


def is_there(index: Index, manifest: "Manifest", seed: int) -> bool:
    """Whether a build of `index` on all parts is finished, and was not removed."""
    from mips_core.scale.finished import NAME, run_folder

    return (run_folder(manifest, index, seed) / NAME).is_file()


def built_on_all(manifest: "Manifest", index: Index, seed: int, progress: Progress) -> BuiltOnAll:
    """`index` on all vectors.

    Raises ParamError for one that cannot be built on parts, DataError for parts that are not as
    they were written, a folder that cannot be written, and a cluster that is gone.
    """
    from mips_core.scale.build_on_parts import build_on_parts

    was_there = is_there(index, manifest, seed)
    with _engine() as engine:
        built = build_on_parts(index, manifest, seed, engine, progress)
    efforts = index.searcher(built.tree_of_rows(np.empty(0, np.int64))).efforts()
    folder, clusters = built.finest.folder.parent, len(built.finest.centroids)
    rounds = len(built.finest.rounds)
    return BuiltOnAll(folder, clusters, rounds, efforts, built.seconds, was_there)


def measured_on_all(
    dataset: Dataset, manifest: "Manifest", index: Index, seed: int, progress: Progress
) -> Evaluation:
    """`index` on all vectors of which `dataset` has a sample, asked the same queries.

    Raises as `built_on_all`.
    """
    from mips_core.scale.build_on_parts import build_on_parts
    from mips_core.scale.parts_curve import evaluate_on_parts

    with _engine() as engine:
        build = span(progress, 0.0, BUILDING)
        built = build_on_parts(index, manifest, seed, engine, build)
        truth = _truth(dataset, manifest, engine, span(progress, BUILDING, 1.0))
        return evaluate_on_parts(index, built, truth, seed)


def tuned_on_all(
    dataset: Dataset,
    manifest: "Manifest",
    indexes: Sequence[Index],
    K: int,
    goal: "Need | Budget",
    seed: int,
    progress: Progress,
    *,
    faiss: bool = False,
) -> "Tuned | Within":
    """`indexes` and settings near the best on all vectors, asked the queries of `dataset`.

    What was tried of `indexes` is remembered for another goal. What neither fits a worker nor can
    be built on parts is left out, and told; where that is all, and else too, raises as
    `built_on_all`.
    """
    from mips_core.studies.sweeps import sweep, tune_on_parts
    from mips_core.studies.worker_room import WorkerRoom

    rest = span(progress, 1 - BUILDING, 1.0)
    with _engine() as engine:
        truth = _truth(dataset, manifest, engine, span(progress, 0.0, 1 - BUILDING))
        room = WorkerRoom.of(engine, manifest, truth.m)
        able = [index for index in indexes if room.takes(index)] or indexes
        what = ("tried on all parts", manifest.key, dataset.query_fingerprint)
        first = span(rest, 0.0, BUILDING)
        tried = once(
            (*what, K, seed, *able),
            lambda: sweep(manifest, able, truth, K, engine, seed, first, room),
        )
        others = [index for index in indexes if index not in able]
        how = (truth, K, goal, engine, seed, span(rest, BUILDING, 1.0))
        return tune_on_parts(
            manifest, (), *how, known=tried, untried=others, faiss=faiss, room=room
        )


def grid_on_all(keys: Sequence[str], manifest: "Manifest", *, faiss: bool) -> list[Index]:
    """The settings that are tried of these methods; faiss: only what runs there."""
    from mips_core.serving.faiss_export import runs_in_faiss
    from mips_core.studies.sweeps import grid_on_parts

    every = grid_on_parts(keys, manifest)
    return [index for index in every if not faiss or runs_in_faiss(index)]


@contextmanager
def _engine() -> "Iterator[Engine]":
    """The cluster chosen at start, or the threads of this process."""
    from mips_core.scale.dask_engine import Dask
    from mips_core.scale.engine import Local

    address = os.environ.get(VARIABLE)
    engine = Dask(address) if address else Local()
    try:
        yield engine
    finally:
        engine.close()


def _truth(dataset: Dataset, manifest: "Manifest", engine: "Engine", progress: Progress) -> Truth:
    """The true answers among all vectors, remembered."""
    from mips_core.scale.parts_curve import truth_on_parts

    own = dataset.query_rows
    if own is not None:  # rows of the sample
        assert dataset.rows is not None
        own = np.where(own < 0, -1, dataset.rows[own])
    return once(
        ("truth of all parts", manifest.key, dataset.query_fingerprint),
        lambda: truth_on_parts(manifest, dataset.queries, engine, progress, own),
    )
