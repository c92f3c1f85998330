"""The table in an HDF5 file.

Nothing outside the file is followed: no links to other files, no data kept in other files, no
virtual data sets.
"""

from collections.abc import Mapping
from contextlib import closing
from math import prod
from typing import Any

import h5py
import numpy as np

from mips_core.base import limits
from mips_core.base.errors import DataError
from mips_core.data.readers.arrays.array_roles import assign
from mips_core.data.readers.arrays.named_arrays import NamedArray
from mips_core.data.readers.choices import Choices
from mips_core.data.readers.contract import AGAIN, Source, damage_told
from mips_core.data.readers.in_child.hdf5_content import Content, attribute, content_of
from mips_core.data.readers.in_child.hdf5_dialects import as_in_keras, as_in_matlab
from mips_core.data.readers.in_child.room import Room, check_growth, table_facts
from mips_core.data.readers.names import decode

MATLAB = b"MATLAB 7.3"
BLOCK_BYTES = 2**23
TEXT_ROWS = 1024
OTHER_METRICS = {"jaccard": "Jaccard similarity of sets", "hamming": "Hamming distance of bits"}


def parse(source: Source, room: Room, choices: Mapping[str, Any]) -> dict[str, Any]:
    """Writes the arrays of a table into `room`; its facts. Runs in the child."""
    faults = (OSError, RuntimeError, KeyError, TypeError, ValueError)
    with damage_told(f"{source.name} is an HDF5 file", faults), h5py.File(source.path, "r") as file:
        return _parse(file, source, room, Choices(**choices))


def _parse(file: h5py.File, source: Source, room: Room, choices: Choices) -> dict[str, Any]:
    content = content_of(file, source.name)
    matlab = source.head.startswith(MATLAB)
    content.arrays = dict(as_in_matlab(content) if matlab else as_in_keras(content))
    _check_closed(content, source.name, choices)
    distance = attribute(file, "distance")
    _refuse_other_metrics(content.arrays, distance, attribute(file, "type"), source.name)
    roles = assign(content.arrays, choices, source.name)
    taken = roles.numbers
    for path in roles.names:
        _check_size(content.sets[path], f"{source.name}, “{path}”,", source.size)
    named = content.sets[roles.label].nbytes if roles.label else 0
    room.allow(sum(content.sets[path].nbytes for path in taken.values()) + named + source.size)
    for role, path in taken.items():
        _copy(content.sets[path], role, source, room)
    labels, notes = _labels(content, roles.label, source.name) if roles.label else (None, [])
    notes = [*roles.notes, *notes, *_notes(content, distance, matlab)]
    turned = {"vectors": matlab != roles.transposed, "queries": matlab}
    sideways = [role for role in taken if turned.get(role)]
    return table_facts(labels, notes, roles.offers, sideways)


def _check_closed(content: Content, name: str, choices: Choices) -> None:
    """Raise DataError where what is wanted, or all there is, may not be read."""
    wanted = next((p for p in (choices.array, choices.queries) if p in content.closed), None)
    tables = any(array.is_table for array in content.arrays.values())
    if content.closed and (wanted or not tables):
        path = wanted or next(iter(content.closed))
        raise DataError(
            f"{name}: “{path}” is {content.closed[path]}.",
            "Copy the numbers into one file, unpacked or with gzip, and give that.",
        )


def _refuse_other_metrics(
    arrays: Mapping[str, NamedArray], distance: str, kind: str, name: str
) -> None:
    """Raise DataError for benchmark sets of bits or of sparse sets."""
    train = arrays.get("train")
    if train is None:
        return
    if distance not in OTHER_METRICS and kind == "sparse":
        distance = "jaccard"
    if distance not in OTHER_METRICS and train.dtype.kind == "b":
        distance = "hamming"
    if distance in OTHER_METRICS:
        raise DataError(
            f"{name} is a benchmark set for {OTHER_METRICS[distance]} ({distance}), not for inner "
            "products.",
            "Give vectors of numbers, one a row; cosine and Euclidean distance can be searched.",
        )


