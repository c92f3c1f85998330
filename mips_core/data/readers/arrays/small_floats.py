"""Floats NumPy has no dtype for, as float32, which holds each of them exactly.

bfloat16 is the upper half of a float32. float8 as in Micikevicius et al. (2022), "FP8 formats for
deep learning", arXiv:2209.05433: e5m2 is the upper half of a float16; e4m3 has no infinities and
one NaN of each sign.
"""

from typing import Any

import numpy as np
from numpy.typing import NDArray

FLOAT32_OF = ("BF16", "F8_E4M3", "F8_E5M2")
BLOCK = 2**20


def widened(bits: NDArray[Any], kind: str) -> NDArray[np.float32]:
    """The numbers whose bits (any shape, uint16 or uint8) are of `kind`, block by block."""
    out = np.empty(bits.shape, np.float32)
    flat, wide = bits.reshape(-1), out.reshape(-1)
    table = None if kind == "BF16" else _table(kind)
    for start in range(0, len(flat), BLOCK):
        part, to = flat[start : start + BLOCK], wide[start : start + BLOCK]
        if table is None:
            np.left_shift(part, 16, out=to.view(np.uint32), dtype=np.uint32)
        else:
            np.take(table, part, out=to)
    return out


def _table(kind: str) -> NDArray[np.float32]:
    """What each of the 256 bytes stands for."""
    byte = np.arange(256, dtype=np.uint16)
    if kind == "F8_E5M2":
        return (byte << 8).view(np.float16).astype(np.float32)
    exponent, fraction = (byte >> 3 & 15).astype(int), byte & 7
    size = np.where(
        exponent > 0, np.ldexp(1 + fraction / 8, exponent - 7), np.ldexp(fraction / 8, -6)
    )
    size[byte & 127 == 127] = np.nan
    return np.where(byte < 128, size, -size).astype(np.float32)
