"""What a person should know of the vectors before searching them, in sentences."""

from collections.abc import Sequence

import numpy as np

from mips_core.base.arrays import Matrix
from mips_core.base.text import counted
from mips_core.data.readers.names import quoted

HUGE = 100
"""A norm this many times the median is remarked on."""

ROWS = 8192
FEWEST_RATINGS = 5


def remarks(items: Matrix, labels: Sequence[str] | None) -> list[str]:
    """Notes on zero rows, repeated rows and one overlong row of `items` (n, d)."""
    parts = (items[i : i + ROWS] for i in range(0, len(items), ROWS))
    squares = np.concatenate([np.einsum("ij,ij->i", X, X, dtype=np.float64) for X in parts])
    norms = np.sqrt(squares)
    notes = []
    zero = int((norms == 0).sum())
    if zero:
        rows = counted(zero, "row is", "rows are")
        notes.append(f"{rows} all zero and can never win a positive score; kept in the count.")
    top, median = int(norms.argmax()), float(np.median(norms))
    if median > 0 and norms[top] > HUGE * median:
        who = f", {quoted([labels[top]])}" if labels is not None else ""
        notes.append(
            f"One norm is {norms[top] / median:,.0f} times the median (row {top:,}{who}, "
            f"{norms[top]:,.4g}). The reduction scales all vectors by the largest norm, so the "
            "others become hard to tell apart. Consider leaving the row out."
        )
    repeats = len(items) - zero - len(np.unique(_hashes(items)[norms > 0]))
    if repeats:
        rows = counted(repeats, "row repeats another", "rows repeat others")
        distinct = len(items) - repeats - max(zero - 1, 0)
        different = counted(distinct, "is", "are")
        notes.append(
            f"{rows}. {different} distinct, of {len(items):,}. Ties are broken by row number."
        )
    if labels is None and _may_be_ratings(items):
        notes.append(
            f"The first of {items.shape[1]} columns are whole numbers, the others whole or halves: "
            "if they are users, items and ratings, read the file as ratings."
        )
    return notes


def _may_be_ratings(items: Matrix) -> bool:
    """Whether rows could be user, item, and perhaps rating and time, without a line of names."""
    if not 2 <= items.shape[1] <= 4 or len(items) < FEWEST_RATINGS:
        return False
    ids, halves = items[:, :2], items[:, 2:] * 2
    return bool((ids == np.rint(ids)).all() and (ids >= 0).all()
                and (halves == np.rint(halves)).all())  # fmt: skip


def _hashes(items: Matrix) -> np.ndarray:
    """One uint64 (n) a row, equal for equal rows and, but for about n² / 2⁶⁴, only for them."""
    out = np.zeros(len(items), np.uint64)
    for start in range(0, len(items), ROWS):
        bits = (items[start : start + ROWS] + np.float32(0)).view(np.uint32)  # -0 becomes 0
        mixed = out[start : start + ROWS]
        for column in bits.T:
            mixed ^= column
            mixed *= np.uint64(0x9E3779B97F4A7C15)
            mixed ^= mixed >> np.uint64(29)
    return out
