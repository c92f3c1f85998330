"""What a build on parts leaves once it is finished: its clusters and the labels of every row.

run-<key>/finished.npz            centroids, counts, rounds, seconds, and where the labels are
run-<key>/<stage>/labels-...npy   of the last pass: 4 bytes a row
"""

import re
from collections.abc import Sequence
from contextlib import suppress
from hashlib import blake2b
from pathlib import Path
from shutil import rmtree
from zipfile import BadZipFile

import numpy as np

from mips_core.base.atomic_write import remove_left_over, replacing
from mips_core.methods.indexes import Index
from mips_core.scale.checkpoints import as_rounds, from_rounds, seconds_of
from mips_core.scale.manifest import Manifest
from mips_core.scale.part_work import labels_path
from mips_core.scale.parts_fit import PartsClustering

NAME = "finished.npz"
STAGE = re.compile(r"all|stage-\d{1,3}")
RUN = re.compile(r"run-[0-9a-f]{24}")
ALGORITHM = (
    1  # raised where the same parameters give other bits: old runs are then not gone on with
)


def run_folder(manifest: Manifest, index: Index, seed: int) -> Path:
    """Where a build's files go: named by the vectors, their cut, all parameters and the seed.

    The cut, as labels are of parts: others may lie there after the same vectors were cut anew.
    """
    cut = [part.count for part in manifest.parts]
    what = f"{ALGORITHM} {manifest.key} {cut} {index.structure_key()} {seed}"
    key = blake2b(what.encode(), digest_size=12).hexdigest()
    return manifest.path.parent / f"run-{key}"


def write_finished(folder: Path, scale: float, fit: PartsClustering, n_parts: int) -> None:
    """Keep `fit`, of rows that were scaled so, in the folder of its run; all else there goes."""
    with replacing(folder / NAME) as file:
        np.savez(
            file,
            scale=scale,
            centroids=fit.centroids,
            counts=fit.counts,
            rounds=from_rounds(fit.rounds),
            converged=fit.converged,
            renumbered=fit.renumbered,
            number=fit.number,
            stage=fit.folder.name,
            seconds=fit.seconds,
        )
    labels = {labels_path(fit.folder, fit.number, at) for at in range(n_parts)}
    for stage in folder.iterdir():
        if stage.is_dir() and stage != fit.folder:
            rmtree(stage, ignore_errors=True)
    for path in set(fit.folder.iterdir()) - labels:
        with suppress(OSError):
            path.unlink()


def read_finished(folder: Path, parts: Sequence[int] = ()) -> tuple[float, PartsClustering] | None:
    """The scale of the rows and what was found; None unless it is there, with labels of `parts`."""
    with (
        suppress(OSError, ValueError, KeyError, BadZipFile),
        np.load(folder / NAME, allow_pickle=False) as held,
    ):
        stage, number = str(held["stage"]), int(held["number"])
        if STAGE.fullmatch(stage) and all(
            labels_path(folder / stage, number, at).is_file() for at in parts
        ):
            return float(held["scale"]), PartsClustering(
                held["centroids"],
                held["counts"],
                as_rounds(held["rounds"]),
                bool(held["converged"]),
                folder / stage,
                number,
                held["renumbered"],
                seconds_of(held),
            )
    return None


def remove_runs(folder: Path) -> int:
    """Remove all that builds left beside the parts in `folder`; how many builds there were."""
    runs = [path for path in folder.iterdir() if path.is_dir() and RUN.fullmatch(path.name)]
    for path in runs:
        rmtree(path, ignore_errors=True)
    remove_left_over(folder)
    return len(runs)
