"""Queries that can be asked: long enough, and of equal ones the first."""

import numpy as np

from mips_core.data.rankable import queries_evaluated, rankable, repeats_in_words


def test_queries_much_shorter_than_the_longest_rank_nothing():
    Q = np.array([[1, 0], [0, 0], [1e-7, 0], [1e-5, 0]], np.float32)
    assert rankable(Q).tolist() == [True, False, False, True]
    assert rankable(Q / 1e4).tolist() == [True, False, False, True]  # beside the longest of them


def test_of_equal_queries_the_first_is_asked_whatever_the_sign_of_a_zero():
    Q = np.array([[1, 0], [2, 0], [1, -0.0], [0, 0], [2, 0]], np.float32)
    assert queries_evaluated(Q).tolist() == [True, True, False, False, False]
    assert repeats_in_words(Q) == "Of 4 queries 2 are different: equal ones count once."
    assert repeats_in_words(Q[:2]) == ""
