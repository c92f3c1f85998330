"""Labels as kinds of items, where they repeat: classes, genres, languages."""

from collections import Counter
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from mips_core import Dataset
from pages._ui.parts import followed_search
from pages._ui.parts.data_facts import as_text
from pages._ui.work.piece import once

MOST_KINDS = 30
OTHER = "other"
Kinds = tuple[NDArray[np.uint8], tuple[str, ...]]


def kinds_of(dataset: Dataset) -> Kinds | None:
    """values (n,) uint8 and the names they number, the most frequent first; else None.

    Labels repeat where there are half as many different ones as items, or fewer.
    """
    texts = followed_search.labels(dataset)
    if texts is None or dataset.labels is None:
        return None
    labels = dataset.labels
    (found,) = once(("label kinds", texts.address), lambda: (_kinds_of(labels),))
    kinds: Kinds | None = found
    return kinds


def _kinds_of(labels: Sequence[str]) -> Kinds | None:
    counts = Counter(labels)
    if len(counts) > len(labels) / 2:
        return None
    names = [label for label, _ in counts.most_common(MOST_KINDS)]
    number = {label: i for i, label in enumerate(names)}
    values = np.array([number.get(label, len(names)) for label in labels], np.uint8)
    others = [OTHER] if len(counts) > len(names) else []
    return values, (*map(as_text, names), *others)
