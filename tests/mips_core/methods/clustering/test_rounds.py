"""Spherical k-means: the worked example, the laws of Algorithm 1, and hard inputs."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from mips_core.base.errors import Cancelled
from mips_core.base.seeds import rng_for
from mips_core.methods.clustering import rounds
from mips_core.methods.clustering.growing import growing_kmeans
from mips_core.methods.clustering.rounds import spherical_kmeans, start_labels, start_points
from mips_core.methods.reductions import PaperAugment, Plain
from tests import oracle

FOUR = np.array([[1, 0], [0.8, 0.6], [0, 1], [-0.6, 0.8]], np.float32)


def test_worked_example():
    found = spherical_kmeans(FOUR, np.array([0, 1, 0, 1]))
    np.testing.assert_array_equal(found.labels, [0, 0, 1, 1])
    np.testing.assert_allclose(found.centroids, [[0.9487, 0.3162], [-0.3162, 0.9487]], atol=1e-4)
    assert [r.moved for r in found.rounds] == [2, 0]
    assert found.converged


@given(st.integers(0, 2**31), st.integers(2, 40), st.integers(1, 8))
def test_is_algorithm_1(seed, n, k):
    rng = np.random.default_rng(seed)
    X = (rng.normal(size=(n, 3)) + 1).astype(np.float32) / 8
    start = rng.integers(0, k, n)
    found = spherical_kmeans(X, start)
    labels, centroids, objectives = oracle.spherical_kmeans(X, start)
    np.testing.assert_array_equal(found.labels, labels)
    np.testing.assert_allclose(found.centroids, centroids, atol=1e-6)
    np.testing.assert_allclose([r.objective for r in found.rounds], objectives, atol=1e-6)


@given(st.integers(0, 2**31), st.sampled_from(["drop", "reseed"]), st.booleans())
def test_laws_at_the_stop(seed, empty, from_points):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(200, 4)) * rng.lognormal(size=(200, 1))
    P = PaperAugment().fit(X.astype(np.float32)).items(X.astype(np.float32))
    draws = rng_for(seed, "start")
    start = start_points(draws, P, 12) if from_points else start_labels(draws, 200, 12)
    found = spherical_kmeans(P, start, empty=empty)
    objective = [r.objective for r in found.rounds]
    assert (np.diff(objective) >= -2e-5).all() or empty == "reseed"  # float32 centroids, sum 141
    np.testing.assert_allclose(np.linalg.norm(found.centroids, axis=1), 1, atol=1e-6)
    assert set(found.labels) == set(range(len(found.centroids)))
    scores = P @ found.centroids.T
    own = scores[np.arange(200), found.labels]
    np.testing.assert_allclose(own, scores.max(axis=1), atol=1e-6)
    if found.converged:
        for c, centroid in enumerate(found.centroids):
            total = P[found.labels == c].sum(axis=0, dtype=np.float64)
            np.testing.assert_allclose(centroid, total / np.linalg.norm(total), atol=1e-5)


def test_duplicates_only_leave_one_cluster():
    found = spherical_kmeans(np.ones((50, 3), np.float32) / 2, np.arange(50) % 7)
    assert len(found.centroids) == 1
    assert len(found.rounds) <= 2


def test_one_cluster_stops_at_once():
    found = spherical_kmeans(FOUR, np.zeros(4, int))
    assert len(found.rounds) == 1
    assert found.converged


def test_more_clusters_than_items():
    found = spherical_kmeans(FOUR, start_labels(rng_for(0, "start"), 4, 100))
    assert 1 <= len(found.centroids) <= 4
    assert len(spherical_kmeans(FOUR, start_points(rng_for(0, "start"), FOUR, 100)).centroids) == 4


@pytest.mark.parametrize("fit", [spherical_kmeans, growing_kmeans])
def test_rows_without_length_are_one_cluster(fit):
    X, rng = np.zeros((9, 3), np.float32), rng_for(0)
    start = {"start": "points", "k": 4, "rng": rng}
    if fit is spherical_kmeans:
        start = {"start": start_points(rng, X, 4)}
    found = fit(X, **start)
    assert (found.labels == 0).all()
    assert not found.centroids.any()


def test_opposite_members_leave_a_direction():
    pair = np.array([[1, 0], [-1, 0], [0, 1]], np.float32)
    found = spherical_kmeans(pair, np.array([0, 0, 1]))
    assert np.isfinite(found.centroids).all()


def test_reseeding_fills_clusters_that_dropping_loses():
    rng = np.random.default_rng(0)
    X = np.repeat(rng.normal(size=(12, 3)), 30, axis=0).astype(np.float32) / 4
    start = np.arange(360) % 12
    dropped = spherical_kmeans(X, start)
    reseeded = spherical_kmeans(X, start, empty="reseed")
    assert len(reseeded.centroids) > len(dropped.centroids)


def test_a_round_cap_is_kept_and_said():
    rng = np.random.default_rng(1)
    X = rng.normal(size=(500, 5)).astype(np.float32) / 8
    found = spherical_kmeans(X, start_labels(rng_for(0, "start"), 500, 20), max_rounds=2)
    assert len(found.rounds) == 2
    assert not found.converged


def test_progress_shows_each_round_and_cancel_stops_it():
    seen = []

    def stop_at_third(fraction, message, partial=None):
        seen.append(partial)
        assert 0 <= fraction < 1
        assert "items changed cluster" in message
        if len(seen) == 3:
            raise Cancelled

    X = np.random.default_rng(1).normal(size=(500, 5)).astype(np.float32) / 8
    with pytest.raises(Cancelled):
        spherical_kmeans(X, start_labels(rng_for(0, "start"), 500, 20), progress=stop_at_third)
    assert [len(partial.rounds) for partial in seen] == [1, 2, 3]
    assert seen[-1].sizes.sum() == 500


@pytest.mark.parametrize("reduction", [PaperAugment(), Plain()])
def test_rows_made_block_by_block_and_float16_give_the_same_bits(monkeypatch, reduction):
    monkeypatch.setattr(rounds, "HELD_BYTES", 0)  # so that few rows are not made at once
    rng = np.random.default_rng(5)
    X = (rng.normal(size=(900, 5)) * rng.lognormal(size=(900, 1))).astype(np.float16)
    whole = reduction.fit(X).items(X.astype(np.float32))
    rows = reduction.fit(X).rows(X)
    for start in ("assignment", "points"):
        a, b = (growing_kmeans(P, 9, start, rng_for(1), empty="reseed") for P in (rows, whole))
        np.testing.assert_array_equal(a.centroids, b.centroids)
        np.testing.assert_array_equal(a.labels, b.labels)
        assert a.rounds == b.rounds
