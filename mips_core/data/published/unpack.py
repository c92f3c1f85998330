"""What is read of an archive: its files, or the first vectors of a long list of words."""

import gzip
import zipfile
import zlib
from collections.abc import Iterator
from pathlib import Path
from typing import IO, BinaryIO, cast

from mips_core.base.atomic_write import replacing
from mips_core.base.errors import DataError
from mips_core.base.limits import MAX_FILE_BYTES
from mips_core.base.progress import Progress
from mips_core.base.text import memory
from mips_core.data.published.entries import FIRST_WORDS, PublishedSet

CHUNK = 1 << 20
LONGEST_HEADER = 64  # bytes of "n d"
LONGEST_WORD = 4096  # bytes


def unpack(entry: PublishedSet, archive: Path, folder: Path, progress: Progress) -> None:
    """Write the files that are read of `archive` into `folder`, each whole or not at all.

    Raises DataError for an archive that is damaged or holds something else.
    """
    try:
        if archive.suffix == ".zip":
            _unzip(entry, archive, folder, progress)
        else:
            with archive.open("rb") as file:
                packed = file.read(2) == b"\x1f\x8b"
            with (
                gzip.open(archive) if packed else archive.open("rb") as opened,
                replacing(folder / entry.reads[0]) as out,
            ):
                copy_vectors(cast(IO[bytes], opened), out, FIRST_WORDS, progress)
    except (zipfile.BadZipFile, KeyError, EOFError, zlib.error, gzip.BadGzipFile) as error:
        raise DataError(
            f"{archive.name} is damaged or holds something else: {error}.",
            "Remove it, and fetch or place it again.",
        ) from None


def _unzip(entry: PublishedSet, archive: Path, folder: Path, progress: Progress) -> None:
    with zipfile.ZipFile(archive) as held:
        for number, (name, to) in enumerate(zip(entry.files, entry.reads, strict=True)):
            place = folder / to
            place.parent.mkdir(parents=True, exist_ok=True)
            with held.open(name) as member, replacing(place) as out:
                lines = 0 if entry.kind == "ratings" else FIRST_WORDS
                size = 0
                for piece in _pieces(member, lines):
                    size += len(piece)
                    if size > MAX_FILE_BYTES:
                        raise DataError(f"{name} is larger than {memory(MAX_FILE_BYTES)}.")
                    out.write(piece)
                    progress(number / len(entry.files), f"Unpacking {name}: {memory(size)}")


def _pieces(member: IO[bytes], lines: int) -> Iterator[bytes]:
    """All of it, or its first `lines` lines."""
    left = lines
    while piece := member.read(CHUNK):
        if lines:
            count = piece.count(b"\n")
            if count >= left:
                yield b"\n".join(piece.split(b"\n", left)[:left]) + b"\n"
                return
            left -= count
        yield piece


def copy_vectors(file: IO[bytes], out: BinaryIO, first: int, progress: Progress) -> None:
    """The `first` vectors of word2vec's binary layout; no more of `file` is read than these take.

    Raises DataError for another layout, or a file that ends before.
    """
    header = file.readline(LONGEST_HEADER).split()
    if len(header) != 2 or not all(part.isdigit() for part in header):
        raise DataError("The file does not begin with two whole numbers.", "It is no .bin.")
    n, d = min(int(header[0]), first), int(header[1])
    if not 0 < d <= 100_000:
        raise DataError(f"The file says that its vectors have {d:,} numbers.", "Get it again.")
    out.write(b"%d %d\n" % (n, d))
    held, at = b"", 0
    for word in range(n):
        while True:
            blank = held.find(b" ", at)
            if blank >= 0 and len(held) >= blank + 1 + 4 * d:
                break
            piece = file.read(CHUNK)
            if not piece or (blank < 0 and len(held) - at > LONGEST_WORD):
                raise DataError(f"The file ends or is damaged at vector {word + 1:,} of {n:,}.",
                                "Get it again.")  # fmt: skip
            held, at = held[at:] + piece, 0
        end = blank + 1 + 4 * d
        out.write(held[at:blank].lstrip(b"\n") + held[blank:end])
        at = end
        if word % 1000 == 0:
            progress(word / n, f"Vector {word:,} of {n:,}")
