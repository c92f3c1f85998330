"""Layouts kept on disk under the content they were made from, so that a map is made once.

One .npz file a layout, never a pickle. What cannot be written is not kept, and what cannot be read
is removed: neither is an error.
"""

import json
import os
from contextlib import suppress
from hashlib import blake2b
from importlib.metadata import version
from pathlib import Path
from typing import Any
from zipfile import BadZipFile

import numpy as np

from mips_core.base.arrays import Matrix
from mips_core.base.atomic_write import replacing
from mips_core.base.cache_folder import cache_folder, cached_files, make_room
from mips_core.base.errors import DataError
from mips_core.base.limits import MAX_LAYOUT_BYTES
from mips_core.base.params import plain_values
from mips_core.data.dataset import fingerprint_of
from mips_core.groups.projection.layout import DEFAULT_FITTED, Layout, ProjectionRecipe

METHOD = 1
"""Raised whenever a layout of the same rows and recipe would come out otherwise."""

FACTS = ("method", "note", "epoch", "epochs", "reproducible")  # of a layout, beside its arrays
UNREADABLE = (OSError, ValueError, TypeError, KeyError, EOFError, BadZipFile, MemoryError)


def layout_key(rows: Matrix, recipe: ProjectionRecipe) -> str:
    """32 hex digits naming rows (n, d'), the recipe, and the versions of all that lays them out."""
    made_by = METHOD, DEFAULT_FITTED, version("umap-learn"), version("numba")
    text = json.dumps([fingerprint_of(rows), plain_values(recipe), made_by], sort_keys=True)
    return blake2b(text.encode(), digest_size=16).hexdigest()


def stored_layout(key: str) -> Layout | None:
    """The layout stored under `key`, now the last used; None where there is none.

    A file that is damaged is removed.
    """
    path = _path(key)
    try:
        with path.open("rb") as file, np.load(file, allow_pickle=False) as arrays:
            layout = _layout_of({name: arrays[name] for name in arrays.files})
    except FileNotFoundError:
        return None
    except UNREADABLE:
        with suppress(OSError):
            path.unlink()
        return None
    with suppress(OSError):
        os.utime(path)
    return layout


def store_layout(key: str, layout: Layout) -> None:
    """Keep `layout`, which must be settled, under `key`; drop the least lately used beyond a limit.

    Nothing happens where the folder cannot be written, or the layout alone exceeds
    MAX_LAYOUT_BYTES. Two programs may store at once: each file appears whole or not at all.
    """
    path = _path(key)
    facts = {name: getattr(layout, name) for name in FACTS}
    arrays: dict[str, Any] = {"xy": layout.xy, "told": np.array(json.dumps(facts))}
    if layout.fitted is not None:
        arrays["fitted"] = layout.fitted
    with suppress(OSError, DataError):
        path.parent.mkdir(parents=True, exist_ok=True)
        with replacing(path) as new:
            np.savez(new, **arrays)
        make_room(sorted(cached_files(path.parent), reverse=True), MAX_LAYOUT_BYTES)


def _path(key: str) -> Path:
    return cache_folder() / "layouts" / f"{key}.npz"


def _layout_of(arrays: dict[str, Any]) -> Layout:
    """Raises ValueError, TypeError or KeyError where `arrays` are no layout."""
    facts, xy, fitted = json.loads(str(arrays["told"])), arrays["xy"], arrays.get("fitted")
    if xy.dtype != np.float32 or xy.shape != (len(xy), 2) or not np.isfinite(xy).all():
        raise ValueError("places")
    if fitted is not None and (
        fitted.dtype != np.int64
        or np.diff(fitted, prepend=-1).min(initial=1) < 1
        or fitted.max(initial=-1) >= len(xy)
    ):
        raise ValueError("fitted items")
    return Layout(xy=xy, fitted=fitted, **{name: facts[name] for name in FACTS})
