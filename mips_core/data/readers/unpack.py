"""Before files are read: found, small enough, out of their archive, text in UTF-8 with line feeds.

What an archive grows to is measured while it grows; its own word for it is not believed.
"""

import re
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from functools import partial
from itertools import count
from pathlib import Path
from tempfile import TemporaryDirectory

from mips_core.base import limits
from mips_core.base.errors import DataError
from mips_core.base.progress import Progress, silent, span
from mips_core.base.text import shown_name
from mips_core.data.readers.contract import AGAIN, Source
from mips_core.data.readers.inflate import (
    CHUNK,
    UnpackBudget,
    inflated,
    is_packed,
    is_zip,
    members,
    only_member,
)
from mips_core.data.readers.text.lines import is_text

MANY, MANY_HEAD = 200, 4096  # files from which on each keeps fewer bytes to be recognised by
CONTROL = re.compile(r"[\0-\x08\x0e-\x1a]")
UTF16 = {b"\xff\xfe": "utf-16-le", b"\xfe\xff": "utf-16-be"}


@contextmanager
def unpacked(paths: Sequence[Path], progress: Progress = silent) -> Iterator[list[Source]]:
    """The files at `paths` and inside them, ready to be recognised; copies are gone afterwards.

    .gz, .bz2 and .xz hold one file, .zip any number. Raises DataError for a file that is missing,
    empty, too large (before or after unpacking), a folder, or a damaged archive.
    """
    with TemporaryDirectory(prefix="mips-") as folder:
        room = _Room(Path(folder))
        sources: list[Source] = []
        for i, path in enumerate(paths):
            share = span(progress, i / len(paths), (i + 1) / len(paths))
            sources += _opened(path, room, share, len(paths))
        try:
            yield sources
        except DataError as error:
            _name_archive(error, {source.archive for source in sources})
            raise


class _Room:
    """Places for copies, which are numbered: no name from an archive becomes a path."""

    def __init__(self, folder: Path) -> None:
        self.places = (folder / f"{number}" for number in count(1))
        self.budget = UnpackBudget()


def _opened(path: Path, room: _Room, progress: Progress, beside: int) -> list[Source]:
    source = replace(_open(path), progress=span(progress, 0.3, 1.0))
    if is_packed(source):
        source = _copy(source, room, inflated(source, room.budget, span(progress, 0.0, 0.3)))
    if not is_zip(source):
        return [_short(_plain(source, room), beside)]
    held: list[Source] = []
    only = only_member(source)
    for name, chunks in members(source, room.budget, span(progress, 0.0, 0.3)):
        if only and name != only:
            continue
        member = _copy(replace(source, name=name, archive=source.name), room, chunks)
        if is_packed(member):
            member = _copy(member, room, inflated(member, room.budget, silent))
        if member.size:
            held.append(_short(_plain(member, room), len(held)))
    if not held:
        raise DataError(f"{source.name} holds no files with content.", "Zip the data again.")
    return _shared(held, span(progress, 0.3, 1.0))


def _name_archive(error: DataError, archives: set[str]) -> None:
    """Let `error` name the archive that a file came from, which is what was given."""
    if len(archives) == 1 and (archive := archives.pop()) and archive not in error.found:
        error.found = f"{archive}: {error.found}"
        error.args = (f"{error.found} {error.remedy}".strip(),)


def _short(source: Source, beside: int) -> Source:
    """`source` with less of its beginning in memory where thousands are read together."""
    return replace(source, head=source.head[:MANY_HEAD]) if beside > MANY else source


def _shared(sources: list[Source], progress: Progress) -> list[Source]:
    """The members of an archive, each with its share of the progress by size."""
    total, done, shared = sum(source.size for source in sources), 0, []
    for source in sources:
        part = span(progress, done / total, (done + source.size) / total)
        shared.append(replace(source, progress=part))
        done += source.size
    return shared


def _open(path: Path) -> Source:
    if path.is_dir():
        raise DataError(f"{shown_name(path)} is a folder.", "Give the file inside it.")
    try:
        source = Source.of(path)
    except FileNotFoundError:
        raise DataError(f"{path} was not found.", "Check the name and the folder.") from None
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or str(error)
        raise DataError(f"{shown_name(path)} cannot be opened: {reason}.") from None
    if source.size == 0:
        raise DataError(f"{source.name} is empty (0 bytes).", AGAIN)
    if source.size > limits.MAX_FILE_BYTES:
        raise DataError(
            f"{source.name} is {source.size / 2**20:,.0f} MB; the limit is "
            f"{limits.MAX_FILE_BYTES / 2**20:,.0f} MB.",
            "Give its first rows only.",
        )
    return source


def _copy(source: Source, room: _Room, chunks: Iterator[bytes]) -> Source:
    """`source` with the content of `chunks`. Raises DataError where there is none."""
    path = next(room.places)
    with path.open("wb") as file:
        for chunk in chunks:
            file.write(chunk)
    copy = replace(Source.of(path, source.name, source.progress), archive=source.archive)
    if not copy.size and not source.archive:
        raise DataError(f"{source.name} holds an empty file.", AGAIN)
    return copy


def _plain(source: Source, room: _Room) -> Source:
    """`source` with its text in UTF-8 and lines that end in line feeds."""
    if _is_utf16(source.head):
        return _copy(source, room, _transcoded(source))
    lone = b"\r" in source.head and b"\n" not in source.head and b"\0" not in source.head
    if lone and is_text(source.head):
        with source.path.open("rb") as file:
            chunks = iter(partial(file.read, CHUNK), b"")
            return _copy(source, room, (chunk.replace(b"\r", b"\n") for chunk in chunks))
    return source


def _is_utf16(head: bytes) -> bool:
    """Whether a file begins with a UTF-16 mark and goes on as text, not as numbers of that look."""
    if head[:2] not in UTF16:
        return False
    text = head[2 : 2 + len(head) // 2 * 2 - 2].decode(UTF16[head[:2]], errors="replace")
    return not CONTROL.search(text) and (text.isascii() or re.search(r"[\s\d]", text) is not None)


def _transcoded(source: Source) -> Iterator[bytes]:
    encoding = UTF16[source.head[:2]]
    try:
        with source.path.open(encoding=encoding, newline="") as file:
            while text := file.read(CHUNK):
                yield text.encode()
    except UnicodeError:
        raise DataError(
            f"{source.name} begins as UTF-16 text and does not go on as such.",
            "Save it as UTF-8 text.",
        ) from None
