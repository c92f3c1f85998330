"""A data set, and what was built and measured on it, in files that this program alone reads again.

They are made as index files are (tensors.py): named arrays under one checksum, and no name that
stands in one is looked up. Whoever reads one says what for. What is damaged, or of something else,
raises one of UNREADABLE.
"""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from numpy.typing import NDArray

from mips_core.base.arrays import Floats, Ids, Ranks
from mips_core.base.atomic_write import replacing
from mips_core.base.errors import MipsError
from mips_core.data.dataset import Dataset
from mips_core.evaluation.builder import Built, Tried
from mips_core.evaluation.evaluate import FOLDS, Evaluation
from mips_core.evaluation.truth import Truth
from mips_core.methods.bits import Words, n_words
from mips_core.methods.indexes import Index
from mips_core.methods.soundness import (
    check_shape,
    check_structure,
    check_within,
    expect,
)
from mips_core.serving.store import tensors
from mips_core.serving.store.files import labels_as_arrays, labels_of, structure_type
from mips_core.serving.store.packing import Packed, Unpacking
from mips_core.serving.store.tensors import Contents

UNREADABLE = (OSError, MipsError, ValueError, KeyError, TypeError, AttributeError, MemoryError)
_FACTS = ("name", "simulated", "logits", "keep_dtype")


@dataclass(frozen=True, eq=False)
class MeasuredArrays:
    """What a file holds of a Tried: all but the index and the truth, which the reader has."""

    efforts: Ids
    ranks: Ranks | None
    found: Words | None
    parts: tuple[str, ...]  # of the costs
    costs: tuple[Floats, ...]
    seconds: float
    bytes: int


def save_dataset(path: Path, dataset: Dataset) -> None:
    """Keep `dataset`, as it was read; its metric is the inner product. DataError as `replacing`."""
    arrays: dict[str, NDArray[Any]] = {"items": dataset.items, "queries": dataset.queries}
    if dataset.query_rows is not None:
        arrays["query_rows"] = dataset.query_rows
    for prefix, labels in (("", dataset.labels), ("query_", dataset.query_labels)):
        if labels is not None:
            arrays |= labels_as_arrays(labels, prefix)
    facts = {name: getattr(dataset, name) for name in _FACTS} | {"notes": list(dataset.notes)}
    _write(path, facts, arrays)


def load_dataset(path: Path, fingerprint: str) -> Dataset:
    """The data set whose items have this fingerprint."""
    contents = _read(path)
    facts, arrays = json.loads(contents.texts["value"]), contents.arrays
    expect(set(facts) == {*_FACTS, "notes"}, "other facts are told of it")
    labelled = Unpacking(arrays)
    dataset = Dataset(
        items=arrays["items"],
        queries=arrays["queries"],
        labels=labels_of(labelled, len(arrays["items"])),
        name=str(facts["name"]),
        notes=tuple(map(str, facts["notes"])),
        query_rows=arrays.get("query_rows"),
        simulated=bool(facts["simulated"]),
        logits=bool(facts["logits"]),
        query_labels=labels_of(labelled, len(arrays["queries"]), "query_"),
        keep_dtype=bool(facts["keep_dtype"]),
    )
    expect(dataset.fingerprint == fingerprint, "its items are others")
    return dataset


def save_built(path: Path, index: Index, built: Built) -> None:
    """Keep what `index` built, and the seconds that took. DataError as `replacing`."""
    packed = Packed()
    structure = packed.add(built.structure, structure_type(index), "structure")
    _write(path, {"structure": structure, "seconds": built.seconds}, packed.arrays)


def load_built(path: Path, index: Index, seed: int, dataset: Dataset) -> Built:
    """What `index` built of the items of `dataset` with this seed."""
    contents = _read(path)
    value, arrays = json.loads(contents.texts["value"]), Unpacking(contents.arrays)
    structure = arrays.value(value["structure"], structure_type(index), "structure")
    check_structure(structure, dataset.n, dataset.d)
    index.check_built(structure)
    return Built(seed, structure, arrays.value(value["seconds"], float, "seconds"))


def save_truth(path: Path, truth: Truth) -> None:
    """Keep true answers. DataError as `replacing`."""
    packed = Packed()
    _write(path, packed.add(truth, Truth, "truth"), packed.arrays)


def load_truth(path: Path, dataset: Dataset) -> Truth:
    """The true answers of the queries of `dataset`."""
    contents = _read(path)
    plain = json.loads(contents.texts["value"])
    truth: Truth = Unpacking(contents.arrays).value(plain, Truth, "truth")
    expect((truth.n, truth.available) == (dataset.n, dataset.available), "it is of other items")
    expect(truth.m + truth.dropped == dataset.m and truth.m > 0, "it is of other queries")
    check_shape(truth.queries, (truth.m, dataset.d), "queries")
    expect(truth.ids.ndim == 2, "ids are no table")
    check_shape(truth.scores, truth.ids.shape, "scores")
    check_shape(truth.origins, (truth.m,), "origins")
    check_within(truth.ids, truth.n, "ids")
    return truth


def save_tried(path: Path, tried: Tried) -> None:
    """Keep a measurement, without its truth. DataError as `replacing`."""
    of = tried.evaluation
    costs = dict(of.costs)
    arrays = MeasuredArrays(
        of.efforts, of.ranks, of.found, tuple(costs), tuple(costs.values()),
        tried.seconds, tried.bytes,
    )  # fmt: skip
    packed = Packed()
    _write(path, packed.add(arrays, MeasuredArrays, "measured"), packed.arrays)


def load_tried(path: Path, index: Index, seed: int, truth: Truth, K: int | None) -> Tried:
    """The measurement of `index`, built with this seed and asked for `truth`."""
    contents = _read(path)
    plain = json.loads(contents.texts["value"])
    of: MeasuredArrays = Unpacking(contents.arrays).value(plain, MeasuredArrays, "measured")
    m, depth, p = truth.m, truth.ids.shape[1], len(of.efforts)
    expect((of.ranks is None) != (of.found is None) and p > 0, "it does not tell what was found")
    if of.ranks is not None:
        check_shape(of.ranks, (m, depth), "ranks")
        expect(of.ranks.min() >= 0, "ranks are below 0")
    if of.found is not None:
        check_shape(of.found, (p, m, n_words(depth)), "found")
    for cost in of.costs:
        check_shape(cost, (FOLDS, p), "costs")
    costs = dict(zip(of.parts, of.costs, strict=True))
    evaluation = Evaluation(index, seed, truth, of.efforts, of.ranks, of.found, costs, K)
    return Tried(evaluation, of.seconds, of.bytes)


def _write(path: Path, value: Any, arrays: Mapping[str, NDArray[Any]]) -> None:
    with replacing(path) as new:
        tensors.write(new, Contents({"value": json.dumps(value)}, arrays))


def _read(path: Path) -> Contents:
    with path.open("rb") as file:
        return tensors.read(file, path.name)
