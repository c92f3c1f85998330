"""What is left beside the parts for tasks: folders, and files they read while work is under way."""

import os
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from secrets import token_hex
from time import sleep
from typing import BinaryIO

from mips_core.base.atomic_write import UNFINISHED, remove_left_over
from mips_core.base.errors import DataError

try:
    import fcntl
except ImportError:  # Windows
    fcntl = None  # type: ignore[assignment]

LOOK_SECONDS = 0.2  # from one look at a lock that is held to the next
WAITING = "the same is under way elsewhere: waiting for it"  # what `alone` tells


@contextmanager
def shared_file(folder: Path, name: str, write: Callable[[BinaryIO], None]) -> Iterator[Path]:
    """The path of a new file in `folder`, written by `write`, that is gone when the block ends.

    What processes that were killed left there of this `name` is removed: a living one holds the
    lock of its own. Raises DataError where it cannot be written.
    """
    remove_left_over(folder, name)
    path = folder / f".{name}.{token_hex(8)}{UNFINISHED}"
    try:
        file = path.open("x+b")
    except OSError as error:
        raise _unwritable(folder, error) from None
    try:
        with file:
            if fcntl is not None:
                fcntl.flock(file, fcntl.LOCK_EX)
            try:
                write(file)
                file.flush()
                os.fsync(file.fileno())
            except OSError as error:
                raise _unwritable(folder, error) from None
            yield path
    finally:
        path.unlink(missing_ok=True)


@contextmanager
def alone(path: Path, wait: Callable[[str], None]) -> Iterator[None]:
    """One block of this `path` at a time, on all machines; `wait` is told of it again and again.

    A locked file beside `path` says that somebody is in the block. Where the storage has no locks
    all go in at once. Raises DataError where the file cannot be written, and what `wait` raises.
    """
    if fcntl is None:
        yield
        return
    lock = path.with_name(f".{path.name}{UNFINISHED}")
    with ExitStack() as held:
        while True:
            try:
                file = held.enter_context(lock.open("ab"))
            except OSError as error:
                raise _unwritable(path.parent, error) from None
            _lock(file, wait)
            if os.fstat(file.fileno()).st_nlink:  # else who was in the block removed it
                break
            held.close()
        held.callback(lock.unlink, missing_ok=True)
        yield


def _lock(file: BinaryIO, wait: Callable[[str], None]) -> None:
    """Hold the lock of `file`, once nobody else does, or the storage has none."""
    while True:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            wait(WAITING)
            sleep(LOOK_SECONDS)
        except OSError:
            return
        else:
            return


def make_folder(path: Path) -> None:
    """Make the folder `path` where there is none. Raises DataError where that cannot be."""
    try:
        path.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise _unwritable(path, error) from None


def _unwritable(folder: Path, error: OSError) -> DataError:
    return DataError(
        f"{folder} cannot be written: {error.strerror or error}.",
        "Tasks read and leave files beside the parts: it needs room.",
    )
