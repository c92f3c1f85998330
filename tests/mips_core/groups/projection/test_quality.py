"""Trustworthiness against scikit-learn's, which takes all items and their matrix at once."""

import tracemalloc

import numpy as np
import pytest

from mips_core.groups.projection import pca_layout, quality, trustworthiness


@pytest.mark.parametrize(("n", "k"), [(300, 15), (40, 5), (11, 5)])
def test_equals_scikit_learn(monkeypatch, n, k):
    manifold = pytest.importorskip("sklearn.manifold")
    monkeypatch.setattr(quality, "ITEM_BLOCK", 64)
    rng = np.random.default_rng(n)
    rows = (rng.normal(size=(n, 6)) + 3).astype(np.float32)
    for xy in (pca_layout(rows), rng.normal(size=(n, 2)).astype(np.float32)):
        expected = manifold.trustworthiness(rows, xy, n_neighbors=k)
        assert trustworthiness(rows, xy, k) == pytest.approx(expected, abs=1e-9)


def test_a_sample_is_near_the_whole_and_seeded():
    rng = np.random.default_rng(0)
    rows = rng.normal(size=(1500, 5)).astype(np.float32)
    xy = pca_layout(rows)
    whole = trustworthiness(rows, xy, sample=1500)
    assert trustworthiness(rows, xy, sample=500) == pytest.approx(whole, abs=0.02)
    assert trustworthiness(rows, xy, sample=500) == trustworthiness(rows, xy, sample=500)


def test_a_map_that_is_the_data_is_trusted_fully():
    xy = np.random.default_rng(0).normal(size=(400, 2)).astype(np.float32)
    assert trustworthiness(xy, xy) == 1
    assert trustworthiness(xy + np.float32(1000), xy) == pytest.approx(1, abs=1e-3)


@pytest.mark.parametrize("n", [1, 2, 3, 5, 200])
def test_equal_rows_in_one_place_are_trusted(n):
    assert trustworthiness(np.ones((n, 3), np.float32), np.zeros((n, 2), np.float32)) == 1


def test_the_worst_map_is_not_trusted():
    """Half of the items stand where their farthest opposites should."""
    line = np.arange(100, dtype=np.float32)[:, None]
    shuffled = np.random.default_rng(0).permutation(line)
    xy = np.hstack([shuffled, shuffled * 0])
    assert trustworthiness(line, xy) == pytest.approx(0.5, abs=0.1)  # as by chance


def test_rows_are_not_copied_whole():
    """As float64 all at once they would take twice their size again."""
    rng = np.random.default_rng(0)
    rows, xy = rng.normal(size=(40_000, 64)).astype(np.float32), rng.normal(size=(40_000, 2))
    trustworthiness(rows[:100], xy[:100])  # compiled before memory is counted
    tracemalloc.start()
    trustworthiness(rows, xy, sample=5)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < rows.nbytes
