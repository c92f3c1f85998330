"""Arrays and texts in one safetensors file, under one checksum of every byte.

Format: https://huggingface.co/docs/safetensors: 8 bytes of length, a JSON header of that length,
then the numbers of all arrays. Its metadata begin with the SHA-256 of the whole file, in which the
64 digits themselves count as zeros: so a single bit that changes anywhere is seen.

It is read here, array by array as the checksum goes on. safetensors' own library takes a file as
one `bytes` and copies every array out of it, so twice the memory, and panics where there is no
room for that in place of an error that can be told.
"""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from hashlib import sha256
from math import prod
from typing import Any, BinaryIO

import numpy as np
from numpy.typing import NDArray

from mips_core.base.errors import DataError
from mips_core.base.limits import MAX_HEADER_BYTES
from mips_core.base.text import in_one_line
from mips_core.data.readers.arrays.safetensors_file import DTYPES, METADATA, NAMES, START

FORMAT = "mips-explorer-index"
VERSION = 1  # of the format; goes up when an older program could misread a newer file
BEGINNING = b'{"' + METADATA.encode() + b'":{"sha256":"'
UNSIGNED = b"0" * 64
DIGITS = slice(len(BEGINNING), len(BEGINNING) + len(UNSIGNED))  # of the header: the checksum
PART = 2**24  # bytes hashed at once
MOST_SHOWN = 60  # characters of who made a file that a message repeats
KINDS = {np.dtype(kind): name for name, kind in DTYPES.items() if name not in NAMES}
AGAIN = "It may have been damaged on the way. Save or copy it again."

Arrays = Mapping[str, NDArray[Any]]


@dataclass(frozen=True, eq=False)
class Contents:
    """What a file holds: arrays and texts by name; besides these it says format and version."""

    texts: Mapping[str, str]
    arrays: Arrays


def write(file: BinaryIO, contents: Contents) -> None:
    """Write `contents` to an open file; arrays are not copied. DataError for too long a header."""
    arrays = dict(sorted(contents.arrays.items(), key=lambda pair: -pair[1].itemsize))  # aligned
    layout = {name: (KINDS[array.dtype], array.shape) for name, array in arrays.items()}
    head = _head({"format": FORMAT, "version": str(VERSION), **contents.texts}, layout)
    digest = sha256(head)
    for array in arrays.values():
        digest.update(_bytes_of(array))
    at = START + DIGITS.start
    file.write(head[:at] + digest.hexdigest().encode() + head[at + len(UNSIGNED) :])
    for array in arrays.values():
        file.write(_bytes_of(array))


def read(file: BinaryIO, name: str) -> Contents:
    """What `file`, open at its start and of this name, holds; once its checksum is right.

    Raises DataError for one that is not ours, is cut short or damaged, or of another version.
    """
    size = file.seek(0, 2)
    file.seek(0)
    head = _head_of(file, size, name)
    digest = sha256(head[: START + DIGITS.start] + UNSIGNED + head[START + DIGITS.stop :])
    written = head[START:][DIGITS]
    texts, layout = _understood(head[START:])
    if texts is None or texts.get("version") != str(VERSION):
        for part in iter(lambda: file.read(PART), b""):
            digest.update(part)
        if digest.hexdigest().encode() != written or texts is None:
            raise _damaged(name)
        raise _of_another_version(texts, name)
    _check_layout(head, texts, layout, size, name)
    arrays = {label: _array(file, *what, digest, name) for label, what in layout.items()}
    if digest.hexdigest().encode() != written:
        raise _damaged(name)
    return Contents({key: text for key, text in texts.items() if key != "sha256"}, arrays)


Entries = Mapping[str, tuple[str, tuple[int, ...]]]  # name -> kind of number, shape


def _head(texts: Mapping[str, str], layout: Entries) -> bytes:
    """The length and the header, with zeros for the checksum."""
    entries: dict[str, Any] = {METADATA: {"sha256": UNSIGNED.decode(), **texts}}
    stop = 0
    for name, (kind, shape) in layout.items():
        start, stop = stop, stop + prod(shape) * np.dtype(DTYPES[kind]).itemsize
        entries[name] = {"dtype": kind, "shape": list(shape), "data_offsets": [start, stop]}
    header = json.dumps(entries, separators=(",", ":")).encode()
    header += b" " * (-len(header) % START)
    if len(header) > MAX_HEADER_BYTES:
        raise DataError(
            f"The index would need a header of {len(header):,} bytes; the limit is "
            f"{MAX_HEADER_BYTES:,}.",
            "Build it with fewer rounds, levels or tables.",
        )
    return len(header).to_bytes(START, "little") + header


