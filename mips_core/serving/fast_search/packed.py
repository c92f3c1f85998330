"""Items laid out list by list, so that a list is read from end to end."""

from typing import NamedTuple

import numpy as np

from mips_core.base.arrays import Ids, Matrix, Ranks
from mips_core.base.kernels import row_norms
from mips_core.serving.fast_search.codes import Codes, encode, width


class PackedLists(NamedTuple):
    """The rows of a list side by side, the longest first, the lower id first on equal length.

    A named tuple, as compiled code takes those. starts (l+1,) int64; rows (n, d) float32; items
    (n,) int32 their ids; norms (n,) float32, rounded up; visits (l,) int64 the lists, that of the
    longest row first. codes (n, width) int8, scales (n,) and errors (l,) float32 as `codes.encode`
    writes them; without codes the first two are empty, and errors 0.
    """

    starts: Ids
    rows: Matrix
    items: Ranks
    norms: Matrix
    visits: Ids
    codes: Codes
    scales: Matrix
    errors: Matrix

    @property
    def nbytes(self) -> int:
        """Bytes of all arrays."""
        return sum(array.nbytes for array in self)


def pack(X: Matrix, starts: Ids, members: Ids, *, codes: bool) -> PackedLists:
    """The items X (n, d) as lists: list i is members[starts[i]:starts[i+1]], each item in one."""
    lengths = row_norms(X)
    lists = np.repeat(np.arange(len(starts) - 1), np.diff(starts))
    items = members[np.lexsort((members, -lengths[members], lists))]
    longest = np.zeros(len(starts) - 1)
    np.maximum.at(longest, lists, lengths[items])
    n_coded = len(items) if codes else 0
    packed = PackedLists(
        starts=np.ascontiguousarray(starts, np.int64),
        rows=np.ascontiguousarray(X[items], np.float32),
        items=items.astype(np.int32),
        norms=np.nextafter(lengths[items].astype(np.float32), np.float32(np.inf)),
        visits=np.argsort(-longest, kind="stable"),
        codes=np.empty((n_coded, width(X.shape[1])), np.int8),
        scales=np.empty(n_coded, np.float32),
        errors=np.zeros(len(starts) - 1, np.float32),
    )
    if codes:
        encode(packed.starts, packed.rows, packed.codes, packed.scales, packed.errors)
    return packed
