"""Copies of uploads on disk: each in a private folder, under a harmless name.

One goes when nothing refers to it any more, when nobody looked at it for an hour, when others need
its room, and when the process ends. No text from the browser is ever opened as a path.
"""

import os
import time
from collections.abc import Hashable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from secrets import token_hex
from shutil import rmtree
from tempfile import gettempdir, mkdtemp
from threading import Lock, Thread
from typing import BinaryIO
from weakref import WeakSet, finalize

from mips_core import DataError
from mips_core.base.limits import COPY_SECONDS, MAX_COPIED_BYTES
from pages._ui.text.widgets import safe_name

PREFIX = "mips-upload-"
LEFT = 86_400.0  # seconds after which what a killed process left is removed

_LOCK = Lock()
_COPIES: "WeakSet[Copy]" = WeakSet()
_SWEEPER: list[Thread] = []


class Copy:
    """An uploaded file on disk, filled as it comes. Raises OSError where there is no place for it.

    It goes with the last who holds it, and where it cannot be filled.
    """

    def __init__(self, name: str) -> None:
        self.name, self.size = safe_name(name), 0
        self.private = token_hex(8)  # not its content: who uploads the same learns nothing
        self.key: Hashable = (self.name, self.private)
        self.seen = time.monotonic()
        folder = Path(mkdtemp(prefix=f"{PREFIX}{os.getpid()}-"))  # only we can read it
        self._path = folder / self.name
        self._files: list[BinaryIO] = []  # it, while it is filled
        self.remove = finalize(self, _remove, folder, self._files)
        try:
            self._files.append(self._path.open("wb"))
        except OSError:
            self.remove()
            raise
        with _LOCK:
            _COPIES.add(self)
            if not _SWEEPER:
                _remove_leftovers()
                _SWEEPER.append(Thread(target=_sweep_for_ever, name="mips-copies", daemon=True))
                _SWEEPER[0].start()

    def write(self, content: bytes) -> None:
        """Add what came. Raises OSError where the disk takes it not; nothing is left then."""
        with self._or_nothing():
            self._files[0].write(content)
        self.size += len(content)
        self.seen = time.monotonic()

    def close(self) -> None:
        """All came. Raises OSError as `write` does."""
        with self._or_nothing():
            self._files.pop().close()

    @contextmanager
    def _or_nothing(self) -> Iterator[None]:
        try:
            yield
        except BaseException:
            self.remove()
            raise

    @property
    def is_whole(self) -> bool:
        """Whether all of it came."""
        return not self._files

    @property
    def here(self) -> bool:
        """Whether it was not removed yet; looked at, it is kept longer."""
        self.seen = time.monotonic()
        return self.remove.alive

    def path(self) -> Path:
        """Where it lies. Raises DataError where it is gone."""
        if not self.here:
            raise DataError(
                f"The copy of {self.name} is gone: it was used, or nobody looked at it for long.",
                "Upload the file again.",
            )
        return self._path


def remove_all() -> None:
    """The app ends; a signal may end the process before it tidies up by itself."""
    with _LOCK:
        for copy in list(_COPIES):
            copy.remove()


def _remove(folder: Path, files: list[BinaryIO]) -> None:
    for file in files:
        with suppress(OSError):
            file.close()
    rmtree(folder, ignore_errors=True)


def sweep() -> None:
    """Remove copies nobody looks at, and those looked at longest ago while all take too much."""
    with _LOCK:
        copies = sorted((c for c in _COPIES if c.remove.alive), key=lambda c: c.seen)
        total, now = sum(copy.size for copy in copies), time.monotonic()
        for copy in (copy for copy in copies if copy.is_whole):
            if total > MAX_COPIED_BYTES or now - copy.seen > COPY_SECONDS:
                copy.remove()
                total -= copy.size


def _sweep_for_ever() -> None:
    while True:
        time.sleep(60)
        sweep()


def _remove_leftovers() -> None:
    """Remove folders of ours that a process which was killed could not remove.

    Age alone does not tell: the clock may have been set, or somebody look at one for days.
    """
    for folder in Path(gettempdir()).glob(f"{PREFIX}*"):
        try:
            known = folder.lstat()
            old = known.st_mtime < time.time() - LEFT
            if folder.is_dir() and not folder.is_symlink() and old and not _lives(folder):
                rmtree(folder, ignore_errors=True)
        except OSError:
            continue


def _lives(folder: Path) -> bool:
    """Whether the process that made `folder` still runs, as far as the system tells."""
    process = folder.name.removeprefix(PREFIX).partition("-")[0]
    if os.name != "posix" or not process.isdecimal():
        return False
    try:
        os.kill(int(process), 0)
    except PermissionError:  # it runs, for another user
        return True
    except (OSError, OverflowError):
        return False
    return True
