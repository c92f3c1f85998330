"""What is done to one part: functions of names of files and small values, on whatever machine.

Each leaves the same bytes however often, wherever and beside whatever it runs.
"""

from dataclasses import dataclass
from hashlib import file_digest
from pathlib import Path

import numpy as np

from mips_core.base.arrays import Floats, Ids, Matrix
from mips_core.base.atomic_write import replacing
from mips_core.base.errors import DataError
from mips_core.base.kernels import order_of
from mips_core.base.seeds import rng_for, row_hashes
from mips_core.methods.clustering.cluster_sums import ClusterSums
from mips_core.methods.clustering.nearest import BLOCK, assign_tiles
from mips_core.methods.clustering.rounds import own_cosines
from mips_core.methods.reductions import Lift, LiftedRows, lengths_of
from mips_core.scale.manifest import Manifest, VectorPart, manifest_of

Sums = tuple[Ids, Ids, int]  # totals (k, d') int64 fixed point, counts (k,), rows that moved
Worst = tuple[Floats, Ids]  # cosines and numbers of rows, the worst first


@dataclass(frozen=True, slots=True)
class LiftedParts:
    """The vectors of the manifest at a path, which are those of `key`, as a lift makes them."""

    path: str
    key: str
    lift: Lift

    def manifest(self) -> Manifest:
        """Raises DataError where other vectors took their place."""
        return manifest_of(self.path, self.key)

    def rows(self, at: int) -> LiftedRows:
        """Those of part `at`, made where they are looked at."""
        return self.lift.rows(self.manifest().blocks(at))


@dataclass(frozen=True, slots=True)
class LabelsBefore:
    """Where the labels before a pass are: in files of an earlier one, or drawn, k for all rows.

    `folder` "" and k 0: there are none yet.
    """

    folder: str = ""
    number: int = 0
    seed: int = 0
    k: int = 0

    def of(self, at: int, part: VectorPart) -> Ids:
        """(count,) of part `at`; -1 where there are none."""
        if self.folder:
            return read_labels(Path(self.folder), self.number, at)
        if self.k:
            return drawn_labels(self.seed, part.first, part.first + part.count, self.k)
        return np.full(part.count, -1, np.int64)


def drawn_labels(seed: int, first: int, stop: int, k: int) -> Ids:
    """(stop - first,) what `start_labels` draws for these rows of a finest level."""
    hashes = row_hashes(rng_for(seed, "kmeans", 0), stop, first)
    return (hashes % np.uint64(k)).astype(np.int64)


def labels_path(folder: Path, number: int, at: int) -> Path:
    """The file of the labels of part `at` after pass `number`."""
    return folder / f"labels-{number:04}-{at:05}.npy"


def read_labels(folder: Path, number: int, at: int) -> Ids:
    """(count,) the labels of part `at` after pass `number`. Raises DataError."""
    path = labels_path(folder, number, at)
    try:
        return np.load(path, allow_pickle=False).astype(np.int64)
    except (OSError, ValueError, EOFError) as error:
        raise DataError(f"{path.name} cannot be read: {error}.", "Remove its folder.") from None


def measured(path: str, key: str, at: int) -> float:
    """The length of the longest row of part `at`, whose SHA-256 is checked. Raises DataError."""
    manifest = manifest_of(path, key)
    manifest.check_part(at)
    return float(lengths_of(manifest.blocks(at)).max())


def zero_rows(source: LiftedParts, at: int) -> Ids:
    """The numbers of the lifted rows of part `at` that are zero, ascending."""
    part = source.manifest().parts[at]
    return np.flatnonzero(lengths_of(source.rows(at)) == 0) + part.first


def start_sums(source: LiftedParts, at: int, seed: int, k: int) -> Sums:
    """Sums of the rows of part `at` in the k clusters drawn for them."""
    rows, part = source.rows(at), source.manifest().parts[at]
    labels = drawn_labels(seed, part.first, part.first + part.count, k)
    sums = ClusterSums(k, rows.shape[1])
    for first in range(0, len(rows), BLOCK):
        block = rows[first : first + BLOCK]
        sums.move(block, np.full(len(block), -1), labels[first : first + BLOCK])
    return sums.totals, sums.counts, 0


