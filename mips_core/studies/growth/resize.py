"""The same setting for another number of items: clusters grow with n, bits of a key do not.

How a method's main parameter follows n is told by its own grids, which hold what suits each n.
"""

from dataclasses import replace

import numpy as np

from mips_core.base.params import params_of
from mips_core.methods.indexes import Index


def index_for(index: Index, n: int, wanted: int, d: int) -> Index:
    """What `index`, sized for n items of d dimensions, is for `wanted` items.

    Its main parameter moves by the factor between the grids of the two sizes at the place where
    its value stands; between two settings of the grid the factor is interpolated in logarithms,
    beyond them it is that of the last. 0, which leaves the number to the index, stays.
    """
    name = index.main_param
    if not name or n == wanted:
        return index
    value = getattr(index, name)
    here, there = (_values(type(index), name, size, d) for size in (n, wanted))
    if value <= 0 or min(*here, *there) <= 0:
        return index
    if len(here) != len(there):  # a small grid lost settings that would have been the same
        here, there = here[[0, -1]], there[[0, -1]]
    factor = np.exp(np.interp(np.log(value), np.log(here), np.log(there / here)))
    known = params_of(index)[name]
    moved = float(np.clip(value * factor, known.low, known.high))
    return replace(index, **{name: round(moved) if isinstance(value, int) else moved})


def _values(cls: type[Index], name: str, n: int, d: int) -> np.ndarray:
    """The values of the main parameter in the grid for n items, ascending, each once."""
    return np.unique(np.array([getattr(index, name) for index in cls.grid(n, d)], np.float64))
