"""The least and the largest entry of each column, of items that may be float16."""

import numpy as np

from mips_core.base.arrays import Matrix

LOOKED_AT = 2**21  # numbers at once: of float16 a float32 copy is made


def column_ends(X: Matrix) -> tuple[Matrix, Matrix]:
    """(d,) and (d,) float32 of the columns of X (n, d), n >= 1, float32 or float16."""
    size = max(LOOKED_AT // X.shape[1], 1)
    parts = (X[at : at + size].astype(np.float32, copy=False) for at in range(0, len(X), size))
    low, high = zip(*((part.min(axis=0), part.max(axis=0)) for part in parts), strict=True)
    return np.min(low, axis=0), np.max(high, axis=0)
