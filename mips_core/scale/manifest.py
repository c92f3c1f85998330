"""Vectors in parts: a manifest in JSON and, beside it, a .npy of rows for each part.

    manifest.json     {"format": "mips-parts", "version": 1, n, d, dtype, key, parts}
    part-00000.npy    rows (count, d) float16 or float32, C order

Each part is named with the number of its first row, how many it has and its SHA-256. The key names
all rows, whatever their cut. A part is mapped into memory, never read whole.
"""

import json
import mmap
import re
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from hashlib import blake2b, file_digest
from itertools import accumulate
from pathlib import Path
from typing import Any

import numpy as np

from mips_core.base.arrays import Ids, Matrix
from mips_core.base.atomic_write import replacing
from mips_core.base.errors import DataError
from mips_core.base.progress import Progress, silent
from mips_core.base.text import memory
from mips_core.scale.engine import WorkersDiedError

FORMAT, VERSION = "mips-parts", 1
NAME = "manifest.json"
DTYPES = ("float16", "float32")
PLAIN_NAME = re.compile(r"[A-Za-z0-9_][A-Za-z0-9_.-]{0,99}\.npy")  # no folder, nothing hidden
SHA256 = re.compile(r"[0-9a-f]{64}")
KEY = re.compile(r"[0-9a-f]{32}")
MOST_BYTES = 64 * 2**20  # of a manifest: some 400,000 parts
AGAIN = "Import the vectors again: python -m mips_core parts import FILE ... --out FOLDER."


@dataclass(frozen=True, slots=True)
class VectorPart:
    """Rows `first` to `first + count - 1`, in a file beside the manifest."""

    file: str
    first: int
    count: int
    sha256: str


@dataclass(frozen=True, slots=True)
class Manifest:
    """n vectors of d dimensions in parts; `key` names their content."""

    path: Path
    n: int
    d: int
    dtype: str
    key: str
    parts: tuple[VectorPart, ...]

    @property
    def part_bytes(self) -> int:
        """Bytes of the rows of the largest part."""
        return max(part.count for part in self.parts) * self.d * np.dtype(self.dtype).itemsize

    def named(self) -> dict[str, Any]:
        """What a report says of the vectors."""
        size = {"n": self.n, "d": self.d, "dtype": self.dtype}
        return {"manifest": {**size, "key": self.key}}

    def rows(self, at: int) -> Matrix:
        """The rows (count, d) of part `at`, float16 or float32, mapped. Raises DataError."""
        part = self.parts[at]
        path = self.path.parent / part.file
        try:
            if path.is_symlink():
                raise ValueError("it is a link")
            rows = np.load(path, mmap_mode="r", allow_pickle=False)
        except (OSError, ValueError, EOFError) as error:
            raise DataError(f"The part {part.file} cannot be read: {error}.", AGAIN) from None
        if rows.shape != (part.count, self.d) or rows.dtype != self.dtype:
            found = f"{rows.shape[0]:,} rows" if rows.ndim == 2 else f"shape {rows.shape}"
            raise DataError(
                f"The part {part.file} holds {found} of {rows.dtype}; the manifest says "
                f"{part.count:,} × {self.d:,} of {self.dtype}.",
                AGAIN,
            )
        return np.asarray(rows)

    def blocks(self, at: int) -> Matrix:
        """The same, to be looked at block by block. Raises DataError."""
        return PartRows(self.rows(at))  # type: ignore[return-value]  # it is sliced as one

    def check_part(self, at: int) -> None:
        """Raise DataError unless part `at` has the SHA-256 that the manifest gives."""
        part = self.parts[at]
        try:
            with (self.path.parent / part.file).open("rb") as file:
                digest = file_digest(file, "sha256").hexdigest()
        except OSError as error:
            raise DataError(f"The part {part.file} cannot be read: {error}.", AGAIN) from None
        if digest != part.sha256:
            raise DataError(f"The part {part.file} has changed since it was written.", AGAIN)

    def check_content(self, progress: Progress = silent) -> None:
        """Raise DataError unless every part, and the key of all rows, are as the manifest says."""
        content = RowHash(self.d, self.dtype)
        for at, part in enumerate(self.parts):
            self.check_part(at)
            content.add(self.rows(at))
            progress((at + 1) / len(self.parts), f"{part.file} is as it was written")
        if content.key(self.n) != self.key:
            raise DataError(f"The rows of {self.path.name} are not those of its key.", AGAIN)

    def take(self, ids: Ids) -> Matrix:
        """The rows `ids` (s,), each below n, as float32 (s, d)."""
        taken = np.empty((len(ids), self.d), np.float32)
        firsts = np.array([part.first for part in self.parts])
        owners = np.searchsorted(firsts, ids, side="right") - 1
        for at in np.unique(owners):
            mine = owners == at
            taken[mine] = self.rows(int(at))[ids[mine] - firsts[at]]
        return taken

    def fingerprint(self) -> str:
        """As `fingerprint_of` all rows in float32: what the file of an index is held to."""
        size = f"{(self.n, self.d)}{np.dtype(np.float32).str}"
        digest = blake2b(size.encode(), digest_size=16)
        for at in range(len(self.parts)):
            rows = self.rows(at)
            for first in range(0, len(rows), 2**14):
                block = np.ascontiguousarray(rows[first : first + 2**14], np.float32)
                digest.update(block.view(np.uint8).data)
        return digest.hexdigest()

    def write(self) -> None:
        """Replace the file of the manifest by what this says. Raises DataError."""
        fields = {"format": FORMAT, "version": VERSION} | asdict(self)
        del fields["path"]
        with replacing(self.path) as file:
            file.write(json.dumps(fields, indent=1).encode())


