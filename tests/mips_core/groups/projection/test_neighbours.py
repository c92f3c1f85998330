"""Nearest rows against all pairs, with repeats, zero rows and far clusters."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from mips_core.base.errors import Cancelled
from mips_core.base.threads import limited
from mips_core.groups.projection import nearest, neighbours
from mips_core.groups.projection.clustered import clustered


def all_distances(rows):
    wide = rows.astype(np.float64)
    return np.sqrt(((wide[:, None] - wide[None]) ** 2).sum(axis=2))


def assert_nearest(rows, found, k):
    """The definition: the k least distances, each to the row named, itself first, no repeats."""
    apart = all_distances(rows)
    k = min(k, len(rows))
    assert found.ids.shape == found.distances.shape == (len(rows), k)
    assert (found.ids.dtype, found.distances.dtype) == (np.int32, np.float32)
    np.testing.assert_array_equal(found.ids[:, 0], np.arange(len(rows)))
    assert all(len(set(ids)) == k for ids in found.ids.tolist())
    np.testing.assert_allclose(found.distances, np.sort(apart, axis=1)[:, :k], rtol=1e-6)
    named = np.take_along_axis(apart, found.ids.astype(np.int64), axis=1)
    np.testing.assert_allclose(found.distances, named, rtol=1e-6)


@st.composite
def tables(draw):
    """Rows on a coarse grid, so that many are equal, zero or equally near."""
    n, d = draw(st.integers(1, 60)), draw(st.integers(1, 4))
    rng = np.random.default_rng(draw(st.integers(0, 2**31)))
    levels = draw(st.sampled_from([0, 1, 3, 1000]))
    scale, offset = draw(st.sampled_from([(1, 0), (1e-6, 0), (1e6, 0), (1, 1e4)]))
    return (rng.integers(-levels, levels + 1, size=(n, d)) * scale + offset).astype(np.float32)


@given(tables(), st.integers(1, 70))
def test_is_the_definition(rows, k):
    found = nearest(rows, k)
    assert found.exact
    assert_nearest(rows, found, k)


@given(tables(), st.integers(1, 70), st.integers(2, 70))
def test_opening_all_clusters_is_the_definition_too(rows, k, few):
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(neighbours, "EXACT_ROWS", few)
        patch.setattr(neighbours, "OPENED", 1.0)
        found = nearest(rows, k)
    assert found.exact == (len(np.unique(rows, axis=0)) <= few)
    assert_nearest(rows, found, k)


def blobs(n=6000, d=16, seed=0):
    rng = np.random.default_rng(seed)
    centres = rng.normal(size=(40, d)) * 3
    return (centres[rng.integers(40, size=n)] + rng.normal(size=(n, d))).astype(np.float32)


@pytest.fixture
def by_clusters(monkeypatch):
    monkeypatch.setattr(neighbours, "EXACT_ROWS", 100)


def share_found(rows, found):
    exact = nearest(rows, found.ids.shape[1])
    return np.mean([np.isin(a, b).mean() for a, b in zip(exact.ids, found.ids, strict=True)])


@pytest.mark.parametrize("offset", [0, 1000])
def test_clusters_find_most_and_say_that_they_may_miss(monkeypatch, offset):
    rows = blobs() + np.float32(offset)
    with monkeypatch.context() as patch:
        patch.setattr(neighbours, "EXACT_ROWS", 100)
        found = nearest(rows, 15)
    assert not found.exact
    assert share_found(rows, found) > 0.93
    assert (np.diff(found.distances, axis=1) >= 0).all()


def test_all_clusters_are_opened_where_few_hold_too_little(by_clusters):
    rows = blobs(300)
    assert_nearest(rows, nearest(rows, 200), 200)


def test_a_tight_group_beside_a_far_row_is_told_apart(monkeypatch):
    rows = blobs(3000) * np.float32(1e-4)
    rows[17] = 1e4
    with monkeypatch.context() as patch:
        patch.setattr(neighbours, "EXACT_ROWS", 100)
        found = nearest(rows, 10)
    assert share_found(rows, found) > 0.9


def test_half_of_the_rows_in_one_place_do_not_make_one_large_cluster():
    rows = blobs(4000)
    rows[::2] *= np.float32(1e-6)
    sizes = np.diff(clustered(rows).starts)
    assert sizes.sum() == 4000
    assert sizes.max() <= 4 * 4000 / 100
    assert sizes.min() > 0


def test_the_same_at_any_thread_count(by_clusters):
    rows = blobs(9000)
    with limited(1):
        alone = nearest(rows, 15)
    found = nearest(rows, 15)
    np.testing.assert_array_equal(found.ids, alone.ids)
    np.testing.assert_array_equal(found.distances, alone.distances)


def test_only_equal_rows_cost_nothing():
    found = nearest(np.ones((50_000, 20), np.float32), 15)
    assert found.exact
    assert not found.distances.any()
    np.testing.assert_array_equal(found.ids[40], [40, *range(14)])


@pytest.mark.parametrize("exact", [True, False])
def test_progress_rises_and_can_stop_it(monkeypatch, exact):
    monkeypatch.setattr(neighbours, "EXACT_ROWS", 10_000 if exact else 100)
    told = []
    nearest(blobs(3000), 5, lambda fraction, message, partial=None: told.append(fraction))
    assert 0 <= min(told) <= max(told) == 1

    def stop(fraction, message, partial=None):
        raise Cancelled

    with pytest.raises(Cancelled):
        nearest(blobs(3000), 5, stop)


def test_most_true_neighbours_of_real_words_are_found(shared):
    rows = np.load(shared / "data" / "words" / "glove-100d-100k.npy")[:24_000]
    found = nearest(rows, 15)
    assert not found.exact
    some = np.arange(0, len(rows), 80)
    wide = rows.astype(np.float64)
    apart = (wide**2).sum(axis=1) - 2 * wide[some] @ wide.T
    true = np.argpartition(apart, 15, axis=1)[:, :15]
    share = np.mean([np.isin(a, b).mean() for a, b in zip(true, found.ids[some], strict=True)])
    assert share > 0.95