def _head_of(file: BinaryIO, size: int, name: str) -> bytes:
    """The length and the header of a file of ours."""
    start = file.read(START + DIGITS.stop)
    length = int.from_bytes(start[:START], "little")
    if not start[START:].startswith(BEGINNING):
        other = start[START : START + 1] == b"{" and length <= size
        what = "a safetensors file, but not an index" if other else "not an index file"
        raise DataError(
            f"{name} is {what} of this program.", "Give a file that it saved; most end in .mips."
        )
    if not DIGITS.stop <= length <= MAX_HEADER_BYTES:
        raise _damaged(name)
    if START + length > size:
        raise _cut_short(name, START + length, size)
    return start + file.read(START + length - len(start))


def _understood(header: bytes) -> tuple[dict[str, str] | None, Entries]:
    """Texts and layout that a header gives; None where it is not such a header."""
    try:
        entries = json.loads(header)
        texts = entries.pop(METADATA)
        layout = {name: (entry["dtype"], tuple(entry["shape"])) for name, entry in entries.items()}
        ours = texts["format"] == FORMAT and all(type(text) is str for text in texts.values())
    except (ValueError, TypeError, KeyError, AttributeError, RecursionError):
        return None, {}
    return (texts if ours else None), layout


def _check_layout(
    head: bytes, texts: Mapping[str, str], layout: Entries, size: int, name: str
) -> None:
    """Raise DataError unless the header is, byte for byte, the one we write for this layout."""
    for kind, shape in layout.values():
        if kind not in KINDS.values() or any(type(k) is not int or k < 0 for k in shape):
            raise _damaged(name)
    expected = _head({key: text for key, text in texts.items() if key != "sha256"}, layout)
    if head[START + DIGITS.stop :] != expected[START + DIGITS.stop :]:
        raise _damaged(name)
    end = len(head) + sum(prod(s) * np.dtype(DTYPES[kind]).itemsize for kind, s in layout.values())
    if end > size:
        raise _cut_short(name, end, size)
    if end < size:
        raise _damaged(name)


def _array(
    file: BinaryIO, kind: str, shape: tuple[int, ...], digest: Any, name: str
) -> NDArray[Any]:
    """The next array of `file`, and its bytes to the digest."""
    try:
        array = np.empty(shape, DTYPES[kind])
    except MemoryError:
        raise DataError(f"{name} does not fit into memory.") from None
    except ValueError:  # more dimensions, or longer ones beside one of 0, than an array has
        raise _damaged(name) from None
    from mips_core.data.readers.arrays.binary import fill  # all readers: not for a first curve

    if fill(array, file, lambda done: None) < array.nbytes:
        raise DataError(f"{name} ended while it was read.", AGAIN)
    digest.update(_bytes_of(array))
    return array


def _bytes_of(array: NDArray[Any]) -> memoryview:
    """The bytes of an array as they lie in memory, a copy only where it is not in C order."""
    flat = np.ascontiguousarray(array).reshape(-1)
    return flat.view(np.uint8).data


def _damaged(name: str) -> DataError:
    return DataError(f"{name} is damaged: its content does not fit its checksum.", AGAIN)


def _cut_short(name: str, promised: int, size: int) -> DataError:
    return DataError(
        f"{name} is cut short: {promised:,} bytes were written, the file has {size:,}.", AGAIN
    )


def _of_another_version(texts: Mapping[str, str], name: str) -> DataError:
    written = texts.get("version", "")
    made_by = in_one_line(texts.get("made_by", "another program"), MOST_SHOWN)
    number = int(written) if written.isascii() and written.isdigit() and len(written) < 10 else 0
    if number <= VERSION:
        return DataError(f"{name} is of an unknown version of the format.", "Save it again.")
    return DataError(
        f"{name} was made by a newer version ({made_by}): its format is {number}, the newest "
        f"read here is {VERSION}.",
        "Update this program, or save the index with this version.",
    )
