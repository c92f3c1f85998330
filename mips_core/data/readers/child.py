"""A parser kept in a process of its own, so that a crash, a hang or a flood of memory ends only it.

`run` starts it, waits, and believes nothing it cannot check; `in_child` is what runs there.
"""

import json
import os
import signal
import struct
import subprocess
import sys
import time
from collections.abc import Callable, Mapping
from dataclasses import asdict
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, TypeVar

from mips_core.base import limits
from mips_core.base.errors import DataError
from mips_core.data.readers.child_answer import Answer, answer_in, table_of
from mips_core.data.readers.choices import Choices
from mips_core.data.readers.contract import Source, Table

Made = TypeVar("Made")

REACHED = "reached"  # a file in the folder shared with the child
POLL_SECONDS = 0.02
LONGEST_POLL = 0.2  # seconds; a cancel is seen within it

START = """
import json, sys
request = json.load(sys.stdin)
sys.path[:] = request["python"]
from mips_core.data.readers.in_child.room import answer
answer(request)
"""

SURROUNDINGS = {
    "LC_ALL": "C.UTF-8",
    "OMP_NUM_THREADS": "1",
    "OPENBLAS_NUM_THREADS": "1",
    "MALLOC_ARENA_MAX": "1",  # a thread's arena takes 64 MB of addresses
    "ARROW_DEFAULT_MEMORY_POOL": "system",  # the others reserve gigabytes of addresses
    "HDF5_USE_FILE_LOCKING": "FALSE",
    "HDF5_PLUGIN_PRELOAD": "::",  # HDF5's word for: load no filters from elsewhere
}


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
            "python": [os.path.abspath(path) for path in sys.path],  # noqa: PTH100  ("" is here)
            "parser": parser,
            "path": os.path.abspath(source.path),  # noqa: PTH100  (bytes of any kind stay)
            "name": source.name,
            "not_ratings": source.not_ratings,
            "folder": name,
            "arguments": arguments,
        }
        status = _wait(_start(request, folder), folder, source, what)
        try:
            answer = answer_in(folder)
            if status == 0 and answer is not None:
                return made(answer)
        except DataError:
            raise
        except Exception as error:
            raise _died(status, source, what) from error
        raise _died(status, source, what)


def _start(request: Mapping[str, Any], folder: Path) -> "subprocess.Popen[bytes]":
    """A running child that has been told what to do."""
    process = subprocess.Popen(
        [sys.executable, "-I", "-B", "-c", START],
        cwd=folder,
        env=SURROUNDINGS | {k: os.environ[k] for k in ("SYSTEMROOT",) if k in os.environ}
        | {"TMPDIR": str(folder)},
        stdin=subprocess.PIPE,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )  # fmt: skip
    assert process.stdin is not None  # it is a pipe
    try:
        with process.stdin as pipe:
            pipe.write(json.dumps(request).encode())
    except BrokenPipeError:
        pass  # it died at once, and `_wait` sees how
    return process


def _wait(process: "subprocess.Popen[bytes]", folder: Path, source: Source, what: str) -> int:
    """The child's exit status. Passes on its progress; whatever is raised here ends the child."""
    seen, since, pause = -1.0, time.monotonic(), POLL_SECONDS
    try:
        while True:
            try:
                return process.wait(pause)
            except subprocess.TimeoutExpired:
                pause = min(LONGEST_POLL, pause * 1.5)
            share = _reached(folder)
            source.reached(int(max(0.0, share) * source.size))
            if share != seen:
                seen, since = share, time.monotonic()
            elif time.monotonic() - since > limits.CHILD_STILL_SECONDS:
                raise DataError(
                    f"{source.name} could not be read as {what}: nothing came of it for "
                    f"{limits.CHILD_STILL_SECONDS:g} seconds.",
                    "It may be damaged. Save or download it again.",
                )
    finally:
        process.kill()
        process.wait()


def _reached(folder: Path) -> float:
    """The share of the file that the child has last written down as read; -1 before it has."""
    try:
        (share,) = struct.unpack("d", (folder / REACHED).read_bytes())
        return min(1.0, max(0.0, share))
    except (OSError, struct.error):
        return -1.0


def _died(status: int, source: Source, what: str) -> DataError:
    """Why there is no answer."""
    again = "It may be damaged. Save or download it again."
    if status in (-getattr(signal, "SIGXCPU", 0), -getattr(signal, "SIGKILL", 0)) and status:
        how = "it takes longer than a file of its size should"
        if status == -getattr(signal, "SIGKILL", 0):
            how = "the system ended it, most likely for want of memory"
        return DataError(f"{source.name} could not be read as {what}: {how}.", again)
    return DataError(
        f"{source.name} could not be read as {what}: the program that reads such files broke down "
        "over it.",
        again,
    )
