"""Data that lie in parts on this machine: k-means and true answers on the cluster chosen at start.

The same bits as without one. A manifest is found beside its parts in the folder that was named at
start; what a visitor uploads is never one. What works on parts is imported where there are some: a
first curve waits for none of it.
"""

import os
from collections.abc import Sequence
from contextlib import closing
from typing import TYPE_CHECKING

from mips_core import Dataset, Index
from mips_core.base import limits
from mips_core.base.progress import Progress
from mips_core.evaluation.builder import Built
from mips_core.evaluation.truth import Truth
from mips_core.scale.scheduler_address import VARIABLE
from pages._ui.work.data_files import File

if TYPE_CHECKING:
    from mips_core.data.open_files import Opened
    from mips_core.scale.manifest import Manifest

MOST = 64  # manifests remembered
_MANIFESTS: "dict[str, Manifest]" = {}  # by the fingerprint of the vectors opened


def opened_parts(files: Sequence[File], progress: Progress) -> "Opened | None":
    """The data set of a manifest; None where `files` are no single one that all visitors may read.

    Raises DataError where it is not sound.
    """
    from mips_core.data.open_files import Opened
    from mips_core.scale.manifest import read_manifest
    from mips_core.scale.parts_dataset import is_manifest, parts_dataset

    if len(files) != 1 or files[0].private or not is_manifest(files[0].path()):
        return None
    manifest = read_manifest(files[0].path())
    dataset = parts_dataset(manifest, limits.MAX_FILE_BYTES, progress)
    _MANIFESTS[dataset.fingerprint] = manifest
    for old in list(_MANIFESTS)[:-MOST]:
        _MANIFESTS.pop(old, None)
    return Opened(dataset, stored=manifest.dtype, sure=True)


def on_cluster(dataset: Dataset) -> bool:
    """Whether its vectors lie in parts, all of them, and a cluster was chosen."""
    manifest = _MANIFESTS.get(dataset.fingerprint)
    return bool(os.environ.get(VARIABLE)) and manifest is not None and manifest.n == dataset.n


def sampled_of(dataset: Dataset) -> "Manifest | None":
    """The parts that its items, searched by inner product, are a sample of; None for others."""
    manifest = _MANIFESTS.get(dataset.fingerprint)
    if manifest is None or dataset.rows is None or dataset.n == manifest.n:
        return None
    return manifest


def truth_there(dataset: Dataset, progress: Progress) -> Truth:
    """As `truth_of`, by the cluster."""
    from mips_core.scale.dask_engine import Dask
    from mips_core.scale.parts_curve import truth_on_parts

    manifest = _MANIFESTS[dataset.fingerprint]
    with closing(Dask(os.environ[VARIABLE])) as engine:
        return truth_on_parts(manifest, dataset.queries, engine, progress, dataset.query_rows)


def built_there(dataset: Dataset, index: Index, seed: int, progress: Progress) -> Built | None:
    """As `builder.built`, by the cluster; None for an index that is built here alone.

    What it leaves beside the parts stays there: another may have made it, or be reading it.
    """
    from mips_core.scale.build_on_parts import build_on_parts, can_be_built
    from mips_core.scale.dask_engine import Dask

    manifest = _MANIFESTS[dataset.fingerprint]
    if not can_be_built(index, manifest.n):
        return None
    with closing(Dask(os.environ[VARIABLE])) as engine:
        tree = build_on_parts(index, manifest, seed, engine, progress)
    return Built(seed, tree.tree(), tree.seconds)
