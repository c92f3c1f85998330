"""Index files, written and read."""

import json
from collections.abc import Sequence
from dataclasses import dataclass, fields, replace
from itertools import pairwise
from pathlib import Path
from typing import Any, BinaryIO, get_type_hints

import numpy as np
from numpy.typing import ArrayLike, NDArray

from mips_core.base.arrays import Matrix, as_matrix
from mips_core.base.atomic_write import replacing
from mips_core.base.errors import DataError
from mips_core.base.limits import MAX_MAGNITUDE, MAX_SEED
from mips_core.base.params import plain_values
from mips_core.base.text import in_one_line, shown_name
from mips_core.data.dataset import Metric, fingerprint_of
from mips_core.data.metrics import CONVERSIONS, EXTRA, EuclideanLift
from mips_core.methods.indexes import INDEXES, Index
from mips_core.methods.soundness import UnsoundError, check_structure, expect
from mips_core.serving.store import tensors
from mips_core.serving.store.packing import Packed, Unpacking, with_plain
from mips_core.serving.store.stored import StoredIndex
from mips_core.serving.store.tensors import Contents
from mips_core.serving.store.told_fit import as_built

File = str | Path | BinaryIO  # a path, or an open binary file
MOST_NAME = 255  # characters of a name that are kept: file systems allow as many
MOST_SAID = 300  # characters of why a file is refused
MET_FEW = '"met":'  # a structure has rounds in which rows met few of the clusters


@dataclass(frozen=True)
class About:
    """What a file says of its index besides parameters and structure."""

    index: str  # its key
    seed: int
    effort: int | None
    name: str
    metric: str
    n: int
    d: int
    fingerprint: str
    logits: bool
    simulated: bool


SHARED = [field.name for field in fields(About) if field.name != "index"]  # with a StoredIndex


def save(file: File, stored: StoredIndex) -> None:
    """Write `stored`. A path holds the old file or the whole new one, whenever this is ended.

    Raises DataError where it cannot be written, or could not be loaded again.
    """
    try:
        _check_structure(stored)
    except UnsoundError as error:
        raise DataError(
            f"The index of {stored.name} is not sound: {error}.", "Build it again."
        ) from None
    contents = _packed(stored)
    if not isinstance(file, str | Path):
        tensors.write(file, contents)
        return
    with replacing(Path(file)) as new:
        tensors.write(new, contents)


def load(file: File, items: ArrayLike | None = None) -> StoredIndex:
    """The index that a file holds; with `items` (n, d), where it was saved without them.

    Raises DataError for a file that is not ours, damaged, unsound or of a newer version, and for
    items that the index was not built on.
    """
    if isinstance(file, str | Path):
        try:
            with Path(file).open("rb") as opened:
                stored = _loaded(opened, shown_name(Path(file)))
        except OSError as error:
            raise DataError(
                f"{file} cannot be read: {error.strerror or error}.", "Name an index file."
            ) from None
    else:
        stored = _loaded(file, shown_name(Path(str(getattr(file, "name", "The file")))))
    return stored if items is None else stored.with_items(items)


def _packed(stored: StoredIndex) -> Contents:
    packed = Packed()
    about = About(stored.index.key, **{name: getattr(stored, name) for name in SHARED})
    texts = {
        "about": packed.add(about, About, "about"),
        "parameters": plain_values(stored.index),
        "conversion": packed.add(stored.conversion, CONVERSIONS[stored.metric], "conversion"),
        "structure": packed.add(stored.structure, structure_type(stored.index), "structure"),
    }
    if stored.has_items:
        packed.add(stored.items, Matrix, "items")
    if stored.labels is not None:
        packed.arrays.update(labels_as_arrays(stored.labels))
    plain = {name: json.dumps(value, separators=(",", ":")) for name, value in texts.items()}
    return Contents({"made_by": stored.made_by, **plain}, packed.arrays)


def _loaded(file: BinaryIO, name: str) -> StoredIndex:
    contents = tensors.read(file, name)
    try:
        return _unpacked(contents)
    except UnsoundError as error:
        reason = in_one_line(str(error), MOST_SAID)  # it may repeat what the file holds
        raise DataError(
            f"{name} holds no sound index: {reason}.", "Build the index again, and save it."
        ) from None


