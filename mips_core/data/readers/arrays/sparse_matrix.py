"""Sparse matrices as scipy.sparse.save_npz writes them: csr, csc, bsr, coo and dia.

Their arrays are read by our own bounded code and checked before SciPy sees them: its routines
follow indices without looking.
"""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from mips_core.base import limits
from mips_core.base.errors import DataError
from mips_core.base.text import counted
from mips_core.data.readers.arrays import npy
from mips_core.data.readers.arrays.binary import check_count
from mips_core.data.readers.arrays.npz_archive import Archive
from mips_core.data.readers.contract import AGAIN, Source, Table

PARTS = {
    "csr": ("data", "indices", "indptr"),
    "csc": ("data", "indices", "indptr"),
    "bsr": ("data", "indices", "indptr"),
    "coo": ("data", "row", "col"),
    "dia": ("data", "offsets"),
}
SMALL = 2**22  # rows × columns that are filled up however few entries there are
RATINGS = "If it holds ratings, read it with mips_core.read_ratings."
COORDINATES = ("data", "coords")  # of coo, in place of row and col

Arrays = dict[str, NDArray[Any]]
Places = NDArray[np.integer[Any]]


def is_sparse(archive: Archive) -> bool:
    """Whether the arrays are those of one sparse matrix."""
    complete = {"format", "shape", "data"} <= archive.headers.keys()
    return complete and any(
        set(parts) <= archive.headers.keys() for parts in (*PARTS.values(), COORDINATES)
    )


def is_sparse_file(source: Source) -> bool:
    """Whether `source` is a .npz that holds one sparse matrix."""
    return source.head.startswith(b"PK\x03\x04") and is_sparse(Archive(source))


def dense(archive: Archive) -> Table:
    """The matrix with its zeros, float32 (n, d)."""
    matrix = _matrix(archive)
    rows, columns = matrix.shape
    check_count(rows, columns, archive.source.name)
    filled = matrix.nnz / (rows * columns)
    if rows * columns > max(SMALL, limits.MAX_ZEROS * matrix.nnz):
        raise DataError(
            f"{archive.source.name} is a sparse matrix of {rows:,} × {columns:,} with only "
            f"{matrix.nnz:,} entries; the limit is {limits.MAX_ZEROS:,} zeros an entry.",
            f"Leave out empty rows and columns. {RATINGS}",
        )
    note = (
        f"A sparse matrix ({matrix.format}) of {rows:,} × {columns:,} with "
        f"{counted(matrix.nnz, 'entry', 'entries')} ({filled:.2%}) was filled up with zeros. "
        f"{RATINGS}"
    )
    with np.errstate(over="ignore", invalid="ignore"):  # infinite: found later, with its place
        numbers = matrix.astype(np.float32).toarray()
    if matrix.dtype == bool:
        np.minimum(numbers, 1, out=numbers)  # a place marked twice is marked
    return Table(numbers, notes=[*archive.notes, note])


def sparse_triples(source: Source) -> tuple[Places, Places, NDArray[Any], tuple[int, int]]:
    """Rows, columns and values (nnz) of a sparse .npz as stored, and the shape.

    Entries may repeat a place, or be zero. Raises DataError where `source` holds no such matrix.
    """
    archive = Archive(source)
    if not is_sparse(archive):
        raise DataError(
            f"{source.name} is no sparse matrix of SciPy.", "Save it with scipy.sparse.save_npz."
        )
    matrix = _matrix(archive).tocoo(copy=False)
    return matrix.row, matrix.col, matrix.data, matrix.shape


def _matrix(archive: Archive) -> Any:
    """The matrix in SciPy's own class, every index checked. Raises DataError."""
    import scipy.sparse as sp  # slow to import, and not needed by other files

    name = archive.source.name
    kind, shape = _kind_and_shape(archive)
    parts = PARTS[kind]
    if kind == "coo" and "coords" in archive.headers:
        parts = COORDINATES
    if missing := sorted(set(parts) - archive.headers.keys()):
        raise _damaged(name, f"its part “{missing[0]}” is missing")
    npy.check_numbers(archive.headers["data"], archive.title("data"))
    arrays = {
        key: np.ascontiguousarray(array, array.dtype.newbyteorder("="))
        for key, array in archive.arrays(parts).items()
    }
    if parts == COORDINATES:
        coords = arrays.pop("coords")
        if coords.ndim != 2 or len(coords) != 2:
            raise _damaged(name, "its coordinates are not two rows")
        arrays["row"], arrays["col"] = coords
    data = arrays["data"]
    if data.dtype == np.float16:  # which SciPy does not know
        data = arrays["data"] = data.astype(np.float32)
    if kind == "coo":
        _check_coo(arrays, shape, name)
        return sp.coo_matrix((data, (arrays["row"], arrays["col"])), shape)
    if kind == "dia":
        _check_dia(arrays, shape, name)
        return sp.dia_matrix((data, arrays["offsets"]), shape)
    _check_compressed(arrays, kind, shape, name)
    class_ = {"csr": sp.csr_matrix, "csc": sp.csc_matrix, "bsr": sp.bsr_matrix}[kind]
    return class_((data, arrays["indices"], arrays["indptr"]), shape)


