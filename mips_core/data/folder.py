"""A folder people may choose files from: what it lists can be opened, and nothing else.

Its path is given when the program starts. A name is looked up part by part below it, as it was
listed: no part may lead up, be hidden, or be a link.
"""

import os
import stat
from collections import deque
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from itertools import islice
from pathlib import Path

from mips_core.base.errors import DataError
from mips_core.base.limits import MAX_FOLDER_DEPTH, MAX_FOLDER_ENTRIES, MAX_LISTED_FILES

VARIABLE = "MIPS_DATA_DIR"
"""The environment variable that names the folder."""
FILES = "MIPS_DATA_FILES"
"""The one that names files to open first, one a line; without a folder they alone are offered."""


@dataclass(frozen=True)
class Listed:
    """A file of the folder: its name, with "/" after each subfolder, and its size in bytes."""

    name: str
    size: int


@dataclass(frozen=True)
class Listing:
    """Files in the order of their names, those of the folder itself first."""

    files: tuple[Listed, ...]
    complete: bool  # False where there are more than are listed
    unnamed: int = 0  # left out for names that cannot be shown


@dataclass(frozen=True)
class Folder:
    """A folder that is there, by its true path, without links in it."""

    root: Path
    first: tuple[str, ...] = ()  # names of files that a visitor begins with
    alone: bool = False  # whether these are all that is offered

    @classmethod
    def of(cls, path: str | Path) -> "Folder":
        """The folder at `path`. Raises DataError where there is none, or none that can be read."""
        try:
            root = Path(path).resolve(strict=True)
            with os.scandir(root):
                return cls(root)
        except FileNotFoundError:
            raise DataError(f"The data folder {path} does not exist.", "Check its name.") from None
        except NotADirectoryError:
            raise DataError(
                f"The data folder {path} is a file.", "Give the folder it is in."
            ) from None
        except (OSError, ValueError, RuntimeError) as error:
            reason = getattr(error, "strerror", None) or str(error)
            raise DataError(f"The data folder {path} cannot be read: {reason}.") from None

    @classmethod
    def holding(cls, paths: Sequence[str], folder: "Folder | None" = None) -> "Folder":
        """The folder that visitors begin with these files of: `folder`, else one of them alone.

        Raises DataError naming the first file that is not there, or cannot be offered.
        """
        real = [_true_path(path) for path in dict.fromkeys(paths)]
        try:
            root = folder.root if folder else Path(os.path.commonpath([p.parent for p in real]))
            names = tuple(path.relative_to(root).as_posix() for path in real)
        except ValueError:  # elsewhere, or on several drives
            where = f"in the folder {folder.root}" if folder else "on one drive"
            raise DataError(f"Not all files lie {where}.", "Put them side by side.") from None
        made = cls(root, names, alone=folder is None)
        for name in names:
            try:
                made.path_of(name)
            except DataError:
                raise DataError(
                    f"{root / name} cannot be opened: it or its folder is hidden, or it lies more "
                    f"than {MAX_FOLDER_DEPTH} folders below {root}.",
                    "Put the files side by side under plain names.",
                ) from None
        return made

    def listing(self) -> Listing:
        """What may be opened now: files that can be read, to MAX_FOLDER_DEPTH subfolders down.

        Left out are hidden files and folders, links (they may lead out), pipes and devices, and
        names that cannot be shown.
        """
        if self.alone:
            return Listing(tuple(self._those_there()), complete=True)
        files: list[Listed] = []
        room, unnamed = MAX_FOLDER_ENTRIES, 0
        folders = deque([(self.root, "", 0)])
        while folders and room > 0 and len(files) <= MAX_LISTED_FILES:
            folder, prefix, depth = folders.popleft()
            seen = _entries(folder, room)
            room -= len(seen)
            entries = [entry for entry in seen if _may_be_shown(entry.name)]
            unnamed += sum(not entry.name.isprintable() for entry in seen)
            files += _files(entries, prefix)
            if depth < MAX_FOLDER_DEPTH:
                inner = [e for e in entries if e.is_dir(follow_symlinks=False)]
                folders += [(folder / e.name, f"{prefix}{e.name}/", depth + 1) for e in inner]
        complete = room > 0 and len(files) <= MAX_LISTED_FILES
        return Listing(tuple(files[:MAX_LISTED_FILES]), complete, unnamed)

    def _those_there(self) -> Iterator[Listed]:
        for name in self.first:
            with suppress(DataError, OSError):
                yield Listed(name, self.path_of(name).lstat().st_size)

    def path_of(self, name: str) -> Path:
        """The path of a listed file, looked up anew: one that became a link meanwhile is refused.

        Raises DataError for any name that cannot be listed.
        """
        *folders, last = name.split("/")
        path = self.root
        try:
            for part in folders:
                path = _inside(path, part, stat.S_ISDIR)
            path = _inside(path, last, stat.S_ISREG)
        except (OSError, ValueError):
            path = self.root
        offered = name in self.first or not self.alone
        if path == self.root or len(folders) > MAX_FOLDER_DEPTH or not offered:
            raise DataError(
                f"{name} is not among the files of the data folder, or no longer.",
                "Choose one of those listed.",
            )
        return path


def folder_in(environment: Mapping[str, str]) -> Folder | None:
    """The folder that the variables name; None where they name none.

    Raises DataError as `of` and `holding`.
    """
    path, files = environment.get(VARIABLE, ""), environment.get(FILES, "").split("\n")
    folder = Folder.of(path) if path else None
    return Folder.holding(files, folder) if any(files) else folder


def _true_path(path: str) -> Path:
    try:
        real = Path(path).resolve(strict=True)
    except FileNotFoundError:
        raise DataError(f"{path} was not found.", "Check the name and the folder.") from None
    except (OSError, ValueError, RuntimeError) as error:
        raise DataError(f"{path} cannot be opened: {error}.") from None
    if real.is_dir():
        raise DataError(f"{path} is a folder.", f"Offer its files: --data-dir {path}.")
    return real


def _entries(folder: Path, most: int) -> list[os.DirEntry[str]]:
    """What is in `folder`, by name, or the first `most` of it; nothing where it cannot be read."""
    try:
        with os.scandir(folder) as entries:
            return sorted(islice(entries, most), key=lambda entry: entry.name)
    except OSError:
        return []


def _may_be_shown(name: str) -> bool:
    return name.isprintable() and not name.startswith(".")


def _inside(folder: Path, part: str, kind: Callable[[int], bool]) -> Path:
    """The file or folder `part` of `folder`. Raises ValueError where it is none of that kind."""
    path = folder / part
    named = part and Path(part).name == part and _may_be_shown(part)
    if not named or not kind(path.lstat().st_mode):
        raise ValueError(part)
    return path


def _files(entries: list[os.DirEntry[str]], prefix: str) -> Iterator[Listed]:
    for entry in entries:
        try:
            if entry.is_file(follow_symlinks=False) and os.access(entry.path, os.R_OK):
                yield Listed(prefix + entry.name, entry.stat(follow_symlinks=False).st_size)
        except OSError:
            continue  # it went away while it was looked at
