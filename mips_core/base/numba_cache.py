"""Where numba keeps what it has compiled, on systems where it finds no place by itself.

It looks for one beside each source file, then in the user's cache folder, and loads no kernel where
it can write to neither: an app installed by root and run by a user without a home. Where it cannot
read what it kept, or keep anything, it would end whatever calls the kernel.
"""

import atexit
import os
import shutil
import sys
from contextlib import suppress
from importlib.abc import MetaPathFinder
from importlib.machinery import ModuleSpec, PathFinder
from importlib.util import find_spec
from pathlib import Path
from tempfile import mkdtemp
from typing import Any

from mips_core.base.cache_folder import can_write

VARIABLE = "NUMBA_CACHE_DIR"
CACHING = "numba.core.caching"
_MADE: list[str] = []


def folder_for(package: Path) -> str | None:
    """A folder of this process for what is compiled of `package`, removed when it ends.

    None where numba has a place of its own, or was given one.
    """
    if os.environ.get(VARIABLE) or can_write(package / "__pycache__"):
        return None
    from numba.misc.appdirs import AppDirs

    known = AppDirs(appname="numba", appauthor=False)  # type: ignore[no-untyped-call]
    if can_write(Path(known.user_cache_dir)):
        return None
    if not _MADE:
        _MADE.append(mkdtemp(prefix="mips-compiled-"))
        atexit.register(shutil.rmtree, _MADE[0], ignore_errors=True)
    return _MADE[0]


def find_place() -> None:
    """Let the kernels of this package be loaded everywhere; to be called before they are."""
    if CACHING in sys.modules:
        _forgive(sys.modules[CACHING])
    else:
        sys.meta_path.insert(0, _Forgiving())
    folder = folder_for(Path(__file__).parents[1])
    if folder is not None:
        import numba

        os.environ[VARIABLE] = folder  # for child processes
        numba.config.CACHE_DIR = folder  # type: ignore[attr-defined]


def told() -> str:
    """A sentence that what is compiled is not kept, where it is not; else ""."""
    sentence = (
        "Compiled code is not kept, so each start takes longer: neither the folder of the program "
        f"nor the user's cache folder can be written. {VARIABLE} names another."
    )
    return sentence if os.environ.get(VARIABLE) in _MADE else ""


class _Forgiving(MetaPathFinder):
    """Waits for numba, which takes long to import and is not always needed."""

    def find_spec(self, fullname: str, path: Any, target: Any = None) -> ModuleSpec | None:
        spec = PathFinder.find_spec(fullname, path) if fullname == CACHING else None
        if spec is not None and spec.loader is not None:
            run = spec.loader.exec_module
            spec.loader.exec_module = lambda module: _forgive(run(module) or module)  # type: ignore[method-assign]
        return spec


def _forgive(caching: Any) -> None:
    """Let numba drop what it cannot read, and go on where it cannot write."""
    load, save = caching.Cache.load_overload, caching.Cache.save_overload

    def load_or_drop(self: Any, *asked: Any) -> Any:
        try:
            kept, types = load(self, *asked), getattr(asked[0], "args", asked[0])
            if hasattr(kept, "signature") and kept.signature.args != tuple(types):
                raise LookupError("two processes gave their files one name at the same moment")
            return kept
        except Exception:  # whatever a damaged pickle may raise
            with suppress(OSError):
                self.flush()
            return None

    def save_or_not(self: Any, *compiled: Any) -> None:
        with suppress(OSError):
            save(self, *compiled)

    caching.Cache.load_overload, caching.Cache.save_overload = load_or_drop, save_or_not


def environment_for(name: str) -> dict[str, str]:
    """What a child process that loads the kernels of the package `name` is to be told."""
    places = getattr(find_spec(name), "submodule_search_locations", None)
    folder = folder_for(Path(places[0])) if places else None
    return {VARIABLE: folder} if folder is not None else {}