def _kind_and_shape(archive: Archive) -> tuple[str, tuple[int, int]]:
    headers, name = archive.headers, archive.source.name
    small = [key for key in ("format", "shape") if headers[key].nbytes > 64]
    if small or headers["shape"].dtype.kind not in "iu" or headers["format"].dtype.kind not in "SU":
        raise _damaged(name, "its format or shape is not what SciPy writes")
    parts = archive.arrays(("format", "shape"))
    kind = "".join(npy.strings(parts["format"].reshape(-1)))
    shape = tuple(int(size) for size in parts["shape"].reshape(-1))
    if kind not in PARTS:
        raise _damaged(name, f"its format is “{kind}”, known are {', '.join(PARTS)}")
    if len(shape) != 2:
        raise DataError(
            f"{name} is a sparse array of {len(shape)} dimensions.",
            "Save it as n rows × d columns.",
        )
    if min(shape) < 0 or max(shape) >= 2**31:
        raise _damaged(name, f"its shape is {shape[0]:,} × {shape[1]:,}")
    return kind, (shape[0], shape[1])


def _check_coo(arrays: Arrays, shape: tuple[int, int], name: str) -> None:
    data, row, col = (arrays[part] for part in PARTS["coo"])
    if not data.ndim == row.ndim == col.ndim == 1 or not len(data) == len(row) == len(col):
        raise _damaged(name, "its rows, columns and values are not equally many")
    _check_within(row, shape[0], "row", name)
    _check_within(col, shape[1], "column", name)


def _check_dia(arrays: Arrays, shape: tuple[int, int], name: str) -> None:
    data, offsets = arrays["data"], arrays["offsets"]
    if data.ndim != 2 or offsets.ndim != 1 or len(data) != len(offsets):
        raise _damaged(name, "its diagonals and their offsets are not equally many")
    _check_within(offsets, shape[1], "diagonal", name, low=1 - shape[0])
    if len(np.unique(offsets)) < len(offsets):
        raise _damaged(name, "it holds a diagonal twice")


def _check_compressed(arrays: Arrays, kind: str, shape: tuple[int, int], name: str) -> None:
    """Rows (csr), columns (csc) or rows of blocks (bsr): where each begins, and what it holds."""
    data, indices, starts = arrays["data"], arrays["indices"], arrays["indptr"]
    major, minor = (shape[1], shape[0]) if kind == "csc" else shape
    if kind == "bsr":
        block = data.shape[1:]
        if len(block) != 2 or 0 in block or major % block[0] or minor % block[1]:
            raise _damaged(name, "its blocks do not fill its shape")
        major, minor = major // block[0], minor // block[1]
    if data.ndim != (3 if kind == "bsr" else 1) or indices.ndim != 1 or len(data) != len(indices):
        raise _damaged(name, "its indices and values are not equally many")
    if starts.shape != (major + 1,):
        raise _damaged(name, f"it has {starts.size:,} starts for {major:,} rows or columns")
    _check_within(starts, len(indices) + 1, "start", name)
    if starts[0] != 0 or starts[-1] != len(indices) or (starts[1:] < starts[:-1]).any():
        raise _damaged(name, "the starts of its rows or columns do not ascend from 0 to the end")
    _check_within(indices, minor, "index", name)


def _check_within(places: NDArray[Any], stop: int, what: str, name: str, low: int = 0) -> None:
    """Raise DataError unless all `places` are whole numbers in [low, stop)."""
    if places.dtype.kind not in "iu":
        raise _damaged(
            name, f"its places ({what}) are no whole numbers (dtype {places.dtype.name})"
        )
    if places.size and (int(places.min()) < low or int(places.max()) >= stop):
        bad = int(np.flatnonzero((places < low) | (places >= stop))[0])
        raise _damaged(
            name, f"{what} {int(places[bad]):,} of entry {bad:,} is outside {low:,} to {stop - 1:,}"
        )


def _damaged(name: str, why: str) -> DataError:
    return DataError(f"{name} is a sparse matrix saved by SciPy, and damaged: {why}.", AGAIN)
