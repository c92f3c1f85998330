"""What an HDF5 file holds: its data sets by path, and which of them are not opened and why.

Records, as PyTables and pandas write tables, are read as if their fields were data sets. Fields
that are single numbers are together one array, each a column; a field that is a list of numbers is
an array of its own, and a field of text or of ids may name the rows.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from math import prod
from typing import Any

import h5py
import numpy as np
from numpy.typing import NDArray

from mips_core.base.errors import DataError
from mips_core.data.readers.arrays.named_arrays import TEXT, NamedArray
from mips_core.data.readers.names import is_id

MOST_OBJECTS = 20_000
MOST_LEVELS = 40


@dataclass
class Content:
    """Data sets by path, or what is read like one: those that may be, and why others may not."""

    sets: dict[str, Any] = field(default_factory=dict)
    arrays: dict[str, NamedArray] = field(default_factory=dict)
    closed: dict[str, str] = field(default_factory=dict)


def content_of(file: h5py.File, name: str) -> Content:
    """All data sets reached by hard links, each once."""
    content, seen, groups = Content(), set(), [("", file["/"])]
    while groups:
        path, group = groups.pop()
        for inner, member in _members(group, path, content):
            address = h5py.h5o.get_info(member.id).addr
            if address in seen:
                continue
            seen.add(address)
            if len(seen) > MOST_OBJECTS or inner.count("/") > MOST_LEVELS:
                raise DataError(
                    f"{name} holds more than {MOST_OBJECTS:,} objects or more than "
                    f"{MOST_LEVELS} levels of groups.",
                    "Save the vectors in a file of their own.",
                )
            if isinstance(member, h5py.Group) and not _is_hidden(inner):
                groups.append((inner, member))
            elif isinstance(member, h5py.Dataset):
                _add(content, inner, member)
    return content


def _is_hidden(path: str) -> bool:
    """Whether a group holds the cells of MATLAB, or what PyTables keeps to find rows."""
    return path == "#refs#" or path.rpartition("/")[2].startswith("_i_")


def _members(group: h5py.Group, path: str, content: Content) -> Iterator[tuple[str, Any]]:
    """(path, object) of all that lies in a group itself."""
    for name in group:
        inner = f"{path}/{name}".lstrip("/")
        if not isinstance(group.get(name, getlink=True), h5py.HardLink):
            content.closed[inner] = "a link to another place, which is not followed"
            continue
        try:
            yield inner, group[name]
        except (OSError, RuntimeError, KeyError, TypeError, ValueError):
            content.closed[inner] = "damaged"


def _add(content: Content, path: str, dataset: h5py.Dataset) -> None:
    """Put a data set among those that may be read, or among the others."""
    settings = dataset.id.get_create_plist()
    filters = [settings.get_filter(i) for i in range(settings.get_nfilters())]
    missing = [f for f in filters if not h5py.h5z.filter_avail(f[0])]
    if settings.get_external_count():
        content.closed[path] = "kept in other files, which are not opened"
    elif dataset.is_virtual:
        content.closed[path] = "a virtual data set, made of others that are not opened"
    elif missing:
        called = missing[0][3].decode(errors="replace") or f"number {missing[0][0]}"
        content.closed[path] = f"packed with the filter “{called[:60]}”, which is not part of HDF5"
    elif dataset.shape is not None:
        try:
            dtype = dataset.dtype
        except TypeError:
            content.closed[path] = "of a type that NumPy does not have"
            return
        fields = fields_of(path, dataset) if dtype.names else {}
        for inner, held in (fields or {path: dataset}).items():
            content.sets[inner] = held
            content.arrays[inner] = NamedArray(held.shape, held.dtype, _stored(held.dtype))


def _stored(dtype: np.dtype[Any]) -> str:
    """What an element is, where NumPy has no dtype of its own for it."""
    if dtype.kind == "O" and h5py.check_string_dtype(dtype) is not None:
        return TEXT  # first: text counts as a list of characters too
    if h5py.check_vlen_dtype(dtype) is not None:
        return "lists"
    if h5py.check_ref_dtype(dtype) is not None:
        return "references"
    return "records" if dtype.names else ""


def raw_attribute(dataset: h5py.Dataset | h5py.File, name: str) -> bytes | None:
    """A text attribute as bytes, or None."""
    try:
        value = dataset.attrs.get(name)
    except (OSError, RuntimeError, KeyError, TypeError, ValueError):
        return None
    value = value.encode(errors="replace") if isinstance(value, str) else value
    return bytes(value) if isinstance(value, bytes) else None


def attribute(file: h5py.File, name: str) -> str:
    """A text attribute of the whole file in lower case; "" where there is none."""
    return (raw_attribute(file, name) or b"").decode(errors="replace")[:40].lower()


NUMBERS = "fiub"


@dataclass(frozen=True)
class RecordFields:
    """Fields of the records (n) of a data set, read as if they were a data set of their own."""

    dataset: h5py.Dataset
    names: tuple[str, ...]
    dtype: np.dtype[Any]
    shape: tuple[int, ...]  # (n, d), or (n) for what names the rows

    @property
    def nbytes(self) -> int:
        """Bytes of these fields alone."""
        return prod(self.shape) * self.dtype.itemsize

    def __getitem__(self, rows: Any) -> NDArray[Any]:
        if len(self.shape) == 1 or len(self.names) == 1:
            block = np.asarray(self.dataset.fields(self.names[0])[rows])
            return block.reshape(len(block), *self.shape[1:])
        block = self.dataset.fields(list(self.names))[rows]
        return np.stack([block[name].astype(self.dtype) for name in self.names], axis=1)


def fields_of(path: str, dataset: h5py.Dataset) -> Mapping[str, RecordFields]:
    """The fields of records (n) by path; none where they hold no numbers."""
    dtype = dataset.dtype
    n = len(dataset) if len(dataset.shape) == 1 else 0
    if not n:
        return {}
    single = [name for name in dtype.names if _is_number(dtype[name]) and not is_id(name)]
    by_path = {f"{path}/{key}": fields for key, fields in _apart(dataset, n)}
    if single:
        kind = np.result_type(*[dtype[name] for name in single])
        by_path[path] = RecordFields(dataset, tuple(single), kind, (n, len(single)))
    return by_path if any(len(fields.shape) == 2 for fields in by_path.values()) else {}


def _is_number(dtype: np.dtype[Any]) -> bool:
    return dtype.subdtype is None and dtype.kind in NUMBERS


def _apart(dataset: h5py.Dataset, n: int) -> Iterator[tuple[str, RecordFields]]:
    """Lists of numbers, texts, and whole numbers called ids, each with its name."""
    for name in dataset.dtype.names:
        dtype = dataset.dtype[name]
        base, inner = dtype.subdtype or (dtype, ())
        text = h5py.check_string_dtype(base) is not None and prod(inner) == 1
        if text or (base.kind in "iu" and inner == () and is_id(name)):
            yield name, RecordFields(dataset, (name,), base, (n,))
        elif base.kind in NUMBERS and len(inner) == 1:
            yield name, RecordFields(dataset, (name,), base, (n, *inner))
