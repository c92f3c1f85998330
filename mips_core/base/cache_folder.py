"""Where what was made once is kept between runs: the user's cache folder, within a limit."""

import os
from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path
from tempfile import TemporaryFile
from typing import NamedTuple

from mips_core.base.atomic_write import UNFINISHED, remove_left_over

VARIABLE = "MIPS_EXPLORER_CACHE"
"""The environment variable that names the folder of what is kept between runs."""


class CachedFile(NamedTuple):
    """A file, when it was last used (seconds since 1970), and its bytes."""

    used: float
    size: int
    path: Path


def cache_folder() -> Path:
    """The folder that the variable names, else one of ours among the user's caches."""
    named = os.environ.get(VARIABLE, "")
    if named:
        return Path(named)
    from pooch import os_cache  # takes a while to import

    return Path(os_cache("mips-explorer"))


def can_write(folder: Path) -> bool:
    """Whether files can be made in `folder`, itself made where it is missing."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
        TemporaryFile(dir=folder).close()
    except OSError:
        return False
    return True


def cached_files(folder: Path) -> list[CachedFile]:
    """The whole files in `folder`; what killed writers left half written is removed."""
    remove_left_over(folder)
    files = []
    with suppress(OSError):
        for path in folder.iterdir():
            with suppress(OSError):
                status = path.stat()
                if path.is_file() and path.suffix != UNFINISHED:
                    files.append(CachedFile(status.st_mtime, status.st_size, path))
    return files


def make_room(files: Iterable[CachedFile], room: int) -> None:
    """Of `files`, those to stay longest first, remove all that do not fit into `room` bytes."""
    left = room
    for file in files:
        left -= file.size if file.size <= room else 0  # that one goes alone
        if left < 0 or file.size > room:
            with suppress(OSError):
                file.path.unlink()
