"""The arrays inside one .npz: measured by its directory, by their headers, and while inflating."""

import struct
import zipfile
import zlib
from collections.abc import Iterable
from contextlib import AbstractContextManager
from typing import Any

from numpy.typing import NDArray

from mips_core.base import limits
from mips_core.base.errors import DataError
from mips_core.data.readers.arrays import npy
from mips_core.data.readers.arrays.named_arrays import shown
from mips_core.data.readers.arrays.npy_header import Header, read_header
from mips_core.data.readers.contract import Source, damage_told
from mips_core.data.readers.names import quoted

PACKINGS = (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED)
"""What NumPy writes. Others could ask for gigabytes of memory before the first byte."""

FAULTS = (zipfile.BadZipFile, zlib.error, struct.error, EOFError, OSError, NotImplementedError,
          RuntimeError, ValueError, OverflowError)  # fmt: skip
"""All that zipfile raises on damaged files."""

UNNAMED = "unnamed"  # an array called "" in the file; "" stands for none


def _faults_told(source: Source) -> AbstractContextManager[None]:
    how = "damaged, cut short or encrypted"
    return damage_told(f"{source.name} is a .npz file", FAULTS, how)


class Archive:
    """Headers of all arrays by name, and the arrays that are asked for. Nothing is unpacked to
    a disk, so that names of members are only names."""

    def __init__(self, source: Source) -> None:
        self.source = source
        self.headers: dict[str, Header] = {}
        self.notes: list[str] = []
        self._members: dict[str, zipfile.ZipInfo] = {}
        with _faults_told(source), zipfile.ZipFile(source.path) as file:
            members = file.infolist()
            if len(members) > limits.MAX_ARRAYS:
                raise DataError(
                    f"{source.name} holds {len(members):,} files; the limit for a .npz is "
                    f"{limits.MAX_ARRAYS:,}.",
                    "Save the vectors alone.",
                )
            self._look_at(file, members)

    def _look_at(self, file: zipfile.ZipFile, members: list[zipfile.ZipInfo]) -> None:
        others, twice = [], []
        for info in members:
            if not info.filename.endswith(".npy"):
                others += [] if info.filename.endswith("/") else [info.filename]
                continue
            if info.compress_type not in PACKINGS:
                raise NotImplementedError
            key = info.filename.removesuffix(".npy") or UNNAMED
            twice += [key] if key in self.headers else []
            with file.open(info) as member:
                self.headers[key] = read_header(member, self.title(key))
            self._members[key] = info
        if others:
            self.notes.append(f"Left out, as they are no arrays: {quoted(others)}.")
        if twice:
            self.notes.append(f"Held twice, and the last is taken: {quoted(twice)}.")

    def title(self, key: str) -> str:
        """An array as the beginning of a sentence."""
        return f"{self.source.name}, {shown(key)},"

    def arrays(self, keys: Iterable[str]) -> dict[str, NDArray[Any]]:
        """The arrays called `keys`, as stored. Raises DataError where they are not all there.

        What they take together is checked before the first is read.
        """
        headers = {key: self.headers[key] for key in keys}
        for key, header in headers.items():
            present = self._members[key].file_size - header.offset
            npy.check_size(header, present, self.title(key))
        total = sum(header.nbytes for header in headers.values())
        if total > limits.MAX_FILE_BYTES:
            raise DataError(
                f"{self.source.name} takes {total / 2**20:,.0f} MB when unpacked "
                f"({quoted(headers)}); the limit is {limits.MAX_FILE_BYTES / 2**20:,.0f} MB.",
                "Give its first rows only.",
            )
        out: dict[str, NDArray[Any]] = {}
        done = 0
        with _faults_told(self.source), zipfile.ZipFile(self.source.path) as file:
            for key, header in headers.items():
                out[key] = self._array(file, key, done, total)
                done += header.nbytes
        return out

    def _array(self, file: zipfile.ZipFile, key: str, before: int, total: int) -> NDArray[Any]:
        """One array, `before` of `total` bytes being read already."""

        def reached(done: int) -> None:
            self.source.reached(self.source.size * (before + done) // total)

        with file.open(self._members[key]) as member:
            member.read(self.headers[key].offset)
            return npy.load(member, self.headers[key], self.title(key), reached)
