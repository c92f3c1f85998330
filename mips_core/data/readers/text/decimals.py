"""Lines of decimal numbers to a matrix."""

from itertools import chain

import numpy as np

from mips_core.base.arrays import Matrix

MINUS = "−".encode()


def matrix_of_text(text: bytes, n: int, d: int, separator: bytes) -> Matrix | None:
    """float32 (n, d) of n lines with d numbers each; None where the text is anything else.

    Numbers are separated by `separator`: b" " for blanks and tabs, b"," for a comma, perhaps with
    blanks. A number too large for float32 becomes an infinity.
    """
    if n == 0:
        return np.empty((0, d), np.float32)
    if b"_" in text:  # which Python allows within a number
        return None
    lines = text.replace(MINUS, b"-").split(b"\n")
    rows = [line.split() if separator == b" " else line.split(separator) for line in lines]
    if len(rows) != n or not {d}.issuperset(map(len, rows)):
        return None
    try:
        values = np.fromiter(map(float, chain.from_iterable(rows)), np.float64, n * d)
    except ValueError:
        return None
    with np.errstate(over="ignore"):
        return values.astype(np.float32).reshape(n, d)
