"""BIGANN files: .fbin, .f16bin, .u8bin, .i8bin, .ibin. Two int32, n and d, then n × d numbers.

Format: https://big-ann-benchmarks.com/neurips21.html, used by DiskANN (as .bin) and cuVS too.
Little-endian.
"""

import re
from typing import Any

import numpy as np

from mips_core.base.errors import DataError
from mips_core.data.readers.arrays import vecs
from mips_core.data.readers.arrays.binary import (
    check_count,
    fill,
    holds_ids,
    mapped,
    neighbor_ids,
)
from mips_core.data.readers.choices import Choices
from mips_core.data.readers.contract import AGAIN, Rank, Reader, Source, Table, register

DTYPES: dict[str, np.dtype[Any]] = {
    ".fbin": np.dtype("<f4"),
    ".f16bin": np.dtype("<f2"),
    ".hbin": np.dtype("<f2"),
    ".u8bin": np.dtype("u1"),
    ".i8bin": np.dtype("i1"),
    ".ibin": np.dtype("<i4"),
}
NAME = re.compile(r"(\.(?:fbin|f16bin|hbin|u8bin|i8bin|ibin))(?:\.crop_nb_\d+)?$")
HEADER = 8
MOST_DIMENSIONS = 2**24
"""More than any vectors have; below it the eighth byte of a file is 0, unlike text."""


def matches(head: bytes, name: str) -> bool:
    """Two possible sizes at the beginning; `fits` decides."""
    n, d = _sizes(head)
    return len(head) >= HEADER and n > 0 and 0 < d < MOST_DIMENSIONS


def fits(source: Source) -> bool:
    """A name of this family, or a size in bytes that the header agrees with exactly.

    Rows that begin with their dimension are surer than a size, which can agree by chance.
    """
    if NAME.search(source.plain_name):
        return True
    return bool(_suffixes_of_size(source)) and not vecs.matches(source.head, source.plain_name)


def _sizes(head: bytes) -> tuple[int, int]:
    return int.from_bytes(head[:4], "little"), int.from_bytes(head[4:8], "little")


def _suffixes_of_size(source: Source) -> list[str]:
    """Kinds whose numbers take exactly the bytes that are there."""
    n, d = _sizes(source.head)
    return [s for s, t in DTYPES.items() if HEADER + n * d * t.itemsize == source.size]


def read(source: Source, choices: Choices) -> Table:
    """Vectors (n, d) in their stored dtype.

    Raises DataError where header and size do not agree, where neither name nor size tells the
    dtype, and for whole numbers of 32 bits, which are most often ids of nearest neighbours.
    """
    n, d = _sizes(source.head)
    named = NAME.search(source.plain_name)
    suffix = named[1] if named else _suffix_by_size(source)
    dtype = DTYPES[suffix]
    bits = np.frombuffer(source.head, "<u4", (len(source.head) - HEADER) // 4, HEADER)
    if suffix == ".ibin" or (dtype == "<f4" and holds_ids(bits)):
        raise neighbor_ids(source.name, n, d, ".ibin", ".fbin, .u8bin or .i8bin")
    check_count(n, d, source.name)
    promised = HEADER + n * d * dtype.itemsize
    if promised != source.size:
        raise _disagreement(source, suffix, promised)
    vectors = mapped(source, dtype, (n, d), HEADER)
    if vectors is None:
        vectors = np.empty((n, d), dtype)
        with source.path.open("rb") as file:
            file.seek(HEADER)
            done = HEADER + fill(vectors, file, lambda done: source.reached(HEADER + done))
        if done != promised:
            raise _disagreement(source, suffix, promised)
    note = f"Told by its size alone: {n:,} × {d:,} numbers of dtype {dtype.name}."
    return Table(vectors, notes=[] if named else [note])


def _suffix_by_size(source: Source) -> str:
    suffixes = _suffixes_of_size(source)
    if ".u8bin" in suffixes:
        n, d = _sizes(source.head)
        raise DataError(
            f"{source.name} holds {n:,} × {d:,} numbers of one byte, and nothing tells whether "
            "they have a sign.",
            "Rename it to .u8bin (0 to 255) or .i8bin (−128 to 127).",
        )
    return suffixes[0]


def _disagreement(source: Source, suffix: str, promised: int) -> DataError:
    n, d = _sizes(source.head)
    fitting = " or ".join(_suffixes_of_size(source))
    whole = max(0, source.size - HEADER) // (d * DTYPES[suffix].itemsize)
    fault = f"{source.name} is cut short" if promised > source.size else f"{source.name} is damaged"
    return DataError(
        f"{fault}: its header promises {n:,} × {d:,} numbers of dtype {DTYPES[suffix].name} "
        f"({promised:,} bytes), the file has {source.size:,} bytes, {whole:,} whole rows.",
        f"Its size is that of a {fitting} file: rename it so." if fitting else AGAIN,
    )


register(
    Reader(
        "flat_binary", "fbin, u8bin and i8bin", tuple(DTYPES), Rank.STRUCTURE, matches, read, fits
    )
)
