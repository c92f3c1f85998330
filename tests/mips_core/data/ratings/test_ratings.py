"""Ratings are what their codes and names say."""

import numpy as np

from mips_core.data.ratings import Ratings


def test_users_items_and_titles_go_by_their_codes():
    codes = np.array([1, 0, 1], np.int32), np.array([0, 0, 2], np.int32)
    ratings = Ratings(*codes, np.array([5.0, 4.0, 3.0]), ["a", "b"], ["x", "y", "z"],
                      titles={"x": "The X"})  # fmt: skip
    assert ratings.users == ["b", "a", "b"]
    assert ratings.items == ["x", "x", "z"]
    assert (ratings.n_ratings, ratings.n_users, ratings.n_items) == (3, 2, 3)
    assert (ratings.title_of("x"), ratings.title_of("z")) == ("The X", "z")
