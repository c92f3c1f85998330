"""Places of items that were not fitted: at their own, and among their own kind."""

import numpy as np
import pytest

from mips_core.base.threads import limited
from mips_core.groups.projection import anchors_of, place, placing
from mips_core.groups.projection.placing import sample_of


@pytest.fixture
def groups():
    """rows (4000, 8) in 20 groups far apart, (4000,) their groups, and (20, 2) places for those."""
    rng = np.random.default_rng(0)
    of = rng.integers(20, size=4000)
    rows = rng.normal(size=(20, 8))[of] * 20 + rng.normal(size=(4000, 8))
    return rows.astype(np.float32), of, rng.normal(size=(20, 2)) * 10


def layout(of, centres, fitted):
    rng = np.random.default_rng(1)
    return (centres[of[fitted]] + rng.normal(size=(len(fitted), 2)) * 0.1).astype(np.float32)


@pytest.mark.parametrize("pairs", [10**9, 0], ids=["exact", "clusters"])
def test_a_fitted_row_stands_at_its_own_place(monkeypatch, groups, pairs):
    monkeypatch.setattr(placing, "EXACT_PAIRS", pairs)
    rows, of, centres = groups
    fitted = sample_of(4000, 1500, seed=3)
    xy = layout(of, centres, fitted)
    np.testing.assert_allclose(place(rows, fitted, xy, rows[fitted]), xy, atol=1e-5)


@pytest.mark.parametrize("pairs", [10**9, 0], ids=["exact", "clusters"])
def test_the_others_stand_within_their_group(monkeypatch, groups, pairs):
    monkeypatch.setattr(placing, "EXACT_PAIRS", pairs)
    rows, of, centres = groups
    fitted = sample_of(4000, 1500, seed=3)
    xy = layout(of, centres, fitted)
    places = place(rows, fitted, xy, rows)
    assert places.dtype == np.float32
    assert np.hypot(*(places - centres[of]).T).max() < 0.5
    with limited(1):
        np.testing.assert_array_equal(place(rows, fitted, xy, rows), places)


def test_neighbours_that_stand_elsewhere_do_not_pull():
    rows = np.array([[0.0], [1.0], [1.1]], np.float32)
    xy = np.array([[0, 0], [100, 0], [100, 1]], np.float32)
    spread = np.arange(400, dtype=np.float32)[:, None] + 1000
    rows, xy = np.vstack([rows, spread]), np.vstack([xy, np.hstack([spread, spread])])
    x, y = place(rows, np.arange(len(rows)), xy, np.array([[0.6]], np.float32))[0]
    assert x == pytest.approx(100, abs=20)  # not half way to the other neighbour, at 0
    assert 0 < y < 1


def test_places_move_with_the_layout(groups):
    rows, of, centres = groups
    fitted = sample_of(4000, 1500, seed=3)
    anchors = anchors_of(rows, fitted, rows[:50])
    xy = layout(of, centres, fitted)
    moved = anchors.places(xy * np.float32(-8) + np.float32(3))
    np.testing.assert_allclose(moved, anchors.places(xy) * -8 + 3, atol=1e-3)


def test_few_equal_or_zero_rows():
    one = np.zeros((1, 3), np.float32)
    xy = np.array([[4, 5]], np.float32)
    np.testing.assert_array_equal(
        place(one, np.array([0]), xy, np.ones((2, 3), np.float32)), [xy[0]] * 2
    )
    equal = np.ones((6, 3), np.float32)
    xy = np.arange(12, dtype=np.float32).reshape(6, 2)
    places = place(equal, np.arange(6), xy, np.vstack([equal, one]))
    np.testing.assert_array_equal(places, [xy[0]] * 7)  # the first of equal ones holds
    assert place(equal, np.arange(6), xy, equal[:0]).shape == (0, 2)


def test_a_sample_is_ascending_and_seeded():
    first, again, other = sample_of(1000, 50, 0), sample_of(1000, 50, 0), sample_of(1000, 50, 1)
    np.testing.assert_array_equal(first, again)
    assert (np.diff(first) > 0).all()
    assert len(first) == 50
    assert set(first) != set(other)
    np.testing.assert_array_equal(sample_of(10, 50, 0), np.arange(10))


def test_anchors_weigh_by_one_over_the_square_of_their_distance():
    rows = np.array([[1.0], [-2.0], [4.0]], np.float32)  # at distances 1, 2 and 4 from 0
    anchors = anchors_of(rows, np.arange(3), np.zeros((1, 1), np.float32))
    np.testing.assert_array_equal(anchors.near, [[0, 1, 2]])
    np.testing.assert_array_equal(anchors.weights, [[1, 1 / 4, 1 / 16]])
    xy = np.array([[0, 0], [6, 0], [0, 6]], np.float32)
    reach = 4 * np.hypot(np.sqrt(8), np.sqrt(8)) / np.sqrt(3)  # 8 is the variance of 0, 0, 6
    away = np.exp(-36 / (2 * reach**2))
    total = 1 + away / 4 + away / 16
    due = 6 * away / 4 / total, 6 * away / 16 / total
    np.testing.assert_allclose(anchors.places(xy)[0], due, rtol=1e-6)
