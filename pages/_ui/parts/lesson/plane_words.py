"""The words of the first two chapters: nine topics of the shipped data, in the plane.

Topics lie round the circle by themselves, so that a missed answer is a word one can talk about.
"""

from functools import cache

import numpy as np

from mips_core import shipped
from mips_core.base.arrays import Matrix
from pages._ui.parts.lesson.declaration import Handle, Track, steps

TOPICS = {
    "animals": "lion tiger dog cat horse bird wolf snake",
    "food": "rice bread wine cheese beef fruit sugar milk",
    "countries": "france germany spain japan china russia italy brazil",
    "days": "monday tuesday friday january june july october december",
    "music": "guitar piano jazz song opera singer band album",
    "science": "physics chemistry biology science theory professor medicine doctor",
    "sport": "football baseball hockey goal coach league team tournament",
    "money": "bank market stock price tax profit shares investors",
    "war": "army war troops soldiers attack bomb rebels police",
}
WORDS = tuple(" ".join(TOPICS.values()).split())
POINTS_DATA = "72 words of the shipped data in 2 of their 50 dimensions"
DIRECTIONS = 720  # half degrees
QUERY = Handle(  # a direction, dragged round the circle
    label="Query direction",
    across=Track(
        key="q",
        values=steps(0, 359.5, 0.5),
        words="{:g} degrees",
        step=2,
        page=30,
        turns=True,
        leftwards=True,
    ),
)


@cache
def points() -> Matrix:
    """(72, 2) float32: WORDS, centred, in their 2 principal directions; the longest has length 1.

    jazz lies at the right, team above: the sign of a principal direction says nothing. Rounded to
    six digits, which are the same on any machine. The array is shared and cannot be written to.
    """
    data = shipped("glove-6b-50d")
    rows = {label: row for row, label in enumerate(data.labels or ())}
    X = data.items[[rows[word] for word in WORDS]]
    return principal_plane(X, right=WORDS.index("jazz"), above=WORDS.index("team"))


def principal_plane(X: Matrix, right: int, above: int) -> Matrix:
    """(n, 2) float32: rows of X (n, d), centred, in their 2 principal directions.

    The longest has length 1. Signs are such that the row `right` lies at the right, `above` above.
    """
    centred = X.astype(np.float64) - X.mean(axis=0, dtype=np.float64)
    flat = centred @ np.linalg.svd(centred, full_matrices=False)[2][:2].T
    flat *= np.sign([flat[right, 0], flat[above, 1]])
    return _shared(np.round(flat / np.linalg.norm(flat, axis=1).max(), 6))


@cache
def directions() -> Matrix:
    """(720, 2) float32: unit vectors at 0°, 0.5° … 359.5°."""
    return unit(np.arange(DIRECTIONS) / 2)


def unit(degrees: np.ndarray) -> Matrix:
    """(m, 2) float32: unit vectors at these angles (m,), counted from the right, to the left."""
    angles = np.deg2rad(np.asarray(degrees, np.float64))
    return _shared(np.stack([np.cos(angles), np.sin(angles)], axis=1))


def _shared(rows: np.ndarray) -> Matrix:
    kept = np.ascontiguousarray(rows, np.float32)
    kept.flags.writeable = False
    return kept