def _unpacked(contents: Contents) -> StoredIndex:
    """What `contents` hold. Raises UnsoundError where that is no index that can be asked."""
    arrays = Unpacking(contents.arrays)
    about: About = arrays.value(_plain(contents, "about"), About, "about")
    expect(about.index in INDEXES, f"an index {about.index!r} is not known here")
    expect(about.metric in CONVERSIONS, f"a metric {about.metric!r} is not known here")
    expect(min(about.n, about.d) >= 1, "there are no items")
    expect(0 <= about.seed <= MAX_SEED, f"its seed is not one of 0 to {MAX_SEED:,}")
    metric: Metric = about.metric  # type: ignore[assignment]
    index = with_plain(INDEXES[about.index](), _plain(contents, "parameters"), "parameters")
    about = replace(about, name=in_one_line(about.name, MOST_NAME))
    stored = StoredIndex(
        index=index,
        structure=arrays.value(_plain(contents, "structure"), structure_type(index), "structure"),
        conversion=arrays.value(_plain(contents, "conversion"), CONVERSIONS[metric], "conversion"),
        items=arrays.value("items", Matrix, "items") if "items" in contents.arrays else None,
        labels=labels_of(arrays, about.n),
        made_by=in_one_line(contents.texts.get("made_by", ""), MOST_NAME),
        **{name: getattr(about, name) for name in SHARED},
    )
    unknown = sorted(set(contents.arrays) - arrays.taken)
    expect(not unknown, f"nothing tells what its array {unknown[:1]} is")
    _check(stored)
    built = index if MET_FEW in contents.texts["structure"] else as_built(index, stored.n)
    return stored if built is index else replace(stored, index=built)


def _check(stored: StoredIndex) -> None:
    """Raise UnsoundError unless all parts belong together."""
    _check_structure(stored)
    lift, width = stored.conversion, _width(stored)
    if isinstance(lift, EuclideanLift):
        expect(lift.centre.shape == (stored.d,), "its metric is fitted to other dimensions")
        entries = np.append(abs(lift.centre), lift.unit)
        sound = (entries <= MAX_MAGNITUDE).all() and lift.unit > 0
        expect(sound, "its metric is not fitted to items that can be searched")
    if stored.effort is not None:
        expect(stored.effort in stored.searcher.efforts(), f"effort {stored.effort} is not offered")
    items = stored.items
    if items is not None:
        shape = items.shape
        expect(shape == (stored.n, width), f"items are {shape} in place of {(stored.n, width)}")
        try:
            as_matrix(items, "the array of items")
        except DataError as error:
            raise UnsoundError(error.found.rstrip(".")) from None
        same = fingerprint_of(items) == stored.fingerprint
        expect(same, "its items are not those the fingerprint names")


def _check_structure(stored: StoredIndex) -> None:
    check_structure(stored.structure, stored.n, _width(stored))
    stored.index.check_built(stored.structure)


def _width(stored: StoredIndex) -> int:
    """Dimensions of the items as they are searched."""
    return stored.d + EXTRA * isinstance(stored.conversion, EuclideanLift)


def structure_type(index: Index) -> Any:
    """What `index` declares to build."""
    return get_type_hints(type(index).build)["return"]


def _plain(contents: Contents, name: str) -> Any:
    try:
        return json.loads(contents.texts[name])
    except (KeyError, ValueError, RecursionError):
        raise UnsoundError(f"it does not tell its {name}") from None


def labels_as_arrays(labels: Sequence[str], prefix: str = "") -> dict[str, NDArray[Any]]:
    """All labels as one text in UTF-8, and where each of them ends in it, in characters."""
    text = "".join(labels).encode("utf-8", "surrogatepass")
    ends = np.cumsum([len(label) for label in labels], dtype=np.int64)
    return {f"{prefix}labels": np.frombuffer(text, np.uint8), f"{prefix}label_ends": ends}


def labels_of(arrays: Unpacking, n: int, prefix: str = "") -> tuple[str, ...] | None:
    """The n labels that `labels_as_arrays` laid down; None where there are none."""
    if f"{prefix}labels" not in arrays.arrays:
        return None
    stored = arrays.value(f"{prefix}labels", NDArray[np.uint8], "labels")
    ends = arrays.value(f"{prefix}label_ends", NDArray[np.int64], "label_ends")
    try:
        text = stored.tobytes().decode("utf-8", "surrogatepass")
    except UnicodeDecodeError:
        raise UnsoundError("its labels are no text") from None
    expect(ends.shape == (n,), f"there are {ends.size} labels for {n} items")
    stops = [0, *ends.tolist()]
    expect(stops == sorted(stops) and stops[-1] == len(text), "its labels do not follow each other")
    return tuple(text[start:stop] for start, stop in pairwise(stops))
