"""Two indexes compared: laws of the matching, and the adjusted Rand index against scikit-learn."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.optimize import linear_sum_assignment
from sklearn.metrics import adjusted_rand_score

from mips_core.base.errors import DataError
from mips_core.groups.clusters import moved

PAIRS = st.lists(st.tuples(st.integers(0, 5), st.integers(0, 5)), min_size=1, max_size=40)


@given(PAIRS)
def test_as_many_items_stay_as_any_matching_keeps(pairs):
    first, second = np.array(pairs).T
    comparison = moved(first, second)
    table = np.zeros((first.max() + 1, second.max() + 1))
    np.add.at(table, (first, second), 1)
    assert (~comparison.items).sum() == table[linear_sum_assignment(table, maximize=True)].sum()
    assert comparison.share == comparison.items.mean()
    matched = comparison.matches[comparison.matches >= 0]
    assert len(set(matched)) == len(matched)
    assert np.array_equal(comparison.items, comparison.matches[first] != second)


@given(PAIRS)
def test_rows_add_up_to_the_items(pairs):
    first, second = np.array(pairs).T
    comparison = moved(first, second)
    assert sorted(row.group for row in comparison.rows) == sorted(set(first.tolist()))
    assert sum(row.left for row in comparison.rows) == comparison.items.sum()
    assert [row.left for row in comparison.rows] == sorted(row.left for row in comparison.rows)[
        ::-1
    ]
    for row in comparison.rows:
        own = second[first == row.group]
        assert (row.size, row.kept) == (len(own), (own == row.match).sum())
        assert row.left == row.size - row.kept
        away = np.bincount(own[own != row.match], minlength=1)
        assert row.together == away.max()
        assert row.left_for == (int(np.argmax(away)) if row.left else -1)


@given(PAIRS)
def test_the_adjusted_rand_index_is_that_of_scikit_learn(pairs):
    first, second = np.array(pairs).T
    expected = adjusted_rand_score(first, second)
    assert moved(first, second).adjusted_rand == pytest.approx(expected)


@given(PAIRS)
def test_either_may_come_first(pairs):
    first, second = np.array(pairs).T
    there, back = moved(first, second), moved(second, first)
    assert there.share == back.share
    assert there.adjusted_rand == pytest.approx(back.adjusted_rand)


@given(st.lists(st.integers(0, 8), min_size=1, max_size=40), st.permutations(range(9)))
def test_the_same_groups_renumbered_move_nothing(groups, numbers):
    first = np.array(groups)
    comparison = moved(first, np.array(numbers)[first])
    assert not comparison.items.any()
    assert comparison.adjusted_rand == 1
    assert comparison.sentence() == "No item changed cluster."
    for group in set(groups):
        assert comparison.matches[group] == numbers[group]


def test_what_moved_is_said():
    first = np.repeat([0, 1], 500)
    second = 1 - first
    second[:100] = 0
    comparison = moved(first, second)
    assert comparison.share == 0.1
    assert comparison.matches.tolist() == [1, 0]
    assert comparison.sentence() == "10.0% of the items changed cluster."
    assert comparison.sentence("leaf") == "10.0% of the items changed leaf."
    lost = comparison.rows[0]
    assert (lost.group, lost.size, lost.match, lost.kept) == (0, 500, 1, 400)
    assert (lost.left, lost.left_for, lost.together) == (100, 0, 100)


def test_groups_without_a_match_have_moved():
    comparison = moved(np.array([0, 0, 0, 1, 1, 4]), np.zeros(6, int))
    assert comparison.matches.tolist() == [0, -1, -1, -1, -1]
    assert comparison.items.tolist() == [False] * 3 + [True] * 3


def test_thousands_of_groups_are_matched():
    rng = np.random.default_rng(0)
    first = rng.integers(0, 5000, 100_000)
    second = rng.permutation(5000)[first]
    changed = rng.random(len(first)) < 0.2
    second[changed] = rng.integers(0, 5000, changed.sum())
    assert moved(first, second).share == pytest.approx(0.2, abs=0.01)


def test_other_data_is_refused():
    with pytest.raises(DataError, match=r"holds 3 items, the other 2"):
        moved(np.zeros(3, int), np.zeros(2, int))
    with pytest.raises(DataError, match=r"of one item or more"):
        moved(np.zeros(0, int), np.zeros(0, int))
