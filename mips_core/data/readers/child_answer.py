"""What a child process left in its folder, taken for nothing but data and checked as such."""

import json
import os
import re
from collections.abc import Mapping
from dataclasses import dataclass
from math import prod
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from mips_core.base import limits
from mips_core.base.errors import DataError
from mips_core.data.readers.choices import Offer, Offers, RatingsFileError, UnsettledError
from mips_core.data.readers.contract import Table

ANSWER = "answer.json"
DTYPE = re.compile(r"[<>|](b1|[iu][1248]|f([248]|16))")
ERRORS = {error.__name__: error for error in (DataError, RatingsFileError)}


@dataclass(frozen=True, eq=False)
class Answer:
    """What a child made of a file: arrays by name, mapped from disk, and facts in JSON's types."""

    arrays: Mapping[str, NDArray[Any]]
    facts: Mapping[str, Any]


def answer_in(folder: Path) -> Answer | None:
    """The answer, or None where there is none.

    Raises the DataError that it tells of, or another exception where it is not an answer.
    """
    path = folder / ANSWER
    if not path.exists():
        return None
    if path.stat().st_size > 6 * limits.MAX_TEXT_BYTES:  # JSON writes é as \u00e9
        raise ValueError("an answer that is too long")
    told = json.loads(path.read_bytes())
    if "error" in told:
        raise _error(told["error"])
    if "failure" in told:
        raise RuntimeError(told["failure"])
    return Answer(_arrays(folder, told["arrays"]), told["facts"])


def table_of(answer: Answer) -> Table:
    """The Table that `table_facts` in the child tells of; any exception where it does not."""
    facts, labels = answer.facts, answer.facts["labels"]
    arrays = {
        name: array.T if name in facts["transposed"] else array
        for name, array in answer.arrays.items()
    }
    vectors = arrays["vectors"]
    if vectors.ndim != 2 or (labels is not None and len(labels) != len(vectors)):
        raise ValueError("parts of different lengths")
    return Table(
        vectors,
        None if labels is None else [str(label) for label in labels],
        arrays.get("queries"),
        [str(note) for note in facts["notes"]],
        arrays.get("bias"),
        _offers(facts["offers"]),
    )


def _error(told: Mapping[str, Any]) -> DataError:
    found, remedy = str(told["found"]), str(told["remedy"])
    if told["kind"] == UnsettledError.__name__:
        return UnsettledError(found, remedy, _offers(told["offers"]))
    return ERRORS[told["kind"]](found, remedy)


def _offers(told: Mapping[str, Any]) -> Offers:
    header = told["header"]
    return Offers(
        tuple(Offer(str(o["name"]), str(o["about"])) for o in told["arrays"]),
        tuple(Offer(str(o["name"]), str(o["about"])) for o in told["labels"]),
        str(told["array"]),
        str(told["queries"]),
        str(told["label"]),
        None if header is None else bool(header),
        bool(told["alternatives"]),
        int(told["bad_rows"]),
    )


def _arrays(folder: Path, told: Mapping[str, Mapping[str, Any]]) -> dict[str, NDArray[Any]]:
    """The child's arrays, mapped; each file must hold just what its shape and dtype need."""
    arrays: dict[str, NDArray[Any]] = {}
    for name, entry in told.items():
        shape = tuple(int(length) for length in entry["shape"])
        path = folder / f"{name}.bin"
        if not name.isidentifier() or not DTYPE.fullmatch(entry["dtype"]) or min(shape) < 0:
            raise ValueError("an array of a kind that is not used here")
        dtype = np.dtype(entry["dtype"])
        if path.is_symlink() or path.stat().st_size != prod(shape) * dtype.itemsize:
            raise ValueError("an array of another size than told")
        if prod(shape) == 0:
            arrays[name] = np.empty(shape, dtype)
        elif os.name == "nt":  # a file that is mapped cannot be deleted there
            arrays[name] = np.fromfile(path, dtype).reshape(shape)
        else:
            arrays[name] = np.memmap(path, dtype, "r", shape=shape)
    return arrays