def one_pass(source: LiftedParts, at: int, folder: str, number: int, before: LabelsBefore) -> Sums:
    """Put the rows of part `at` to their nearest centroid of pass `number`; write their labels."""
    rows, part = source.rows(at), source.manifest().parts[at]
    centroids, renumbered = read_pass(Path(folder), number)
    old = before.of(at, part)
    old = np.where(old < 0, -1, renumbered[old]) if len(renumbered) else old
    labels = np.empty(len(rows), np.int64)
    sums = ClusterSums(*centroids.shape)

    def take(first: int, tile: Matrix, nearest: Ids) -> None:
        sums.move(tile, np.full(len(tile), -1), nearest)
        labels[first : first + len(tile)] = nearest

    assign_tiles(rows, centroids, lengths_of(rows).astype(np.float32), take)
    if pass_path(Path(folder), number).exists():  # else others did it, and the pass is long over
        write_array(labels_path(Path(folder), number, at), labels.astype(np.int32))
    return sums.totals, sums.counts, int((labels != old).sum())


def worst_rows(
    source: LiftedParts, at: int, folder: str, number: int, before: LabelsBefore, count: int
) -> Worst:
    """The `count` rows of part `at` that have the smallest cosine to their own centroid."""
    rows, part = source.rows(at), source.manifest().parts[at]
    centroids, renumbered = read_pass(Path(folder), number)
    labels, norms = renumbered[before.of(at, part)], lengths_of(rows).astype(np.float32)
    cosines = np.empty(len(rows))
    for first in range(0, len(rows), BLOCK):
        block = slice(first, first + BLOCK)
        cosines[block] = own_cosines(rows[block], labels[block], centroids, norms[block])
    worst = order_of(-cosines, np.arange(len(rows)))[:count]
    return cosines[worst], worst + part.first


def sampled(source: LiftedParts, at: int, ids: str, out: str) -> list[VectorPart]:
    """Write the rows of part `at` among the ascending numbers in a file; none where it has none."""
    manifest = source.manifest()
    part = manifest.parts[at]
    numbers = np.load(ids, mmap_mode="r", allow_pickle=False)
    begin, end = np.searchsorted(numbers, (part.first, part.first + part.count))
    if begin == end:
        return []
    path = Path(out) / f"part-{at:05}.npy"
    write_array(path, manifest.rows(at)[numbers[begin:end] - part.first])
    with path.open("rb") as written:
        digest = file_digest(written, "sha256").hexdigest()
    return [VectorPart(path.name, int(begin), int(end - begin), digest)]


def added(one: Sums, other: Sums) -> Sums:
    """Sums of both: of whole numbers, so in any order."""
    return one[0] + other[0], one[1] + other[1], one[2] + other[2]


def worst_of(one: Worst, other: Worst) -> Worst:
    """Both, the worst first."""
    cosines, ids = (np.concatenate(pair) for pair in zip(one, other, strict=True))
    order = order_of(-cosines, ids)
    return cosines[order], ids[order]


def pass_path(folder: Path, number: int) -> Path:
    """The file of the centroids that pass `number` takes rows to."""
    return folder / f"centroids-{number:04}.npz"


def read_pass(folder: Path, number: int) -> tuple[Matrix, Ids]:
    """Centroids (k, d') of a pass, and what became of the numbers of clusters before it (k',)."""
    with np.load(pass_path(folder, number), allow_pickle=False) as stored:
        return stored["centroids"], stored["renumbered"]


def write_array(path: Path, values: np.ndarray) -> None:
    """`values` as .npy, whole or not at all."""
    with replacing(path) as file:
        np.lib.format.write_array(file, values, allow_pickle=False)
