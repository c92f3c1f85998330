"""Rows of an HDF5 file that are records, as PyTables and pandas write tables: their fields apart.

Fields that are single numbers are together one array, each a column; a field that is a list of
numbers is an array of its own, and a field of text or of ids may name the rows.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from math import prod
from typing import Any

import h5py
import numpy as np
from numpy.typing import NDArray

from mips_core.data.readers.arrays.named_arrays import TEXT, NamedArray
from mips_core.data.readers.names import is_id

NUMBERS = "fiub"


@dataclass(frozen=True)
class Fields:
    """Fields of the records (n) of a data set, read as if they were a data set of their own."""

    dataset: h5py.Dataset
    names: tuple[str, ...]
    dtype: np.dtype[Any]
    shape: tuple[int, ...]  # (n, d), or (n) for what names the rows

    @property
    def id(self) -> Any:
        """The data set's own identifier, for how it is stored."""
        return self.dataset.id

    @property
    def chunks(self) -> tuple[int, ...] | None:
        """Records that are stored together; None where all are."""
        chunks: tuple[int, ...] | None = self.dataset.chunks
        return chunks

    @property
    def name(self) -> str:
        """Its path in the file."""
        return f"{self.dataset.name}/{self.names[0]}"

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


def fields_of(path: str, dataset: h5py.Dataset) -> Mapping[str, Fields]:
    """The fields of records (n) by path; none where they hold no numbers."""
    dtype = dataset.dtype
    n = len(dataset) if len(dataset.shape) == 1 else 0
    if not n:
        return {}
    single = [name for name in dtype.names if _is_number(dtype[name]) and not is_id(name)]
    found = {f"{path}/{key}": fields for key, fields in _apart(dataset, n)}
    if single:
        kind = np.result_type(*[dtype[name] for name in single])
        found[path] = Fields(dataset, tuple(single), kind, (n, len(single)))
    return found if any(len(fields.shape) == 2 for fields in found.values()) else {}


def named(fields: Fields) -> NamedArray:
    """What is known of fields before they are read."""
    text = h5py.check_string_dtype(fields.dtype) is not None
    return NamedArray(fields.shape, fields.dtype, TEXT if text else "")


def _is_number(dtype: np.dtype[Any]) -> bool:
    return dtype.subdtype is None and dtype.kind in NUMBERS


def _apart(dataset: h5py.Dataset, n: int) -> Iterator[tuple[str, Fields]]:
    """Lists of numbers, texts, and whole numbers called ids, each with its name."""
    for name in dataset.dtype.names:
        dtype = dataset.dtype[name]
        base, inner = dtype.subdtype or (dtype, ())
        text = h5py.check_string_dtype(base) is not None and prod(inner) == 1
        if text or (base.kind in "iu" and inner == () and is_id(name)):
            yield name, Fields(dataset, (name,), base, (n,))
        elif base.kind in NUMBERS and len(inner) == 1:
            yield name, Fields(dataset, (name,), base, (n, *inner))
