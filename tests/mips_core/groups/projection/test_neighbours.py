"""Nearest rows against all pairs, with repeats, zero rows and far clusters."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from mips_core.base.errors import Cancelled
from mips_core.base.threads import limited
from mips_core.groups.projection import nearest, neighbours
from tests.mips_core.groups.projection.nearness import assert_nearest, blobs


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
    near = nearest(rows, k)
    assert near.exact
    assert_nearest(rows, near, k)


@given(tables(), st.integers(1, 70), st.integers(2, 70))
def test_opening_all_clusters_is_the_definition_too(rows, k, few):
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(neighbours, "EXACT_ROWS", few)
        patch.setattr(neighbours, "OPENED", 1.0)
        near = nearest(rows, k)
    assert near.exact == (len(np.unique(rows, axis=0)) <= few)
    assert_nearest(rows, near, k)


def test_the_same_at_any_thread_count(by_clusters):
    rows = blobs(9000)
    with limited(1):
        alone = nearest(rows, 15)
    near = nearest(rows, 15)
    np.testing.assert_array_equal(near.ids, alone.ids)
    np.testing.assert_array_equal(near.distances, alone.distances)


def test_only_equal_rows_cost_nothing():
    near = nearest(np.ones((50_000, 20), np.float32), 15)
    assert near.exact
    assert not near.distances.any()
    np.testing.assert_array_equal(near.ids[40], [40, *range(14)])


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
