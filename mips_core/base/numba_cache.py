"""Where numba keeps what it has compiled, on systems where it finds no place by itself.

It looks for one beside each source file, then in the user's cache folder, and refuses to load a
kernel where it can write to neither: an app installed by root and run by a user without a home.
"""

import atexit
import os
import shutil
from importlib.util import find_spec
from pathlib import Path
from tempfile import TemporaryFile, mkdtemp

VARIABLE = "NUMBA_CACHE_DIR"
_MADE: list[str] = []


def folder_for(package: Path) -> str | None:
    """A folder of this process for what is compiled of `package`, removed when it ends.

    None where numba has a place of its own, or was given one.
    """
    if os.environ.get(VARIABLE) or _can_write(package / "__pycache__"):
        return None
    from numba.misc.appdirs import AppDirs

    known = AppDirs(appname="numba", appauthor=False)  # type: ignore[no-untyped-call]
    if _can_write(Path(known.user_cache_dir)):
        return None
    if not _MADE:
        _MADE.append(mkdtemp(prefix="mips-compiled-"))
        atexit.register(shutil.rmtree, _MADE[0], ignore_errors=True)
    return _MADE[0]


def find_place() -> None:
    """Let the kernels of this package be loaded everywhere; to be called before they are."""
    folder = folder_for(Path(__file__).parents[1])
    if folder is not None:
        import numba

        os.environ[VARIABLE] = folder  # for child processes
        numba.config.CACHE_DIR = folder  # type: ignore[attr-defined]


def environment_for(name: str) -> dict[str, str]:
    """What a child process that loads the kernels of the package `name` is to be told."""
    spec = find_spec(name)
    places = (spec and spec.submodule_search_locations) or []
    folder = folder_for(Path(places[0])) if places else None
    return {VARIABLE: folder} if folder is not None else {}


def _can_write(folder: Path) -> bool:
    """Whether files can be made in `folder`, itself made where it is missing: as numba tests it."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
        TemporaryFile(dir=folder).close()
    except OSError:
        return False
    return True
