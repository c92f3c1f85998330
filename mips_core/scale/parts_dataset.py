"""A manifest as a data set: all of its vectors where they fit in memory, else a sample of them."""

from pathlib import Path

import numpy as np

from mips_core.base.progress import Progress, silent
from mips_core.base.seeds import rng_for
from mips_core.base.text import counted
from mips_core.data.dataset import Dataset
from mips_core.scale.manifest import FORMAT, NAME, Manifest
from mips_core.scale.parts_fit import smallest_hashes

SAMPLE = 200_000  # rows at most, where not all fit
BLOCK = 2**16  # rows between two words of progress


def is_manifest(path: Path) -> bool:
    """Whether the file is named and begins as manifests do."""
    if path.name != NAME:
        return False
    with path.open("rb") as file:
        return f'"format": "{FORMAT}"'.encode() in file.read(64)


def parts_dataset(manifest: Manifest, most: int, progress: Progress = silent) -> Dataset:
    """The vectors as float32, where they take no more bytes than `most`.

    Else rows that hashes of their numbers choose, with a name and a note that say so; `rows` are
    their numbers. Raises DataError for parts that are not as they were written.
    """
    n, name = manifest.n, manifest.path.parent.name
    fitting = max(most // (4 * manifest.d), 1)
    size = n if n <= fitting else min(fitting, SAMPLE)
    ids = smallest_hashes(rng_for(0, "sample of parts"), n, size)
    items = np.empty((size, manifest.d), np.float32)
    for first in range(0, size, BLOCK):
        items[first : first + BLOCK] = manifest.take(ids[first : first + BLOCK])
        progress(first / size, f"Reading {name}: {first / size:.0%}")
    if size == n:
        return Dataset(items, name=name)
    parts = counted(len(manifest.parts), "part", "parts")
    note = (
        f"A sample of {size:,} of {n:,} vectors in {parts}: every count, norm and curve here is "
        "of the sample. Build, Trade-off and Tune, at their ends, work on all."
    )
    return Dataset(items, name=f"{name}, sample of {size:,} of {n:,}", notes=(note,), rows=ids)
