"""How many items stand around each, against the definition."""

import numpy as np

from mips_core.groups.projection.crowding import REACH, SIDE, crowding


def test_items_in_the_nine_squares_about_are_counted():
    rng = np.random.default_rng(0)
    xy = np.concatenate([rng.normal(scale=0.3, size=(300, 2)), [[1e6, -1e6]]]).astype(np.float32)
    squares = np.clip(np.floor(xy / SIDE), -REACH, REACH)
    near = (np.abs(squares[:, None] - squares[None]) <= 1).all(axis=2)
    assert crowding(xy).tolist() == near.sum(axis=1).tolist()
    assert crowding(xy)[-1] == 1
