"""The blocks of the map, each made once from what it holds."""

from collections.abc import Hashable, Sequence
from typing import Any

import numpy as np

from pages._ui.elements import blobs
from pages._ui.elements.blobs import Blob
from pages._ui.work import results


def block(name: Hashable, content: np.ndarray | Sequence[str]) -> Blob:
    """The block of these numbers, or texts; the one kept under `name` if it was made of the same.

    The same is this very object: nothing large is looked through at each run of a page.
    """
    key = ("block", name)
    kept: tuple[Any, Blob] | None = results.recall(key)
    if kept is not None and kept[0] is content and blobs.known(kept[1]):
        return kept[1]
    made = blobs.of_array(content) if isinstance(content, np.ndarray) else blobs.of_texts(content)
    results.remember(key, (content, made))
    return made
