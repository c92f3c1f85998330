"""The PCA picture against a singular value decomposition; odd shapes; fixed at any thread count."""

import tracemalloc

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mips_core.base.errors import Cancelled
from mips_core.base.threads import limited
from mips_core.groups.projection import pca, pca_layout
from mips_core.groups.projection.pca import pca_note


def by_svd(rows):
    """The definition, up to the sign of each axis."""
    centred = rows.astype(np.float64) - rows.mean(axis=0, dtype=np.float64)
    U, s, _ = np.linalg.svd(centred, full_matrices=False)
    xy = (U * s)[:, :2]
    return xy / np.sqrt((xy**2).sum(axis=1).mean())


def sample(n, d, seed=0):
    rng = np.random.default_rng(seed)
    return (rng.normal(size=(n, d)) * 0.7 ** np.arange(d) + rng.normal(size=d)).astype(np.float32)


def assert_equal_up_to_sign(xy, expected):
    signs = np.sign((xy * expected).sum(axis=0))
    np.testing.assert_allclose(xy, expected * signs, atol=2e-6)


@pytest.mark.parametrize(("n", "d"), [(400, 8), (3, 2), (7, 30)])
def test_is_the_svd(n, d):
    assert_equal_up_to_sign(pca_layout(sample(n, d)), by_svd(sample(n, d)))


def test_wide_rows_are_the_svd_too(monkeypatch):
    monkeypatch.setattr(pca, "WIDE", 10)
    rows = sample(60, 40)
    assert_equal_up_to_sign(pca_layout(rows), by_svd(rows))


def test_many_blocks_at_any_thread_count_are_the_same_bits(monkeypatch):
    monkeypatch.setattr(pca, "BLOCK_VALUES", 500)
    rows = sample(1000, 6)
    with limited(1):
        alone = pca_layout(rows)
    np.testing.assert_array_equal(pca_layout(rows), alone)
    assert_equal_up_to_sign(alone, by_svd(rows))


@pytest.mark.parametrize("wide", [1024, 5])
def test_a_sample_of_the_rows_gives_nearly_the_same_plane(monkeypatch, wide):
    monkeypatch.setattr(pca, "MOST_PRODUCTS", 8 * 8 * 2000)
    monkeypatch.setattr(pca, "WIDE_ROWS", 500)
    monkeypatch.setattr(pca, "WIDE", wide)
    rows = sample(5000, 8)
    xy, expected = pca_layout(rows), by_svd(rows)
    assert np.abs((xy * expected).mean(axis=0)).sum() > 0.98


@pytest.mark.parametrize("wide", [1024, 0])
def test_one_row_that_differs_and_was_not_drawn_is_told_apart(monkeypatch, wide):
    monkeypatch.setattr(pca, "MOST_PRODUCTS", 4 * 5)
    monkeypatch.setattr(pca, "WIDE_ROWS", 5)
    monkeypatch.setattr(pca, "WIDE", wide)
    rows = np.full((5000, 2), 0.1, np.float32)
    rows[1234, 1] = 0.2
    xy = pca_layout(rows)
    assert np.argmax(np.abs(xy[:, 0])) == 1234
    assert len(np.unique(xy, axis=0)) == 2


@given(st.integers(1, 12), st.integers(1, 4), st.sampled_from([1e-12, 1.0, 1e14]), st.data())
@settings(max_examples=40)
def test_is_finite_and_of_unit_size_for_anything(n, d, scale, data):
    values = data.draw(st.lists(st.integers(-2, 2), min_size=n * d, max_size=n * d))
    rows = (np.array(values).reshape(n, d) * scale).astype(np.float32)
    xy = pca_layout(rows)
    assert xy.shape == (n, 2)
    assert xy.dtype == np.float32
    equal = bool((rows == rows[0]).all())
    assert (xy**2).sum(axis=1).mean() == pytest.approx(0.0 if equal else 1.0, abs=1e-5)


def test_what_is_flat_is_said():
    line = np.arange(10, dtype=np.float32)[:, None] * np.array([[1, 2, -3]], np.float32)
    assert "one direction" in pca_note(pca_layout(line))
    assert pca_layout(line)[0, 0] > 0  # towards -3, the largest entry, is up
    assert "same vector" in pca_note(pca_layout(np.full((3, 2), 0.1, np.float32)))
    assert pca_note(pca_layout(line[:1])) == "There is one item."
    assert pca_note(pca_layout(sample(20, 3))) == ""


def test_can_be_cancelled():
    def stop(fraction, message, partial=None):
        raise Cancelled

    with pytest.raises(Cancelled):
        pca_layout(sample(20, 3), stop)


def test_rows_are_not_copied_whole(monkeypatch):
    monkeypatch.setattr(pca, "BLOCK_VALUES", 2**16)
    rows = sample(60_000, 64)
    tracemalloc.start()
    pca_layout(rows)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < rows.nbytes / 2
