"""Several whole numbers joined to one 64-bit key, exactly: different numbers, different keys."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from mips_core.base.arrays import Ids
from mips_core.methods.soundness import check_shape, expect

NO_KEY = np.uint64(0)  # of numbers that nothing it was fitted to holds


@dataclass(frozen=True, slots=True, eq=False)
class MixedRadix:
    """Keys of p numbers: digit j is what number j exceeds low[j] by, in base span[j]; plus one.

    Where another digit would pass 64 bits, what was joined before it is replaced by its position
    in joined[j], all the values seen when it was fitted; None where the digit fits.
    """

    low: Ids
    span: Ids
    joined: tuple[NDArray[np.uint64] | None, ...]

    def check(self, p: int) -> None:
        """It joins p numbers; raises UnsoundError."""
        check_shape(self.low, (p,), "least numbers")
        check_shape(self.span, (p,), "bases")
        expect((self.span >= 1).all() and len(self.joined) == p, "a base is no number")
        for seen in self.joined:
            if seen is not None:
                expect(seen.ndim == 1 and len(seen) > 0, "no joined numbers were seen")
                expect((seen[1:] > seen[:-1]).all(), "joined numbers do not ascend")

    @classmethod
    def fit(cls, values: Ids) -> "MixedRadix":
        """The keys for what values (p, n) hold."""
        low = values.min(axis=1)
        span = values.max(axis=1) - low + 1
        key = np.zeros(values.shape[1], np.uint64)
        room = 1  # every key is below it
        joined: list[NDArray[np.uint64] | None] = []
        for number, least, base in zip(values, low, span.tolist(), strict=True):
            joined.append(None)
            if room * base >= 2**64:
                joined[-1] = distinct = np.unique(key)
                key = np.searchsorted(distinct, key).astype(np.uint64)
                room = len(distinct)
            key = key * np.uint64(base) + (number - least).astype(np.uint64)
            room *= base
        return cls(low, span, tuple(joined))

    def keys(self, values: Ids) -> NDArray[np.uint64]:
        """(m,) keys of values (p, m); NO_KEY where fitting saw no such numbers."""
        key = np.zeros(values.shape[1], np.uint64)
        known = np.ones(len(key), np.bool_)
        for number, low, span, distinct in zip(
            values, self.low, self.span, self.joined, strict=True
        ):
            if distinct is not None:
                at = np.minimum(np.searchsorted(distinct, key), len(distinct) - 1)
                known &= distinct[at] == key
                key = at.astype(np.uint64)
            digit = number - low
            known &= (digit >= 0) & (digit < span)
            key = key * np.uint64(span) + digit.astype(np.uint64)
        return np.where(known, key + np.uint64(1), NO_KEY)
