"""Uploaded files on disk: each in a private folder, under a harmless name, while somebody needs it.

A copy goes when its draft is used, dropped or replaced, when the visitor left and nothing refers to
it any more, when nobody looked at it for an hour, when others need its room, and when the process
ends. No text from the browser is ever opened as a path.
"""

import os
import time
from collections.abc import Hashable, Iterable, Sequence
from pathlib import Path
from secrets import token_hex
from shutil import rmtree
from tempfile import gettempdir, mkdtemp
from threading import Lock, Thread
from typing import Protocol
from weakref import WeakSet, finalize

from streamlit.runtime.memory_uploaded_file_manager import MemoryUploadedFileManager
from streamlit.runtime.scriptrunner import get_script_run_ctx
from streamlit.runtime.uploaded_file_manager import DeletedFile

from mips_core import DataError
from mips_core.base.errors import disk_full
from mips_core.base.limits import COPY_SECONDS, MAX_COPIED_BYTES
from pages._ui.text.widgets import safe_name


class Upload(Protocol):
    """What Streamlit gives for an uploaded file, as far as it is used here."""

    file_id: str
    name: str
    size: int

    def getvalue(self) -> bytes:
        """All bytes, not copied."""


class File(Protocol):
    """One file to be read, wherever it lies."""

    @property
    def name(self) -> str:
        """What people call it."""

    @property
    def size(self) -> int:
        """Bytes."""

    @property
    def key(self) -> Hashable:
        """Other content has another one."""

    @property
    def private(self) -> str:
        """Names it among all that was uploaded; "" where all visitors may read it."""

    @property
    def here(self) -> bool:
        """Whether it can still be read."""

    def path(self) -> Path:
        """Where it lies now. Raises DataError where it is gone."""


PREFIX = "mips-upload-"
LEFT = 86_400.0  # seconds after which what a killed process left is removed

_LOCK = Lock()
_COPIES: "WeakSet[Copy]" = WeakSet()
_SWEEPER: list[Thread] = []


class Copy:
    """An uploaded file on disk. Raises OSError where it cannot be written; nothing is left then."""

    def __init__(self, upload: Upload) -> None:
        content = upload.getvalue()
        self.name, self.size = safe_name(upload.name), len(content)
        self.private = token_hex(8)  # not its content: who uploads the same learns nothing
        self.key: Hashable = (self.name, self.private)
        self.seen = time.monotonic()
        folder = Path(mkdtemp(prefix=f"{PREFIX}{os.getpid()}-"))  # only we can read it
        self._path = folder / self.name
        self.remove = finalize(self, rmtree, folder, ignore_errors=True)
        try:
            self._path.write_bytes(content)
        except OSError:
            self.remove()
            raise

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


def check_here(upload: Upload | DeletedFile) -> None:
    """Raise DataError where the server has lost an upload: it was started anew."""
    if isinstance(upload, DeletedFile):
        raise DataError("The server no longer has what you uploaded.", "Upload it again.")


def store(uploads: Sequence[Upload]) -> tuple[Copy, ...]:
    """Copies of `uploads`, which Streamlit then forgets.

    Raises DataError where they cannot be kept, or as `check_here`.
    """
    try:
        for upload in uploads:
            check_here(upload)
        copies = tuple(Copy(upload) for upload in uploads)
    except OSError as error:
        why = f"The upload could not be stored: {error.strerror or error}."
        raise disk_full(error) or DataError(why, "Upload it again.") from None
    finally:
        _free(uploads)
    with _LOCK:
        _COPIES.update(copies)
        if not _SWEEPER:
            _remove_leftovers()
            _SWEEPER.append(Thread(target=_sweep_for_ever, name="mips-copies", daemon=True))
            _SWEEPER[0].start()
    sweep()
    return copies


def remove(files: Iterable[File]) -> None:
    """Nobody needs these any more; files that are no copies of ours stay."""
    for file in files:
        if isinstance(file, Copy):
            file.remove()


def remove_all() -> None:
    """The app ends; a signal may end the process before it tidies up by itself."""
    with _LOCK:
        remove(list(_COPIES))


def _free(uploads: Sequence[Upload]) -> None:
    """Streamlit would keep them in memory until the visitor leaves, or removes them by hand."""
    context = get_script_run_ctx()
    if context is not None and isinstance(context.uploaded_file_mgr, MemoryUploadedFileManager):
        for upload in uploads:
            context.uploaded_file_mgr.remove_file(context.session_id, upload.file_id)


def sweep() -> None:
    """Remove copies nobody looks at, and those looked at longest ago while all take too much."""
    with _LOCK:
        copies = sorted((c for c in _COPIES if c.remove.alive), key=lambda c: c.seen)
        total, now = sum(copy.size for copy in copies), time.monotonic()
        for copy in copies:
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
