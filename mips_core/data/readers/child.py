"""A parser kept in a process of its own, so that a crash, a hang or a flood of memory ends only it.

`run` starts it, waits, and believes nothing it cannot check; `in_child` is what runs there.
"""

import json
import os
import re
import signal
import struct
import time
from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass
from math import prod
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from mips_core.base import limits
from mips_core.base.child_process import KILLED, ChildProcess
from mips_core.base.errors import DataError
from mips_core.data.readers.choices import Choices, Offer, Offers, RatingsFileError, UnsettledError
from mips_core.data.readers.contract import Source, Table

Made = TypeVar("Made")

REACHED = "reached"  # a file in the folder shared with the child
AGAIN = "It may be damaged. Save or download it again."
FIRST_POLL, LONGEST_POLL = 0.02, 0.2  # seconds; a cancel is seen within it
ANSWER = "answer.json"
DTYPE = re.compile(r"[<>|](b1|[iu][1248]|f([248]|16))")
ERRORS = {error.__name__: error for error in (DataError, RatingsFileError, UnsettledError)}

START = "from mips_core.data.readers.in_child.room import main\nmain()"

SURROUNDINGS = {
    "LC_ALL": "C.UTF-8",
    "OMP_NUM_THREADS": "1",
    "OPENBLAS_NUM_THREADS": "1",
    "MALLOC_ARENA_MAX": "1",  # a thread's arena takes 64 MB of addresses
    "ARROW_DEFAULT_MEMORY_POOL": "system",  # the others reserve gigabytes of addresses
    "HDF5_USE_FILE_LOCKING": "FALSE",
    "HDF5_PLUGIN_PRELOAD": "::",  # HDF5's word for: load no filters from elsewhere
}


@dataclass(frozen=True, eq=False)
class Answer:
    """What a child made of a file: arrays by name, mapped from disk, and facts in JSON's types."""

    arrays: Mapping[str, NDArray[Any]]
    facts: Mapping[str, Any]


def read_table(parser: str, what: str, source: Source, choices: Choices) -> Table:
    """The Table that `parser` makes of `source`; `what` names the format in messages.

    Raises what `run` raises.
    """
    return run(parser, what, source, {"choices": asdict(choices)}, table_of)


def run(
    parser: str,
    what: str,
    source: Source,
    arguments: Mapping[str, Any],
    made: Callable[[Answer], Made],
) -> Made:
    """`made` of what the function named `parser`, "module:function", answers about `source`.

    It is called in a child as function(source, room, **arguments) with a `Room`; `arguments`
    hold JSON's types. Raises DataError as the function does, and where the child
    crashes, stands still, takes more memory or time than `limits` allow, or gives an answer that
    `made` cannot take; Cancelled as `source.progress` does.
    """
    with TemporaryDirectory(prefix="mips-", ignore_cleanup_errors=True) as name:
        folder = Path(name)
        request = {
            "parser": parser,
            "path": os.path.abspath(source.path),  # noqa: PTH100  (bytes of any kind stay)
            "name": source.name,
            "not_ratings": source.not_ratings,
            "folder": name,
            "arguments": arguments,
        }
        status = _status(request, folder, source, what)
        try:
            answer = answer_in(folder)
            if status == 0 and answer is not None:
                return made(answer)
        except DataError:
            raise
        except Exception as error:
            raise _died(status, source, what) from error
        raise _died(status, source, what)


