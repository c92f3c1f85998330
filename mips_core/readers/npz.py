"""NumPy's .npz: several arrays in one zip; which is which is told by shape, then by name."""

import zipfile
import zlib
from math import prod
from typing import Any

import numpy as np
from numpy.typing import NDArray

from mips_core import limits
from mips_core.errors import DataError
from mips_core.readers import npy
from mips_core.readers.base import Rank, Reader, Source, Table, register
from mips_core.readers.npy import Header
from mips_core.readers.words import IDS, ITEMS, LABELS, QUERIES, VECTORS, plain, quoted

CHUNK = 2**20
Headers = dict[str, Header]


def matches(head: bytes, name: str) -> bool:
    """A zip whose first member is a .npy, or an empty zip called .npz."""
    if head.startswith(b"PK\x05\x06"):
        return name.endswith(".npz")
    length = int.from_bytes(head[26:28], "little")
    return head.startswith(b"PK\x03\x04") and head[30 : 30 + length].endswith(b".npy")


def read(source: Source) -> Table:
    """Items, and queries and labels where names and shapes tell them."""
    try:
        with zipfile.ZipFile(source.path) as archive:
            headers = _headers(archive, source.name)
            return _read(archive, headers, source.name)
    except (zipfile.BadZipFile, zlib.error, EOFError, OSError, NotImplementedError, RuntimeError):
        raise DataError(
            f"{source.name} is a .npz file that is damaged, cut short or encrypted.",
            "Save or download it again.",
        ) from None


def _headers(archive: zipfile.ZipFile, name: str) -> Headers:
    headers = {}
    for info in archive.infolist():
        if info.filename.endswith(".npy"):
            with archive.open(info) as file:
                key = info.filename.removesuffix(".npy")
                headers[key] = npy.read_header(file, f"{name}, “{key}”,")
    if {"indices", "indptr", "format", "shape"} <= headers.keys():
        raise DataError(
            f"{name} is a sparse matrix saved by SciPy.",
            "Save matrix.toarray() with numpy.save and give the .npy.",
        )
    return headers


def _read(archive: zipfile.ZipFile, headers: Headers, name: str) -> Table:
    tables = {k: h for k, h in headers.items() if len(h.shape) == 2 and h.dtype.kind in "fiub"}
    if not tables:
        _refuse(headers, name)
    items, queries = choose(tables, name)
    notes = [] if len(headers) == 1 else [f"“{items}” ({tables[items].size}) is taken as items."]
    if queries:
        notes.append(f"“{queries}” ({tables[queries].size}) is taken as queries.")
    label = _label(headers, tables[items].shape[0])
    if label:
        notes.append(f"“{label}” is taken as labels.")
    unused = [
        f"{key}: Python objects, never opened" if header.dtype.hasobject else key
        for key, header in headers.items()
        if key not in (items, queries, label)
    ]
    if unused:
        notes.append(f"Left out: {quoted(unused)}.")
    return Table(
        _array(archive, items, headers[items], name),
        npy.strings(_array(archive, label, headers[label], name)) if label else None,
        _array(archive, queries, headers[queries], name) if queries else None,
        notes,
    )


def _refuse(headers: Headers, name: str) -> None:
    if not headers:
        raise DataError(f"{name} holds no arrays.", npy.TWO_DIMENSIONS)
    if len(headers) == 1:
        ((key, header),) = headers.items()
        npy.check_numbers(header, f"{name}, “{key}”,")
        npy.check_dimensions(header, f"{name}, “{key}”,")
    found = ", ".join(f"“{k}” ({h.size}, {h.dtype.name})" for k, h in headers.items())
    raise DataError(f"{name} holds no two-dimensional array of numbers: {found}.",
                    npy.TWO_DIMENSIONS)  # fmt: skip


def choose(tables: Headers, name: str) -> tuple[str, str]:
    """Names of the items and of the queries ("" for none) among arrays (n, d).

    Raises DataError listing the candidates where neither shape nor name decides.
    """
    named = {plain(key): key for key in tables}
    asked = [named[n] for n in QUERIES if n in named]
    rest = [key for key in tables if key not in asked] or list(tables)
    for known in (ITEMS, VECTORS):
        rest = [named[n] for n in known if named.get(n) in rest][:1] or rest
    if len(rest) == 1:
        same = [q for q in asked if q != rest[0] and tables[q].shape[1] == tables[rest[0]].shape[1]]
        if same or not asked or rest[0] in asked or plain(rest[0]) in ITEMS + VECTORS:
            return rest[0], same[0] if same else ""
    found = ", ".join(f"“{key}” ({header.size})" for key, header in tables.items())
    raise DataError(
        f"{name} holds several tables, and their names do not tell which to search: {found}.",
        "Name them “items” and “queries”, or save the one to search with numpy.save.",
    )


def _label(headers: Headers, n: int) -> str:
    """The array that names n rows, or "": text before whole numbers, known names first."""
    fit = {plain(k): k for k, h in headers.items() if h.shape == (n,) and h.dtype.kind in "US"}
    whole = {plain(k): k for k, h in headers.items() if h.shape == (n,) and h.dtype.kind in "iu"}
    known = [fit[name] for name in LABELS if name in fit] + list(fit.values())
    return (known + [whole[name] for name in IDS if name in whole] + [""])[0]


def _array(archive: zipfile.ZipFile, key: str, header: Header, name: str) -> NDArray[Any]:
    info = archive.getinfo(f"{key}.npy")
    npy.check_size(header, info.file_size - header.offset, f"{name}, “{key}”,")
    if header.nbytes > limits.MAX_FILE_BYTES:
        raise DataError(
            f"{name}, “{key}”, takes {header.nbytes / 2**20:,.0f} MB; the limit is "
            f"{limits.MAX_FILE_BYTES / 2**20:,.0f} MB.",
            "Give its first rows only.",
        )
    flat = np.empty(prod(header.shape), header.dtype)
    room, done = flat.view(np.uint8).data, 0
    with archive.open(info) as file:
        file.read(header.offset)
        while chunk := file.read(min(CHUNK, len(room) - done)):
            room[done : done + len(chunk)] = chunk
            done += len(chunk)
    npy.check_size(header, done, f"{name}, “{key}”,")
    return npy.as_array(flat, header)


register(Reader("npz", "NumPy .npz", (".npz",), Rank.MAGIC, matches, read))
