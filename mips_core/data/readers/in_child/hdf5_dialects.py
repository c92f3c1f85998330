"""What programs mean by the data sets of an HDF5 file: MATLAB 7.3 and Keras 3."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from math import prod
from typing import Any

import h5py
import numpy as np
from numpy.typing import NDArray

from mips_core.data.readers.arrays.named_arrays import TEXT, NamedArray, as_lists
from mips_core.data.readers.in_child.hdf5_content import Content, raw_attribute

MATLAB_NUMBERS = (b"double", b"single", b"logical", b"int", b"uint")
MOST_CELLS = 200_000  # each is a data set of its own
MOST_CHARACTERS = 10_000  # of one cell
CELL_BYTES = 8192  # that take as long to read as a cell does
CHARACTERS = {1: "latin-1", 2: "utf-16-le", 4: "utf-32-le"}  # by bytes of one
KERAS = re.compile(r"(?P<layer>.+)/vars/(?P<number>\d+)")
ROLES = {"0": "kernel", "1": "bias"}  # of the variables of a layer with both


@dataclass(frozen=True)
class Cells:
    """A list (n) of cells of MATLAB, which are texts elsewhere in the same file, as UTF-8.

    A cell that holds no text is empty.
    """

    dataset: h5py.Dataset
    shape: tuple[int]

    @property
    def dtype(self) -> np.dtype[Any]:
        """Python's bytes."""
        return np.dtype(object)

    @property
    def nbytes(self) -> int:
        """Bytes that take as long to read."""
        return CELL_BYTES * self.shape[0]

    @cached_property
    def _references(self) -> NDArray[Any]:
        references: NDArray[Any] = self.dataset[...].reshape(-1)
        return references

    def __getitem__(self, rows: Any) -> NDArray[Any]:
        texts = [_text(self.dataset.file, reference) for reference in self._references[rows]]
        return np.array([text.encode() for text in texts], object)


def as_in_matlab(content: Content) -> Mapping[str, NamedArray]:
    """Arrays with the shapes they have in MATLAB, which stores columns first; cells of text."""
    numbers, cells = {}, {}
    for path, array in content.arrays.items():
        dataset = content.sets[path]
        kind = raw_attribute(dataset, "MATLAB_class") or b""
        if "MATLAB_empty" in dataset.attrs:
            continue
        if kind.startswith(MATLAB_NUMBERS):
            numbers[path] = array
        elif kind == b"cell" and array.stored == "references":
            n = prod(array.shape)
            if max(array.shape, default=0) == n <= MOST_CELLS:  # one row or one column
                cells[path] = Cells(dataset, (n,))
    shapes = as_lists({path: array.shape[::-1] for path, array in numbers.items()})
    content.sets.update(cells)
    return {path: NamedArray(shapes[path], array.dtype) for path, array in numbers.items()} | {
        path: NamedArray(cell.shape, cell.dtype, TEXT) for path, cell in cells.items()
    }


def _text(file: h5py.File, reference: Any) -> str:
    """What a cell refers to, if that is text; "" for anything else.

    h5py's lower level: a list may have a hundred thousand cells.
    """
    cell = h5py.h5r.dereference(reference, file.id) if reference else None
    if not isinstance(cell, h5py.h5d.DatasetID) or h5py.h5a.exists(cell, b"MATLAB_empty"):
        return ""
    dtype = cell.dtype
    if dtype.kind != "u" or dtype.itemsize not in CHARACTERS or not _is_char(cell):
        return ""
    if prod(cell.shape) > MOST_CHARACTERS:
        return ""
    codes = np.empty(cell.shape, dtype.newbyteorder("<"))
    cell.read(h5py.h5s.ALL, h5py.h5s.ALL, codes)
    return codes.tobytes().decode(CHARACTERS[dtype.itemsize], errors="replace")


def _is_char(cell: h5py.h5d.DatasetID) -> bool:
    """Whether MATLAB says that the numbers of a cell are characters."""
    if not h5py.h5a.exists(cell, b"MATLAB_class"):
        return False
    attribute = h5py.h5a.open(cell, b"MATLAB_class")
    if attribute.shape != () or attribute.dtype.kind != "S":
        return False
    value = np.empty((), attribute.dtype)
    attribute.read(value)
    return bool(value == b"char")


def as_in_keras(content: Content) -> Mapping[str, NamedArray]:
    """Arrays by the names their layers give them, where Keras 3 numbers them: layer/vars/0.

    A table beside one number for each of its columns is the kernel of a layer, and these its bias.
    What the optimizer keeps is left out.
    """
    arrays: dict[str, NamedArray] = {}
    for path, array in content.arrays.items():
        match = KERAS.fullmatch(path)
        if match is None:
            arrays[path] = array
            continue
        layer, number = match["layer"], match["number"]
        if layer.split("/")[0] == "optimizer":
            continue
        kernel, bias = [content.arrays.get(f"{layer}/vars/{i}") for i in ROLES]
        name = path
        if number == "0" and bias is None:
            name = layer
        elif number in ROLES and kernel and bias and kernel.shape[1:] == bias.shape:
            name = f"{layer}/{ROLES[number]}"
        arrays[name] = array
        content.sets[name] = content.sets[path]
    return arrays
