"""Before a file is read: found, small enough, out of its gzip, in UTF-8 with plain line ends."""

import gzip
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import BinaryIO

from mips_core import limits
from mips_core.errors import DataError
from mips_core.readers.base import Source
from mips_core.readers.lines import is_text

CHUNK = 2**20
GZIP = b"\x1f\x8b\x08"
UTF16 = {b"\xff\xfe": "utf-16-le", b"\xfe\xff": "utf-16-be"}


@contextmanager
def unpacked(path: Path) -> Iterator[Source]:
    """The file at `path`, ready to be recognised; copies are gone afterwards.

    Raises DataError for a file that is missing, empty, too large (before or after unpacking), a
    folder, or a damaged gzip.
    """
    source = _open(path)
    with TemporaryDirectory(prefix="mips-") as folder:
        if source.head.startswith(GZIP):
            source = _gunzip(source, Path(folder) / "plain")
        if source.head[:2] in UTF16:
            source = _transcode(source, Path(folder) / "utf8")
        elif b"\r" in source.head and b"\n" not in source.head and is_text(source.head):
            source = _line_feeds(source, Path(folder) / "lines")
        yield source


def _open(path: Path) -> Source:
    if path.is_dir():
        raise DataError(f"{path.name} is a folder.", "Give the file inside it.")
    try:
        source = Source.of(path)
    except FileNotFoundError:
        raise DataError(f"{path} was not found.", "Check the name and the folder.") from None
    except OSError as error:
        raise DataError(f"{path.name} cannot be opened: {error.strerror}.") from None
    if source.size == 0:
        raise DataError(f"{source.name} is empty (0 bytes).", "Save or download it again.")
    if source.size > limits.MAX_FILE_BYTES:
        raise _too_large(f"{source.name} is {source.size / 2**20:,.0f} MB")
    return source


def _too_large(found: str) -> DataError:
    limit = f"{limits.MAX_FILE_BYTES / 2**20:,.0f} MB"
    return DataError(f"{found}; the limit is {limit}.", "Give its first rows only.")


def _gunzip(source: Source, target: Path) -> Source:
    try:
        with gzip.open(source.path) as packed, target.open("wb") as plain:
            written = 0
            while chunk := packed.read(CHUNK):
                written += len(chunk)
                if written > limits.MAX_FILE_BYTES:
                    raise _too_large(f"{source.name} is larger than that when unpacked")
                plain.write(chunk)
    except (gzip.BadGzipFile, EOFError, zlib.error):
        raise DataError(
            f"{source.name} is a gzip file that is damaged or cut short.", "Download it again."
        ) from None
    if not written:
        raise DataError(f"{source.name} holds an empty file.", "Save or download it again.")
    return Source.of(target, source.name)


def _transcode(source: Source, target: Path) -> Source:
    encoding = UTF16[source.head[:2]]
    try:
        with (
            source.path.open(encoding=encoding, newline="") as wide,
            target.open("w", encoding="utf-8", newline="") as narrow,
        ):
            while text := wide.read(CHUNK):
                narrow.write(text)
    except UnicodeError:
        raise DataError(
            f"{source.name} begins as UTF-16 text and does not go on as such.",
            "Save it as UTF-8 text.",
        ) from None
    return Source.of(target, source.name)


def _line_feeds(source: Source, target: Path) -> Source:
    with source.path.open("rb") as old, target.open("wb") as new:
        _replace(old, new)
    return Source.of(target, source.name)


def _replace(old: BinaryIO, new: BinaryIO) -> None:
    while chunk := old.read(CHUNK):
        new.write(chunk.replace(b"\r", b"\n"))
