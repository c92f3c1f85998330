"""Data in use, and what was built and measured on them, kept in the cache folder between runs.

A folder for each data set, named by the fingerprint of its items, that only the user can read.
Files in it are written in the background, each whole or not at all; one that is damaged is dropped,
and so is what was used longest ago beyond a limit. Off where the server is open to a network, so
that nobody finds what others used. Nothing that happens to the folder is an error.
"""

import json
import logging
import os
import re
import stat
import time
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from shutil import rmtree
from threading import Condition, Thread
from typing import Any, TypeVar

from mips_core import Dataset, MipsError
from mips_core.base.atomic_write import replacing
from mips_core.base.cache_folder import cached_files, make_room
from pages._ui.work import uploads
from pages._ui.work.uploads import DataOrigin

NAME = re.compile(r"[0-9a-f]{32}")
DATA, ABOUT = "data", "about.json"
YOUNG = 60.0  # seconds in which another program may still be writing into a folder
Value = TypeVar("Value")
Words = Mapping[str, list[str]]


def files() -> Any:
    """What reads and writes them: imported where it is needed, which is behind a first page."""
    from mips_core.serving.store import measured

    return measured


@dataclass(frozen=True)
class EarlierData:
    """A data set that was in use, with the view it was left in, as the words of a link."""

    data: str  # its fingerprint
    origin: DataOrigin
    words: Words
    used: float  # seconds since 1970
    size: int = 0  # bytes on disk, of all that is kept for it