def _status(request: Mapping[str, Any], folder: Path, source: Source, what: str) -> int:
    """How a child ended that was told what to do. Passes on its progress; whatever is raised here
    ends it."""
    system = {key: os.environ[key] for key in ("SYSTEMROOT",) if key in os.environ}
    environment = SURROUNDINGS | system | limits.set_here() | {"TMPDIR": str(folder)}
    child = ChildProcess[None](START, environment=environment, folder=folder)
    seen, since, pause = -1.0, time.monotonic(), FIRST_POLL
    try:
        child.send(lambda pipe: pipe.write(json.dumps(request).encode() + b"\n"))
        while (status := child.status_within(pause)) is None:
            pause = min(LONGEST_POLL, pause * 1.5)
            share = _reached(folder)
            source.reached(int(max(0.0, share) * source.size))
            if share != seen:
                seen, since = share, time.monotonic()
            elif time.monotonic() - since > limits.CHILD_STILL_SECONDS:
                raise DataError(
                    f"{source.name} could not be read as {what}: nothing came of it for "
                    f"{limits.CHILD_STILL_SECONDS:g} seconds.",
                    AGAIN,
                )
        return status
    finally:
        child.end()


def _reached(folder: Path) -> float:
    """The share of the file that the child has last written down as read; -1 before it has."""
    try:
        (share,) = struct.unpack("d", (folder / REACHED).read_bytes())
        return min(1.0, max(0.0, share))
    except (OSError, struct.error):
        return -1.0


def _died(status: int, source: Source, what: str) -> DataError:
    """Why there is no answer."""
    how = "the program that reads such files broke down over it"
    if status == KILLED:
        how = "the system ended it, most likely for want of memory"
    elif status and status == -getattr(signal, "SIGXCPU", 0):
        how = "it takes longer than a file of its size should"
    return DataError(f"{source.name} could not be read as {what}: {how}.", AGAIN)


def answer_in(folder: Path) -> Answer | None:
    """What a child left in its folder, taken for nothing but data; None where that is nothing.

    Raises the DataError that it tells of, or another exception where it is not an answer.
    """
    path = folder / ANSWER
    if not path.exists():
        return None
    if path.stat().st_size > 6 * limits.MAX_TEXT_BYTES:  # JSON writes é as \u00e9
        raise ValueError("an answer that is too long")
    answer = json.loads(path.read_bytes())
    if "error" in answer:
        raise _error(answer["error"])
    if "failure" in answer:
        raise RuntimeError(answer["failure"])
    return Answer(_arrays(folder, answer["arrays"]), answer["facts"])


def table_of(answer: Answer) -> Table:
    """The Table that `table_facts` in the child tells of; any exception where it does not."""
    facts, labels = answer.facts, answer.facts["labels"]
    arrays = {
        name: array.T if name in facts["transposed"] else array
        for name, array in answer.arrays.items()
    }
    vectors = arrays["vectors"]
    kept = arrays.get("kept")
    if vectors.ndim != 2 or any(p is not None and len(p) != len(vectors) for p in (labels, kept)):
        raise ValueError("parts of different lengths")
    return Table(
        vectors,
        None if labels is None else [str(label) for label in labels],
        arrays.get("queries"),
        [str(note) for note in facts["notes"]],
        arrays.get("bias"),
        _offers(facts["offers"]),
        kept,
    )


def _error(entry: Mapping[str, Any]) -> DataError:
    found, remedy = str(entry["found"]), str(entry["remedy"])
    kind = ERRORS[entry["kind"]]
    more = [_offers(entry["offers"])] if kind is UnsettledError else []
    return kind(found, remedy, *more)


def _offers(entry: Mapping[str, Any]) -> Offers:
    header = entry["header"]
    return Offers(
        tuple(Offer(str(o["name"]), str(o["about"])) for o in entry["arrays"]),
        tuple(Offer(str(o["name"]), str(o["about"])) for o in entry["labels"]),
        str(entry["array"]),
        str(entry["queries"]),
        str(entry["label"]),
        None if header is None else bool(header),
        bool(entry["alternatives"]),
        int(entry["bad_rows"]),
    )


def _arrays(folder: Path, entries: Mapping[str, Mapping[str, Any]]) -> dict[str, NDArray[Any]]:
    """The child's arrays, mapped; each file must hold just what its shape and dtype need."""
    arrays: dict[str, NDArray[Any]] = {}
    for name, entry in entries.items():
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