def _check_size(dataset: Any, what: str, file_bytes: int) -> None:
    """Raise DataError unless the data can be there and are within limits."""
    held = _held_in(dataset).id
    count, stored = prod(dataset.shape), held.get_storage_size()
    nbytes = count * dataset.dtype.itemsize
    size = " × ".join(f"{length:,}" for length in dataset.shape)
    if count > limits.MAX_VALUES or nbytes > limits.MAX_FILE_BYTES:
        raise DataError(
            f"{what} holds {size} entries ({nbytes / 2**20:,.0f} MB); the limits are "
            f"{limits.MAX_VALUES:,} and {limits.MAX_FILE_BYTES / 2**20:,.0f} MB.",
            "Give its first rows only.",
        )
    layout = held.get_create_plist().get_layout()
    if nbytes and not stored and layout != h5py.h5d.COMPACT:
        raise DataError(f"{what} promises {size} entries, and none were ever written.", AGAIN)
    start = held.get_offset() if layout == h5py.h5d.CONTIGUOUS else 0
    if nbytes and (stored > file_bytes or (start or 0) + stored > file_bytes):
        raise DataError(
            f"{what} is cut short: {size} entries take {stored:,} bytes, and the file has "
            f"{file_bytes:,}.",
            AGAIN,
        )
    check_growth(what, nbytes, file_bytes)


def _held_in(dataset: Any) -> Any:
    """The data set that fields of records or cells lie in; any other itself."""
    return getattr(dataset, "dataset", dataset)


def _copy(dataset: Any, role: str, source: Source, room: Room) -> None:
    """Put a table, or for the bias a list, into `room` in whole rows of chunks."""
    dtype = np.dtype(dataset.dtype.str)
    if role == "bias":
        room.save(role, np.asarray(dataset[...], dtype).reshape(-1))
        return
    n, width = dataset.shape
    chunk = (_held_in(dataset).chunks or (1,))[0]
    step = max(1, BLOCK_BYTES // max(1, width * dtype.itemsize) // chunk) * chunk
    with closing(room.rows(role, dtype, width)) as rows:
        for start in range(0, n, step):
            rows.add(dataset[start : start + step])
            source.reached(int(source.size * min(1, (start + step) / n)))


def _labels(content: Content, path: str, name: str) -> tuple[list[str], list[str]]:
    """Text or whole numbers (n) as labels, and notes. Raises DataError where they are too long."""
    dataset = content.sets[path]
    if dataset.dtype.kind in "iu":
        return [str(value) for value in dataset[...].reshape(-1).tolist()], []
    words: list[bytes] = []
    length = 0
    for start in range(0, dataset.shape[0], TEXT_ROWS):
        block = dataset[start : start + TEXT_ROWS].tolist()
        length += sum(map(len, block))
        if length > limits.MAX_TEXT_BYTES:
            raise DataError(
                f"{name}, “{path}”, holds more than {limits.MAX_TEXT_BYTES / 2**20:,.0f} MB of "
                "text, which is the limit for labels.",
                "Choose other labels, or none.",
            )
        words += block
    return decode(words)


def _notes(content: Content, distance: str, matlab: bool) -> list[str]:
    notes = []
    if matlab:
        notes.append("MATLAB stores columns first; rows are taken as they are in MATLAB.")
    if {"train", "neighbors"} <= content.arrays.keys():
        metric = f"“{distance}”" if distance else "a metric that the file does not name"
        notes.append(
            f"A benchmark set for {metric}. Its stored neighbors and distances are not used, "
            "because they answer for that metric; the true neighbors are computed here."
        )
    if content.closed:
        path, why = next(iter(content.closed.items()))
        more = f", nor were {len(content.closed) - 1:,} more" if len(content.closed) > 1 else ""
        notes.append(f"“{path}” is {why}; it was not read{more}.")
    return notes
