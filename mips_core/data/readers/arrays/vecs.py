"""TEXMEX files: .fvecs, .bvecs and .ivecs. Each row is its int32 dimension, then its numbers.

Format: http://corpus-texmex.irisa.fr. Little-endian; float32, uint8 and int32.
"""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from mips_core.base.errors import DataError
from mips_core.data.readers.arrays.binary import BLOCK, check_count, holds_ids, neighbor_ids
from mips_core.data.readers.choices import Choices
from mips_core.data.readers.contract import AGAIN, Rank, Reader, Source, Table, register

DTYPES: dict[str, np.dtype[Any]] = {
    ".fvecs": np.dtype("<f4"),
    ".bvecs": np.dtype("u1"),
    ".ivecs": np.dtype("<i4"),
}
SUFFIX = len(".fvecs")
COUNT = np.dtype("<i4")  # before each row
MOST = 2**24
"""More dimensions than any vectors have; below it the fourth byte of a file is 0, unlike text."""


def matches(head: bytes, name: str) -> bool:
    """A dimension that comes again where the next row must begin; or the name and one row."""
    d = _dimension(head)
    if not 0 < d < MOST:
        return False
    return name.endswith(tuple(DTYPES)) or any(_repeats(head, d, w) for w in (4, 1))


def _dimension(head: bytes) -> int:
    return int.from_bytes(head[:4], "little", signed=True) if len(head) > 4 else 0


def _repeats(head: bytes, d: int, width: int) -> bool:
    """Whether rows of d numbers of `width` bytes lie in `head`, two or more of them."""
    step = COUNT.itemsize + d * width
    starts = range(0, len(head) - COUNT.itemsize + 1, step)
    mark = head[: COUNT.itemsize]
    return len(starts) > 1 and all(head[at : at + COUNT.itemsize] == mark for at in starts)


def read(source: Source, choices: Choices) -> Table:
    """Vectors (n, d) of float32 or uint8, equal to the stored ones in every bit.

    Raises DataError naming the row where the file is cut short or the dimension changes, and for
    whole numbers, which are most often ids of nearest neighbours.
    """
    d, dtype = _dimension(source.head), _dtype(source)
    row = np.dtype([("d", COUNT), ("numbers", dtype, (d,))])
    n, rest = divmod(source.size, row.itemsize)
    if n == 0:
        raise DataError(
            f"{source.name} is cut short in row 0: it is {rest:,} of {row.itemsize:,} bytes.", AGAIN
        )
    check_count(n, d, source.name)
    if dtype.kind == "i" or (dtype.kind == "f" and holds_ids(_first_row(source.head, d))):
        raise neighbor_ids(source.name, n, d, ".ivecs", ".fvecs or .bvecs")
    vectors = _rows(source, row, n)
    if rest:
        raise DataError(
            f"{source.name} is cut short in row {n:,}: {rest:,} of {row.itemsize:,} bytes are "
            "there.",
            AGAIN,
        )
    if DTYPES.get(source.plain_name[-SUFFIX:]) == dtype:
        return Table(vectors)
    kind = next(suffix for suffix, of in DTYPES.items() if of == dtype)
    return Table(vectors, notes=[f"Told by its rows, not its name: they are those of {kind}."])


def _first_row(head: bytes, d: int) -> NDArray[np.uint32]:
    return np.frombuffer(head, "<u4", min(d, len(head) // 4 - 1), COUNT.itemsize)


def _dtype(source: Source) -> np.dtype[Any]:
    """By the name, unless the rows lie as those of another dtype do."""
    d = _dimension(source.head)
    fitting = [t for t in DTYPES.values() if _repeats(source.head, d, t.itemsize)]
    named = [t for suffix, t in DTYPES.items() if source.plain_name.endswith(suffix)]
    return next((t for t in named if t in fitting or not fitting), [*fitting, *named][0])


def _rows(source: Source, row: np.dtype[Any], n: int) -> NDArray[Any]:
    """The numbers (n, d) of n whole rows, read in blocks."""
    fields = row["numbers"]
    d = fields.shape[0]
    vectors = np.empty((n, d), fields.base)
    step = max(1, BLOCK // row.itemsize)
    with source.path.open("rb") as file:
        for start in range(0, n, step):
            block = np.fromfile(file, row, min(step, n - start))
            if len(block) < min(step, n - start):
                raise DataError(
                    f"{source.name} ended in row {start + len(block):,} while it was read.", AGAIN
                )
            wrong = np.flatnonzero(block["d"] != d)
            if len(wrong):
                raise DataError(
                    f"{source.name} is damaged: row {start + int(wrong[0]):,} says it has "
                    f"{int(block['d'][wrong[0]]):,} numbers, the rows before have {d:,}.",
                    "All rows must have equally many numbers. Save or download it again.",
                )
            vectors[start : start + len(block)] = block["numbers"]
            source.reached((start + len(block)) * row.itemsize)
    return vectors


register(Reader("vecs", "fvecs and bvecs", tuple(DTYPES), Rank.STRUCTURE, matches, read))
