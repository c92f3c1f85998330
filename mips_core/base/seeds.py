"""One integer seeds everything. Streams are named by what is drawn, so no draw shifts another.

Draws for rows are counter-based: a hash of the row number and the stream's key. They need no
storage and do not depend on how rows are cut into blocks.
"""

import zlib

import numpy as np
from numpy.typing import NDArray

from mips_core.base.arrays import Ids

_GOLDEN = np.uint64(0x9E3779B97F4A7C15)
_MIX_1 = np.uint64(0xBF58476D1CE4E5B9)
_MIX_2 = np.uint64(0x94D049BB133111EB)


def rng_for(seed: int, *what: str | int) -> np.random.Generator:
    """The stream of `seed` named `what`."""
    return stream(np.random.default_rng(seed), *what)


def stream(rng: np.random.Generator, *what: str | int) -> np.random.Generator:
    """The sub-stream of `rng` named `what`: it depends on rng's seed, never on what rng drew."""
    root = rng.bit_generator.seed_seq
    if not isinstance(root, np.random.SeedSequence):
        raise TypeError("rng must come from a numpy.random.SeedSequence, as default_rng's does.")
    names = tuple(zlib.crc32(str(name).encode()) for name in what)
    child = np.random.SeedSequence(root.entropy, spawn_key=(*root.spawn_key, *names))
    return np.random.default_rng(child)


def row_hashes(rng: np.random.Generator, n: int, first: int = 0) -> NDArray[np.uint64]:
    """(n - first,) 64-bit hashes of row numbers, all different: splitmix64 (Steele et al. 2014)."""
    key = rng.integers(2**64, dtype=np.uint64)
    with np.errstate(over="ignore"):
        z = key + _GOLDEN * (np.arange(first, n, dtype=np.uint64) + np.uint64(1))
        z = (z ^ (z >> np.uint64(30))) * _MIX_1
        z = (z ^ (z >> np.uint64(27))) * _MIX_2
    return z ^ (z >> np.uint64(31))


def sample_rows(rng: np.random.Generator, n: int, size: int) -> Ids:
    """`size` different row numbers below n, ascending; all of them when size >= n."""
    if size >= n:
        return np.arange(n)
    return np.sort(np.argpartition(row_hashes(rng, n), size)[:size]).astype(np.int64)
