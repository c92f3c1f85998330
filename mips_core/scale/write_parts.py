"""Files of vectors, of any format that is read, into parts."""

from collections.abc import Iterable, Iterator, Sequence
from hashlib import file_digest
from pathlib import Path

import numpy as np

from mips_core.base.arrays import Matrix, check_finite
from mips_core.base.atomic_write import replacing
from mips_core.base.errors import DataError, ParamError
from mips_core.base.progress import Progress, silent
from mips_core.data.readers import read
from mips_core.data.readers.arrays.flat_binary import DTYPES as FLAT
from mips_core.data.readers.arrays.flat_binary import HEADER
from mips_core.scale.manifest import DTYPES, NAME, Manifest, RowHash, VectorPart

BLOCK = 2**14  # rows looked at together
USUAL_MB, LEAST_MB, MOST_MB = 128, 1, 256  # of a part


def rows_a_part(megabytes: int, d: int, dtype: str) -> int:
    """How many rows of d dimensions a part of so many MB holds."""
    return max(1, megabytes * 2**20 // (d * np.dtype(dtype).itemsize))


def write_parts(
    blocks: Iterable[tuple[str, Matrix]],
    folder: Path,
    dtype: str = "float32",
    megabytes: int = USUAL_MB,
    rows: int | None = None,
    progress: Progress = silent,
) -> Manifest:
    """Write blocks (name, (b, d)) as parts of so many MB, or `rows`, into the new `folder`.

    Raises DataError for a folder that holds a manifest, widths that differ, values that are not
    finite as `dtype`, and no rows; ParamError for another dtype.
    """
    if dtype not in DTYPES:
        raise ParamError(f"The dtype is {dtype!r}.", f"Allowed: {', '.join(DTYPES)}.")
    if (folder / NAME).exists():
        raise DataError(f"{folder} holds a manifest already.", "Name a new folder.")
    folder.mkdir(parents=True, exist_ok=True)
    writer = None
    for name, block in blocks:
        if writer is None:
            d = block.shape[1]
            writer = _Writer(folder, d, dtype, rows or rows_a_part(megabytes, d, dtype))
        writer.add(name, block)
        progress(0.0, f"{writer.n:,} rows in {len(writer.parts):,} parts")
    if writer is None or writer.n == 0:
        raise DataError("The files hold no vectors.", "One row or more is needed.")
    return writer.finished()


class _Writer:
    """Fills one part after the other, of `size` rows of d dimensions."""

    def __init__(self, folder: Path, d: int, dtype: str, size: int) -> None:
        self.folder, self.d, self.dtype = folder, d, dtype
        self.held = np.empty((size, d), dtype)
        self.parts: list[VectorPart] = []
        self.n = self.filled = 0
        self.content = RowHash(d, dtype)

    def add(self, name: str, block: Matrix) -> None:
        """Rows (b, d) of the file `name`. Raises DataError."""
        if block.shape[1] != self.d:
            raise DataError(
                f"{name} has {block.shape[1]:,} dimensions, the files before it {self.d:,}.",
                "Import vectors of one model together.",
            )
        values = _stored(block, self.dtype, name)
        self.content.add(values)
        while len(values):
            fitting = values[: len(self.held) - self.filled]
            self.held[self.filled : self.filled + len(fitting)] = fitting
            self.filled, self.n = self.filled + len(fitting), self.n + len(fitting)
            values = values[len(fitting) :]
            if self.filled == len(self.held):
                self._end_part()

    def _end_part(self) -> None:
        path = self.folder / f"part-{len(self.parts):05}.npy"
        with replacing(path) as file:
            np.lib.format.write_array(file, self.held[: self.filled], allow_pickle=False)
        with path.open("rb") as written:
            digest = file_digest(written, "sha256").hexdigest()
        self.parts.append(VectorPart(path.name, self.n - self.filled, self.filled, digest))
        self.filled = 0

    def finished(self) -> Manifest:
        """The manifest, written once all parts are."""
        if self.filled:
            self._end_part()
        path, key = (self.folder / NAME).resolve(), self.content.key(self.n)
        manifest = Manifest(path, self.n, self.d, self.dtype, key, tuple(self.parts))
        manifest.write()
        return manifest


def _stored(block: Matrix, dtype: str, name: str) -> Matrix:
    """The block in `dtype`, finite. Raises DataError."""
    check_finite(block.astype(np.float32, copy=False), name)
    with np.errstate(over="ignore"):
        values = np.ascontiguousarray(block, dtype)
    if not np.isfinite(values).all():
        raise DataError(
            f"{name} holds numbers beyond float16, whose largest is 65,504.",
            "Import as float32: --dtype float32.",
        )
    return values


def blocks_of(paths: Sequence[Path]) -> Iterator[tuple[str, Matrix]]:
    """The vectors of files and of the files in folders, by name, a block of rows at a time.

    .npy and .fbin and its kin are mapped; of other formats one file is in memory at a time.
    """
    for path in files_of(paths):
        rows = _mapped(path)
        if rows is None:
            rows = read([path], keep_dtype=True).items
        for first in range(0, len(rows), BLOCK):
            yield path.name, rows[first : first + BLOCK]


def files_of(paths: Sequence[Path]) -> list[Path]:
    """The files named, and in place of a folder those in it by name, hidden ones left out."""
    files: list[Path] = []
    for path in paths:
        if not path.exists():
            raise DataError(f"{path} was not found.", "Check the name and the folder.")
        inner = sorted(path.iterdir()) if path.is_dir() else [path]
        files += [file for file in inner if file.is_file() and not file.name.startswith(".")]
    return files


def _mapped(path: Path) -> Matrix | None:
    """A .npy of numbers or a file of the .fbin family, mapped; None where `read` must say more."""
    if path.suffix == ".npy":
        try:
            rows = np.load(path, mmap_mode="r", allow_pickle=False)
        except (OSError, ValueError, EOFError):
            return None
        plain = isinstance(rows, np.memmap) and rows.ndim == 2 and rows.dtype.kind in "fiu"
        return rows if plain and rows.shape[1] else None
    if path.suffix not in FLAT or path.suffix == ".ibin" or path.stat().st_size <= HEADER:
        return None
    n, d = (int(size) for size in np.fromfile(path, "<u4", 2))
    dtype = FLAT[path.suffix]
    if n == 0 or d == 0 or path.stat().st_size != HEADER + n * d * dtype.itemsize:
        return None
    return np.memmap(path, dtype, "r", HEADER, (n, d))
