"""Where a palette for many values begins and ends."""

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

CENTRAL = (0.01, 0.99)  # a few extremes would leave all others one colour
MANY = 100  # values whose extremes are few


class PaletteRange(NamedTuple):
    """The values at both ends, and whether there are values beyond, drawn as the ends are."""

    low: float
    high: float
    below: bool = False
    above: bool = False


def palette_range(values: NDArray[Any], *, log: bool = False) -> PaletteRange:
    """The range for `values` (n,), NaN where not known; 1 to 1 where there is nothing to show.

    The middle 98% of many values; on a log scale all that are above 0.
    """
    finite = values[np.isfinite(values)].astype(np.float64)
    shown = finite[finite > 0] if log else finite
    if not shown.size:
        return PaletteRange(1.0, 1.0)
    low, high = (float(end) for end in np.quantile(shown, CENTRAL))
    if log or shown.size < MANY or low == high:
        low, high = float(shown.min()), float(shown.max())
    return PaletteRange(low, high, bool((finite < low).any()), bool((finite > high).any()))