class PartRows:
    """Mapped rows (b, d), of which memory holds only those that were looked at last.

    Else a worker holds all that it looked at of a part, and may be ended for it.
    """

    def __init__(self, mapped: Matrix) -> None:
        self.mapped, self.shape = mapped, mapped.shape
        self.pages: Any = mapped
        while not isinstance(self.pages, mmap.mmap):
            self.pages = self.pages.base

    def __len__(self) -> int:
        return len(self.mapped)

    def __getitem__(self, rows: slice | Ids) -> Matrix:
        if hasattr(mmap, "MADV_DONTNEED"):
            self.pages.madvise(mmap.MADV_DONTNEED)
        return self.mapped[rows]


class RowHash:
    """Names rows by their bytes, one after the other: blocks and parts leave no trace."""

    def __init__(self, d: int, dtype: str) -> None:
        self._digest = blake2b(f"{d} {dtype}".encode(), digest_size=16)

    def add(self, rows: Matrix) -> None:
        """Go on with rows (b, d)."""
        for first in range(0, len(rows), 2**14):
            block = np.ascontiguousarray(rows[first : first + 2**14])
            self._digest.update(block.view(np.uint8).data)

    def key(self, n: int) -> str:
        """32 hex digits for the n rows so far."""
        whole = self._digest.copy()
        whole.update(f" {n}".encode())
        return whole.hexdigest()


def read_manifest(path: Path) -> Manifest:
    """The manifest at `path`, or in the folder `path`.

    Raises DataError where it is none, or names anything that is not a plain file beside it.
    """
    path = path / NAME if path.is_dir() else path
    try:
        if path.stat().st_size > MOST_BYTES:
            raise ValueError(f"it is larger than {MOST_BYTES:,} bytes")
        fields = json.loads(path.read_bytes())
        return _manifest(path, fields)
    except FileNotFoundError:
        raise DataError(f"{path} was not found.", "Name a manifest or its folder.") from None
    except (OSError, ValueError, TypeError, KeyError, RecursionError) as error:
        told = f"{path.name} is no manifest of vectors in parts: {error}."
        raise DataError(told, AGAIN) from None


@contextmanager
def parts_told(manifest: Manifest) -> Iterator[None]:
    """Say how large the parts are where workers die over them in the block."""
    try:
        yield
    except WorkersDiedError as error:
        size = f"The largest of the parts takes {memory(manifest.part_bytes)}."
        raise WorkersDiedError(f"{error.found} {size}", error.remedy) from None


def manifest_of(path: str, key: str) -> Manifest:
    """The manifest at `path`, as a task asks for it. Raises DataError for other vectors."""
    manifest = read_manifest(Path(path))
    if manifest.key != key:
        raise DataError(f"{path} holds other vectors than before.", "Begin anew.")
    return manifest


def _manifest(path: Path, fields: Mapping[str, Any]) -> Manifest:
    """Raises ValueError, TypeError or KeyError where the fields are not sound."""
    _expect(type(fields) is dict and fields.get("format") == FORMAT, "its format is not ours")
    _expect(fields["version"] == VERSION, f"version {fields['version']} is not {VERSION}")
    parts = tuple(VectorPart(**part) for part in fields["parts"])
    n, d = fields["n"], fields["d"]
    _expect(all(type(size) is int and size > 0 for size in (n, d)), "its size is no size")
    _expect(fields["dtype"] in DTYPES, f"its dtype is none of {', '.join(DTYPES)}")
    _expect(bool(KEY.fullmatch(fields["key"])), "its key is none")
    for part in parts:
        _expect(bool(PLAIN_NAME.fullmatch(part.file)), f"{part.file!r} is no plain .npy name")
        _expect(bool(SHA256.fullmatch(part.sha256)), f"{part.file} has no SHA-256")
        sizes = (part.first, part.count)
        _expect(all(type(size) is int for size in sizes) and part.count > 0, "a size is none")
    ends = list(accumulate(part.count for part in parts))
    _expect([part.first for part in parts] == [0, *ends[:-1]], "its parts leave gaps")
    _expect(bool(ends) and ends[-1] == n, f"its parts do not hold {n:,} rows")
    return Manifest(path.resolve(), n, d, fields["dtype"], fields["key"], parts)


def _expect(holds: bool, fault: str) -> None:
    if not holds:
        raise ValueError(fault)
