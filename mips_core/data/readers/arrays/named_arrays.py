"""What is known of an array before its data are read: its name, its shape and its dtype.

Names are compared with known words through the spellings of Keras, PyTorch and others.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from math import prod
from typing import Any

import numpy as np

from mips_core.data.readers.names import plain, shortened

TEXT = "text"  # stored as strings of any length, which NumPy holds as objects
MOST_SIZES = 8  # named in a message
SUFFIX = ":0"  # TensorFlow's mark of a variable
NAME_LENGTH = 80  # characters shown; names of a model's layers are long


@dataclass(frozen=True)
class NamedArray:
    """What is known of an array before its data are read."""

    shape: tuple[int, ...]
    dtype: np.dtype[Any]  # of the numbers as they will be read
    stored: str = ""  # the dtype's name where NumPy has none: bfloat16

    @property
    def about(self) -> str:
        """“20 × 9, float32”."""
        sizes = [f"{length:,}" for length in self.shape]
        if len(sizes) > MOST_SIZES:
            sizes = [*sizes[:MOST_SIZES], "…"]
        size = " × ".join(sizes) or "a single value"
        kind = TEXT if self.dtype.kind in "SU" else self.dtype.name
        return f"{size}, {shortened(self.stored or kind)}"

    @property
    def is_table(self) -> bool:
        """Whether it holds one vector of real numbers a row."""
        return len(self.shape) == 2 and 0 not in self.shape and self.dtype.kind in "fiub"

    @property
    def is_text(self) -> bool:
        """Whether it holds words."""
        return self.dtype.kind in "UST" or self.stored == TEXT


Arrays = Mapping[str, NamedArray]


def as_lists(shapes: Mapping[str, tuple[int, ...]]) -> dict[str, tuple[int, ...]]:
    """Shapes of arrays of MATLAB, where all have two axes or more.

    Beside a table, what has one row or one column is a list (n).
    """
    if not any(min(shape, default=0) > 1 for shape in shapes.values()):
        return dict(shapes)
    return {
        name: (prod(shape),) if len(shape) == 2 and 1 in shape else shape
        for name, shape in shapes.items()
    }


def shown(name: str) -> str:
    """A name in quotation marks, cut where it is longer than anybody gave it."""
    return f"“{shortened(name, NAME_LENGTH)}”"


def is_called(name: str, word: str) -> bool:
    """Whether an array's name, or its last part (model/embeddings), is `word` or words of it."""
    return _singular(word) in map(_singular, _spellings(name))


def is_one_of(name: str, words: Iterable[str]) -> bool:
    """Whether an array is called by one of `words`."""
    return any(is_called(name, word) for word in words)


def first_called(names: Iterable[str], words: Iterable[str]) -> list[str]:
    """Those of `names` that are the first of `words` which any of them is; [] for none."""
    called = ([name for name in names if is_called(name, word)] for word in words)
    return next(filter(None, called), [])


def parent(name: str) -> str:
    """What comes before the last part: fc of fc.weight and of fc/kernel:0."""
    return _path(name).rpartition("/")[0]


def _spellings(name: str) -> tuple[str, ...]:
    """The whole name, its last part, and the module of a table of users or items in PyTorch."""
    before, _, last = _path(name).rpartition("/")
    module = plain(before.rpartition("/")[2])
    if plain(last) == "weight" and module.startswith(("user", "item")):
        return plain(name), module  # item_embedding.weight; but not attention.query.weight
    return plain(name), plain(last)


def _path(name: str) -> str:
    return name.removesuffix(SUFFIX).replace(".", "/")


def _singular(word: str) -> str:
    return word.removesuffix("s")
