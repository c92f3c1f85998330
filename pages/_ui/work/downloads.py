"""What a visitor downloads stays until their browser has it, however busy other visitors are.

Streamlit makes a file when its button is pressed, and deletes it at the second end of a run,
whoever's: with many visitors that is before the browser has asked for it. And it forgets what makes
a file as soon as its button is drawn anew: who had pressed it a moment before is told of a fault.
Both stay a while longer.
"""

from asyncio import get_running_loop
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from threading import Lock
from typing import Any

from streamlit.runtime.media_file_manager import MediaFileManager
from streamlit.runtime.media_file_storage import MediaFileKind, MediaFileStorageError
from streamlit.runtime.memory_media_file_storage import MemoryMediaFileStorage

FETCHED = 60.0  # seconds after which a browser that was told of a file has asked for it
HEARD = 10.0  # seconds after which the press of a button that was drawn anew has come here
UNUSED = "_remove_orphaned_deferred_callables"  # private, as DROP and LOCK: test_downloads.py holds
DROP, LOCK = "_drop_deferred_id", "_lock"  # that they are there
Wait = Callable[[float, Callable[[], None]], None]


def keep(wait: Wait | None = None) -> None:
    """From now on, for all sessions. `wait`: calls after so many seconds, from any thread.

    Without it the loop that runs does so. Nothing where Streamlit has other names for it.
    """
    if hasattr(MemoryMediaFileStorage.delete_file, "waits"):
        return
    wait = wait or _loop_waits()
    _keep_files(wait)
    if hasattr(MediaFileManager, UNUSED) and hasattr(MediaFileManager, DROP):
        _keep_makers(wait)


def _loop_waits() -> Wait:
    loop = get_running_loop()

    def wait(seconds: float, call: Callable[[], None]) -> None:
        with suppress(RuntimeError):  # it is closed: the server ends
            loop.call_soon_threadsafe(loop.call_later, seconds, call)

    return wait


def _keep_files(wait: Wait) -> None:
    add, delete = MemoryMediaFileStorage.load_and_get_id, MemoryMediaFileStorage.delete_file
    leaving: dict[tuple[MemoryMediaFileStorage, str], object] = {}
    lock = Lock()

    def added(self: MemoryMediaFileStorage, *args: Any, **named: Any) -> str:
        file_id = add(self, *args, **named)
        with lock:
            leaving.pop((self, file_id), None)
            here = _kind_of(self, file_id)
        return file_id if here else add(self, *args, **named)  # it has left meanwhile

    def gone(self: MemoryMediaFileStorage, file_id: str, when: object) -> None:
        with lock:
            if leaving.get((self, file_id)) is when:  # else it was made again
                del leaving[self, file_id]
                delete(self, file_id)

    def deleted(self: MemoryMediaFileStorage, file_id: str) -> None:
        if _kind_of(self, file_id) is not MediaFileKind.DOWNLOADABLE:
            delete(self, file_id)
            return
        with lock:
            when = leaving[self, file_id] = object()
        wait(FETCHED, partial(gone, self, file_id, when))

    deleted.waits = True  # type: ignore[attr-defined]
    setattr(MemoryMediaFileStorage, "load_and_get_id", added)  # noqa: B010
    setattr(MemoryMediaFileStorage, "delete_file", deleted)  # noqa: B010


def _kind_of(storage: MemoryMediaFileStorage, file_id: str) -> MediaFileKind | None:
    """What a file is for; None where there is none."""
    try:
        return storage.get_file(file_id).kind
    except MediaFileStorageError:
        return None


def _keep_makers(wait: Wait) -> None:
    drop_unused, drop = getattr(MediaFileManager, UNUSED), getattr(MediaFileManager, DROP)
    unused: dict[MediaFileManager, list[str]] = {}  # of those that look for them just now
    leaving: set[str] = set()

    def forget(self: MediaFileManager, those: list[str]) -> None:
        if not getattr(self, LOCK).acquire(blocking=False):  # a large file may be on its way in
            wait(1.0, partial(forget, self, those))
            return
        try:
            for file_id in those:
                drop(self, file_id)
            leaving.difference_update(those)
        finally:
            getattr(self, LOCK).release()

    def dropped(self: MediaFileManager, file_id: str) -> None:
        if self not in unused:  # its button can be pressed no more
            drop(self, file_id)
        elif file_id not in leaving:
            leaving.add(file_id)
            unused[self].append(file_id)

    def dropped_unused(self: MediaFileManager) -> None:
        unused[self] = []
        try:
            drop_unused(self)
        finally:
            those = unused.pop(self)
        if those:
            wait(HEARD, partial(forget, self, those))

    setattr(MediaFileManager, DROP, dropped)
    setattr(MediaFileManager, UNUSED, dropped_unused)