class EarlierStore:
    """The folder, and the thread that writes into it. Raises OSError where it cannot be ours."""

    def __init__(self, folder: Path, room: int) -> None:
        self.folder, self.room = folder, room  # bytes
        self.problem = ""  # why the last file could not be written
        self._known: dict[str, EarlierData] = {}  # in use by this process
        self._waiting: dict[Path, Callable[[Path], None]] = {}
        self._writing = False
        self._changed = Condition()
        folder.mkdir(parents=True, exist_ok=True)
        status = folder.lstat()
        if not stat.S_ISDIR(status.st_mode) or status.st_uid != getattr(os, "getuid", int)():
            raise PermissionError(f"{folder} is not a folder of this user")
        folder.chmod(0o700)
        with replacing(folder / ABOUT) as new:
            new.write(b"{}")
        Thread(target=self._write_for_ever, name="earlier data", daemon=True).start()

    def keep(self, dataset: Dataset, origin: DataOrigin) -> None:
        """Keep this data set from now on; of one in the data folder, where it lies."""
        name = dataset.fingerprint
        if not origin.folder:
            if sum(a.nbytes for a in (dataset.items, dataset.queries)) > self.room:
                return
            self.write(name, DATA, lambda path: files().save_dataset(path, dataset))
        self._known[name] = EarlierData(name, origin, {}, time.time())

    def keep_view(self, data: str, words: Words) -> None:
        """The view in which `data` in use was left last."""
        known = self._known.get(data)
        if known is not None and known.words != words:
            known = self._known[data] = replace(known, words=words)
            about = {"origin": asdict(known.origin), "words": dict(words)}
            text = json.dumps(about).encode(errors="surrogatepass")
            self.write(data, ABOUT, lambda path: _write_bytes(path, text))

    def find(self, data: str) -> Dataset | None:
        """The data of this fingerprint, where a copy is kept."""
        dataset = self.read(data, DATA, lambda path: files().load_dataset(path, data))
        earlier = self.entry(data) if dataset is not None else None
        if dataset is None or earlier is None:
            return None
        uploads.hold(dataset, earlier.origin)
        self._known[data] = earlier
        return dataset

    def entry(self, data: str) -> EarlierData | None:
        """What is kept of the data of this fingerprint."""
        if not NAME.fullmatch(data):
            return None
        folder = self.folder / data
        try:
            about = json.loads((folder / ABOUT).read_bytes())
            origin = about["origin"]
            known = DataOrigin(
                str(origin["name"]), int(origin["n"]), int(origin["d"]),
                tuple(map(str, origin["files"])), int(origin["size"]), bool(origin["folder"]),
                str(origin["reading"]), str(origin.get("published", "")),
            )  # fmt: skip
            words = {str(name): [*map(str, texts)] for name, texts in about["words"].items()}
            used = (folder / ABOUT).stat().st_mtime
        except files().UNREADABLE:
            return None
        if not known.folder and not (folder / DATA).is_file():
            return None
        size = sum(file.size for file in cached_files(folder))
        return EarlierData(data, known, words, used, size)

    def entries(self) -> list[EarlierData]:
        """All that is kept, the last used first."""
        with suppress(OSError):
            found = [self.entry(path.name) for path in self.folder.iterdir()]
            return sorted(filter(None, found), key=lambda one: -one.used)
        return []

    def delete(self, data: str) -> None:
        """Let this data set and all that was measured on it be gone, until it is used anew."""
        with self._changed:
            self._known.pop(data, None)
            for path in [path for path in self._waiting if path.parent.name == data]:
                del self._waiting[path]
            self._changed.wait_for(lambda: not self._writing, timeout=10)
            if NAME.fullmatch(data):
                rmtree(self.folder / data, ignore_errors=True)

    def keeps(self, data: str) -> bool:
        """Whether what is measured on these data is to be kept."""
        return data in self._known

    def read(self, data: str, name: str, load: Callable[[Path], Value]) -> Value | None:
        """What `load` makes of the file `name` kept for `data`; a damaged one is removed."""
        path = self.folder / data / name
        if not NAME.fullmatch(data) or not path.is_file():
            return None
        try:
            value = load(path)
        except files().UNREADABLE:
            with suppress(OSError):
                path.unlink()
            return None
        for used in (path, path.with_name(ABOUT)):
            with suppress(OSError):
                os.utime(used)
        return value

    def write(self, data: str, name: str, save: Callable[[Path], None]) -> None:
        """Let `save` write the file `name` for `data` in a moment."""
        with self._changed:
            self._waiting[self.folder / data / name] = save
            self._changed.notify_all()

    def settle(self, seconds: float = 60) -> bool:
        """Wait until all is written; whether that came in time."""
        with self._changed:
            done = lambda: not self._waiting and not self._writing  # noqa: E731
            return self._changed.wait_for(done, timeout=seconds)

    def _write_for_ever(self) -> None:
        while True:
            with self._changed:
                self._changed.wait_for(lambda: self._waiting)
                path, save = next(iter(self._waiting.items()))
                del self._waiting[path]
                self._writing, last = True, not self._waiting
            try:
                path.parent.mkdir(mode=0o700, exist_ok=True)
                save(path)
                self.problem = ""
                if last:
                    self.tidy()
            except (OSError, MipsError) as error:
                self.problem = str(error)
            except Exception:
                logging.getLogger(__name__).exception("%s could not be kept", path.name)
            with self._changed:
                self._writing = False
                self._changed.notify_all()

    def tidy(self) -> None:
        """Remove what has no room, measurements before data, and what belongs to nothing now.

        What this process uses goes last, whatever the clock says: it may have been set.
        """
        files = []
        for folder in [path for path in self.folder.iterdir() if NAME.fullmatch(path.name)]:
            mine = self.keeps(folder.name)
            inside = {file.path.name: file for file in cached_files(folder)}
            used = max((file.used for file in inside.values()), default=0.0)
            old = abs(time.time() - folder.stat().st_mtime) > YOUNG
            if old and not mine and self.entry(folder.name) is None:
                rmtree(folder, ignore_errors=True)
                continue
            files += [
                ((name in (DATA, ABOUT), mine, used, file.used), file)
                for name, file in inside.items()
            ]
        make_room([file for _, file in sorted(files, reverse=True)], self.room)


def _write_bytes(path: Path, content: bytes) -> None:
    with replacing(path) as new:
        new.write(content)
