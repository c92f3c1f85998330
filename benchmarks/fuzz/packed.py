"""Formats that hold others: opened, damaged inside and closed again with sums that are right.

Outer damage alone would be caught by the first checksum or length, and nothing behind it be tried.
"""

import bz2
import gzip
import io
import json
import lzma
import struct
import warnings
import zipfile
import zlib
from collections.abc import Callable
from dataclasses import dataclass
from hashlib import sha256
from random import Random

from mips_core.serving.store.tensors import BEGINNING, DIGITS, METADATA, UNSIGNED
from mips_core.studies.runs import files as runs

ARRAY, LAYOUT = "array ", "layout"
MOST_MEMBERS = 50
MOST_INSIDE = 2_000_000


@dataclass(frozen=True)
class Form:
    """`parts` opens content, and raises or gives nothing where it is not of this form."""

    matches: Callable[[bytes], bool]
    parts: Callable[[bytes], dict[str, bytes]]
    join: Callable[[dict[str, bytes], Random], bytes]


def _zip_parts(content: bytes) -> dict[str, bytes]:
    with zipfile.ZipFile(io.BytesIO(content)) as archive:
        members = archive.infolist()
        if len(members) > MOST_MEMBERS or sum(m.file_size for m in members) > MOST_INSIDE:
            return {}
        return {member.filename: archive.read(member) for member in members}


def _zip_join(parts: dict[str, bytes], rng: Random) -> bytes:
    out = io.BytesIO()
    method = rng.choice((zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED))
    with zipfile.ZipFile(out, "w", method) as archive, warnings.catch_warnings():
        warnings.simplefilter("ignore")  # a name may come twice
        for name, content in parts.items():
            archive.writestr(zipfile.ZipInfo(name or "x"), content, method)
    return out.getvalue()


def _npy_parts(content: bytes) -> dict[str, bytes]:
    width = 2 if content[6] == 1 else 4
    stop = 8 + width + int.from_bytes(content[8 : 8 + width], "little")
    return {
        "version": content[6:8],
        "header": content[8 + width : stop],
        "data": content[stop:],
    }


def _npy_join(parts: dict[str, bytes], rng: Random) -> bytes:
    header = parts["header"]
    kind = "<H" if parts["version"][:1] == b"\1" and len(header) < 2**16 else "<I"
    return b"\x93NUMPY" + parts["version"] + struct.pack(kind, len(header)) + header + parts["data"]


def _is_safetensors(content: bytes) -> bool:
    return content[8:9] == b"{" and int.from_bytes(content[:8], "little") <= len(content) - 8


def _safetensors_parts(content: bytes) -> dict[str, bytes]:
    stop = 8 + int.from_bytes(content[:8], "little")
    return {"header": content[8:stop], "data": content[stop:]}


def _safetensors_join(parts: dict[str, bytes], rng: Random) -> bytes:
    return struct.pack("<Q", len(parts["header"])) + parts["header"] + parts["data"]


def _stream(magic: bytes, unpack: Callable[[bytes], bytes], pack: Callable[[bytes], bytes]) -> Form:
    return Form(
        lambda content: content.startswith(magic),
        lambda content: {"": unpack(content)},
        lambda parts, rng: pack(parts[""]),
    )


def _index_parts(content: bytes) -> dict[str, bytes]:
    """Texts, layout and arrays of an index file."""
    stop = 8 + int.from_bytes(content[:8], "little")
    layout = json.loads(content[8:stop])
    texts = layout.pop(METADATA)
    parts = {name: text.encode() for name, text in texts.items() if name != "sha256"}
    for name, entry in layout.items():
        start, end = entry["data_offsets"]
        parts[f"{ARRAY}{name}"] = content[stop:][start:end]
    return {**parts, LAYOUT: json.dumps(layout).encode()}


def _index_join(parts: dict[str, bytes], rng: Random) -> bytes:
    texts = {name: text.decode("utf-8", "replace") for name, text in parts.items()
             if name != LAYOUT and not name.startswith(ARRAY)}  # fmt: skip
    data = b"".join(part for name, part in parts.items() if name.startswith(ARRAY))
    entries = {METADATA: {"sha256": UNSIGNED.decode(), **texts}, **json.loads(parts[LAYOUT])}
    header = json.dumps(entries, separators=(",", ":")).encode()
    header += b" " * (-len(header) % 8)
    whole = struct.pack("<Q", len(header)) + header + data
    at = 8 + DIGITS.start
    return whole[:at] + sha256(whole).hexdigest().encode() + whole[at + len(UNSIGNED) :]


def _runs_parts(content: bytes) -> dict[str, bytes]:
    document = json.loads(content)
    return {"content": json.dumps({name: document[name] for name in ("made_by", "runs")}).encode()}


def _runs_join(parts: dict[str, bytes], rng: Random) -> bytes:
    content = json.loads(parts["content"])
    head = {"format": runs.FORMAT, "version": runs.VERSION, "sha256": runs.checksum(content)}
    return json.dumps(head | content).encode()


FORMS = (
    Form(lambda content: content[8:].startswith(BEGINNING), _index_parts, _index_join),
    Form(lambda content: content.startswith(b'{"format": "MIPS'), _runs_parts, _runs_join),
    Form(lambda content: content.startswith(b"PK\x03\x04"), _zip_parts, _zip_join),
    Form(lambda content: content.startswith(b"\x93NUMPY"), _npy_parts, _npy_join),
    Form(_is_safetensors, _safetensors_parts, _safetensors_join),
    _stream(b"\x1f\x8b", gzip.decompress, lambda plain: gzip.compress(plain, mtime=0)),
    _stream(b"BZh", bz2.decompress, bz2.compress),
    _stream(b"\xfd7zXZ\0", lzma.decompress, lambda plain: lzma.compress(plain, preset=0)),
)


def opened(content: bytes) -> tuple[Form, dict[str, bytes]] | None:
    """The form of `content` and its parts; None where it has none or is damaged already."""
    for form in FORMS:
        if form.matches(content):
            try:
                parts = form.parts(content)
            except (OSError, EOFError, ValueError, IndexError, RuntimeError, zipfile.BadZipFile,
                    zlib.error, lzma.LZMAError, KeyError, TypeError, AttributeError):  # fmt: skip
                return None
            return (form, parts) if parts else None
    return None
