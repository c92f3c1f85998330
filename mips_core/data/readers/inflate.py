"""What .gz, .bz2, .xz and .zip files hold, in chunks, and never more than the limit allows."""

import bz2
import gzip
import lzma
import re
import zipfile
import zlib
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import PurePosixPath
from typing import IO, BinaryIO

from mips_core.base import limits
from mips_core.base.errors import DataError
from mips_core.base.progress import Progress
from mips_core.data.readers.contract import Source, damage_told

CHUNK = 2**20
GZIP, BZIP2, XZ = b"\x1f\x8b", b"BZh", b"\xfd7zXZ\0"
ZIP = b"PK\x03\x04"
TAIL_BYTES = 66_000  # where a zip's list of files is found
NAME_BYTES = 600  # of that list, for one file
NAMES = {GZIP: "gzip", BZIP2: "bzip2", XZ: "xz", ZIP: "zip"}
OTHERS = (  # formats that are zips themselves, by members they have
    "xl/", "word/", "ppt/", "mimetype", "[Content_Types].xml", "META-INF/", "AndroidManifest.xml",
    "data.pkl", "byteorder", ".format_version",
)  # fmt: skip
KERAS = "model.weights.h5"
FAULTS = (
    zipfile.BadZipFile, gzip.BadGzipFile, lzma.LZMAError, zlib.error, EOFError, OSError, ValueError,
    NotImplementedError, RuntimeError,
)  # fmt: skip


class UnpackBudget:
    """Bytes that may still be unpacked from the files given together."""

    def __init__(self) -> None:
        self.left = limits.MAX_FILE_BYTES

    def of(self, source: Source) -> Callable[[int], None]:
        """What takes a number of bytes unpacked from `source`.

        It raises DataError where they are too many, or out of proportion to the packed file.
        """
        room = max(limits.SMALL_UNPACKED_BYTES, limits.MAX_EXPANSION * source.size)

        def spend(count: int) -> None:
            nonlocal room
            self.left -= count
            room -= count
            if room < 0:
                raise DataError(
                    f"{source.name} grows more than {limits.MAX_EXPANSION:,} times when unpacked.",
                    "Unpack it and give the file inside.",
                )
            if self.left < 0:
                raise DataError(
                    f"{source.name} is too large when unpacked; the limit is "
                    f"{limits.MAX_FILE_BYTES / 2**20:,.0f} MB.",
                    "Give its first rows only.",
                )

        return spend


def is_packed(source: Source) -> bool:
    """Whether the file is one compressed file."""
    return source.head.startswith((GZIP, XZ)) or re.match(rb"BZh[1-9]", source.head) is not None


def is_zip(source: Source) -> bool:
    """Whether the file is a zip of files: neither an .npz nor a document or model kept as a zip."""
    if not source.head.startswith(ZIP) or source.plain_name.endswith((".npz", ".xlsx", ".xlsm")):
        return False
    try:
        with open_zip(source) as archive:
            names = archive.namelist()
    except DataError:
        raise
    except FAULTS:
        return False
    inner = [PurePosixPath(name).name for name in names]
    other = any(name.startswith(OTHERS) for name in [*names, *inner])
    return not other and not all(name.endswith(".npy") for name in names)


def only_member(source: Source) -> str:
    """The member of a zip that alone holds numbers: the weights of a Keras model; "" for any."""
    with suppress(DataError, *FAULTS), open_zip(source) as archive:
        names = archive.namelist()
        return KERAS if KERAS in names and "config.json" in names else ""
    return ""


def inflated(source: Source, budget: UnpackBudget, progress: Progress) -> Iterator[bytes]:
    """The content of one compressed file. Raises DataError where it is damaged or too large."""
    magic = next(magic for magic in NAMES if source.head.startswith(magic))
    spend = budget.of(source)
    with (
        damage_told(f"{source.name} is a {NAMES[magic]} file", FAULTS),
        source.path.open("rb") as file,
    ):
        for chunk in _gunzip(file) if magic == GZIP else _decompress(file, magic):
            spend(len(chunk))
            progress(file.tell() / source.size, f"Unpacking {source.name}")
            yield chunk


