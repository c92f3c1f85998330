"""K-means on growing samples."""

from itertools import pairwise

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from mips_core.base.seeds import rng_for
from mips_core.methods.clustering.growing import growing_kmeans
from mips_core.methods.clustering.rounds import spherical_kmeans, start_points
from mips_core.methods.reductions import PaperAugment


@given(
    st.integers(0, 2**31),
    st.sampled_from([1, 3, 60, 700]),
    st.integers(1, 40),
    st.sampled_from(["drop", "reseed"]),
)
def test_growing_ends_with_lists_of_all_rows_and_their_directions(seed, n, k, empty):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n, 4)) * rng.lognormal(size=(n, 1))
    P = PaperAugment().fit(X.astype(np.float32)).items(X.astype(np.float32))
    found = growing_kmeans(P, k, "points", rng_for(seed), empty=empty)
    assert set(found.labels) == set(range(len(found.centroids)))
    assert len(found.labels) == n
    for c, centroid in enumerate(found.centroids):
        total = P[found.labels == c].sum(axis=0, dtype=np.float64)
        np.testing.assert_allclose(centroid, total / np.linalg.norm(total), atol=1e-5)
    seen = [r.n for r in found.rounds]
    assert seen == sorted(seen)
    assert seen[-1] == n
    assert set(seen) <= {min(16 * k, n), min(64 * k, n), n}


def test_growing_samples_hold_one_another_and_come_close_to_all_rows():
    rng = np.random.default_rng(2)
    centres = rng.normal(size=(12, 8))
    X = (centres[rng.integers(0, 12, 6000)] + rng.normal(size=(6000, 8)) / 2).astype(np.float32)
    P = PaperAugment().fit(X).items(X)
    reports = []
    found = growing_kmeans(P, 12, "points", rng_for(0), progress=lambda *a: reports.append(a))
    assert [r.n for r in found.rounds] == [192] * 4 + [768] * 3 + [6000]
    fractions = [fraction for fraction, _, _ in reports]
    assert all(a <= b for a, b in pairwise(fractions))
    assert reports[-1][1].startswith("round 8 of at most 8 · 6,000 of 6,000 items")
    assert reports[-1][2].rounds == found.rounds
    full = spherical_kmeans(P, start_points(rng_for(0), P, 12), max_rounds=10)
    means = [(P @ c.centroids.T).max(axis=1).mean() for c in (found, full)]
    assert means[0] > 0.98 * means[1]


def test_a_cap_on_rounds_holds_for_each_sample():
    P = np.random.default_rng(2).normal(size=(2000, 4)).astype(np.float32) / 8
    found = growing_kmeans(P, 10, "assignment", rng_for(0), max_rounds=1)
    assert [r.n for r in found.rounds] == [160, 640, 2000]
