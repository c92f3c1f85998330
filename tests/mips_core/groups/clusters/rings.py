"""What lies in a ring, for tests of rings."""

import numpy as np


def inside(ring, places):
    """Whether each of places (s, 2) lies in a ring (v, 2): crossings of a ray to the right."""
    x, y = places.astype(np.float64).T
    held = np.zeros(len(places), bool)
    for (ax, ay), (bx, by) in zip(ring, np.roll(ring, -1, axis=0), strict=True):
        crosses = (ay > y) != (by > y)
        where = ax + (y - ay) / np.where(by == ay, 1, by - ay) * (bx - ax)
        held ^= crosses & (x < where)
    return held