def _gunzip(file: BinaryIO) -> Iterator[bytes]:
    with gzip.open(file) as packed:
        while chunk := packed.read(CHUNK):
            yield chunk


def _decompress(file: BinaryIO, magic: bytes) -> Iterator[bytes]:
    """The content of one bzip2 or xz stream or several in a row, with bounded memory."""
    rest = file.read(CHUNK)
    while rest.strip(b"\0"):
        unpacker = (
            bz2.BZ2Decompressor()
            if magic == BZIP2
            else lzma.LZMADecompressor(lzma.FORMAT_XZ, memlimit=limits.MAX_UNPACKER_BYTES)
        )
        while not unpacker.eof:
            if unpacker.needs_input and not rest:
                rest = file.read(CHUNK)
                if not rest:
                    raise EOFError
            chunk = unpacker.decompress(rest, CHUNK)
            rest = b""
            if chunk:
                yield chunk
        rest = unpacker.unused_data or file.read(CHUNK)


def members(
    source: Source, budget: UnpackBudget, progress: Progress
) -> Iterator[tuple[str, Iterator[bytes]]]:
    """(name, content) of every file in a zip that may hold data, to be read in that order.

    Raises DataError where the zip is damaged, encrypted, or holds too many files.
    """
    spend = budget.of(source)
    with damage_told(f"{source.name} is a zip file", FAULTS), open_zip(source) as archive:
        infos = [info for info in archive.infolist() if _may_hold_data(info)]
        _check(infos, source.name)
        shown = [PurePosixPath(info.filename).name for info in infos]
        for i, (info, name) in enumerate(zip(infos, shown, strict=True)):
            progress(i / len(infos), f"Unpacking {name}")
            full = info.filename if shown.count(name) > 1 else name
            with archive.open(info) as file:
                yield _printable(full), _chunks(file, spend, source.name)


def _check(infos: list[zipfile.ZipInfo], name: str) -> None:
    if any(info.flag_bits & 1 for info in infos):
        raise DataError(f"{name} is an encrypted zip file.", "Unpack it and give the file inside.")
    if len(infos) > limits.MAX_FILES:
        raise DataError(
            f"{name} holds {len(infos):,} files; the limit is {limits.MAX_FILES:,}.",
            "Unpack it and give the files that hold the data.",
        )


def _may_hold_data(info: zipfile.ZipInfo) -> bool:
    parts = PurePosixPath(info.filename).parts
    hidden = any(part == "__MACOSX" or (part.startswith(".") and part != "..") for part in parts)
    return bool(parts) and not info.is_dir() and not hidden and info.file_size > 0


def _chunks(file: IO[bytes], spend: Callable[[int], None], name: str) -> Iterator[bytes]:
    with damage_told(f"{name} is a zip file", FAULTS):
        while chunk := file.read(CHUNK):
            spend(len(chunk))
            yield chunk


def open_zip(source: Source) -> zipfile.ZipFile:
    """The zip at `source`. Raises DataError where its list of files alone is out of proportion."""
    with source.path.open("rb") as file:
        file.seek(max(0, source.size - TAIL_BYTES))
        tail = file.read()
    at = tail.rfind(b"PK\5\6")
    size = int.from_bytes(tail[at + 12 : at + 16], "little") if at >= 0 else 0
    if size == 2**32 - 1:
        at = tail.rfind(b"PK\6\6")
        size = int.from_bytes(tail[at + 40 : at + 48], "little") if at >= 0 else 0
    if size > limits.MAX_FILES * NAME_BYTES:
        raise DataError(
            f"{source.name} lists too many files; the limit is {limits.MAX_FILES:,}.",
            "Unpack it and give the files that hold the data.",
        )
    return zipfile.ZipFile(source.path)


def _printable(name: str) -> str:
    return "".join(c if c.isprintable() else "�" for c in name)
