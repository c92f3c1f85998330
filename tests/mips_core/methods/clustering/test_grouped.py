"""K-means in which each row meets the centroids of its best groups alone."""

from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from mips_core.base.kernels import dot
from mips_core.base.seeds import rng_for
from mips_core.methods.clustering import grouped
from mips_core.methods.clustering.grouped import (
    BEST_GROUPS,
    GroupedFit,
    grouped_kmeans,
    grouped_rounds,
)
from mips_core.methods.clustering.growing import growing_kmeans
from mips_core.methods.clustering.rounds import spherical_kmeans, start_labels
from mips_core.methods.reductions import PaperAugment, lengths_of


def rows(rng, n, d=4):
    X = (rng.normal(size=(n, d)) * rng.lognormal(size=(n, 1))).astype(np.float32)
    return PaperAugment().fit(X).items(X)


def units(rng, k, d):
    C = rng.normal(size=(k, d))
    return (C / np.linalg.norm(C, axis=1, keepdims=True)).astype(np.float32)


def nearest_of_own_groups(X, centroids, coarse, groups):
    """The definition: by canonical score, lower number on ties; of all where groups are bare."""
    own = [max(range(len(coarse)), key=lambda g: (dot(c, coarse[g]), -g)) for c in centroids]
    labels = []
    for x, best in zip(X, groups, strict=True):
        met = [c for c in range(len(centroids)) if own[c] in best] or range(len(centroids))
        labels.append(max(met, key=lambda c: (dot(x, centroids[c]), -c)))
    return np.array(labels)


@given(st.integers(0, 2**31), st.integers(1, 60), st.integers(1, 12), st.integers(1, 6))
def test_a_row_goes_to_the_nearest_centroid_of_its_groups(seed, n, k, n_groups):
    rng = np.random.default_rng(seed)
    X = rows(rng, n)
    X[rng.random(n) < 0.1] = 0
    centroids, coarse = units(rng, k, X.shape[1]), units(rng, n_groups, X.shape[1])
    centroids = centroids[rng.integers(0, k, k + 3)]  # equal ones
    groups = rng.permuted(np.tile(np.arange(n_groups), (n, 1)), axis=1)[:, : rng.integers(1, 3)]
    fit = GroupedFit(X, lengths_of(X), centroids)
    fit.coarse, fit.groups = coarse, groups.astype(np.uint16)
    labels = np.full(n, -1)

    def take(first, block, nearest):
        np.testing.assert_array_equal(block, X[first : first + len(block)])
        labels[first : first + len(block)] = nearest

    fit.assign(take)
    np.testing.assert_array_equal(labels, nearest_of_own_groups(X, centroids, coarse, groups))


@given(
    st.integers(0, 2**31),
    st.sampled_from([1, 3, 60, 700]),
    st.integers(1, 90),
    st.sampled_from(["drop", "reseed"]),
    st.sampled_from(["assignment", "points"]),
)
def test_it_ends_with_lists_of_all_rows_and_their_directions(seed, n, k, empty, start):
    P = rows(np.random.default_rng(seed), n)
    found = grouped_kmeans(P, k, start, rng_for(seed), empty=empty)
    assert len(found.centroids) <= k
    assert set(found.labels) == set(range(len(found.centroids)))
    assert len(found.labels) == n
    for c, centroid in enumerate(found.centroids):
        total = P[found.labels == c].sum(axis=0, dtype=np.float64)
        np.testing.assert_allclose(centroid, total / np.linalg.norm(total), atol=1e-5)
    assert {r.n for r in found.rounds} == {n}


def test_it_comes_close_to_all_centroids_in_few_rounds():
    P = rows(np.random.default_rng(2), 6000, 8)
    reports = []
    found = grouped_kmeans(
        P, 150, "assignment", rng_for(0), progress=lambda *report: reports.append(report)
    )
    fractions = [fraction for fraction, *_ in reports]
    assert all(a <= b for a, b in pairwise(fractions))
    assert reports[0][1] == "coarse groups"
    assert reports[-1][2].rounds == found.rounds
    full = spherical_kmeans(P, start_labels(rng_for(0), len(P), 150), max_rounds=10)
    assert found.rounds[-1].objective > 0.99 * full.rounds[-1].objective
    assert len(found.centroids) > 0.9 * 150


def test_many_short_rows_take_no_share_of_the_centroids_from_long_ones():
    """As of recommenders: lifted, short rows lie close together. Rounds on all do worse."""
    rng = np.random.default_rng(5)
    X = rng.normal(size=(6000, 8)).astype(np.float32)
    X[600:] *= 0.05
    P = PaperAugment().fit(X).items(X)
    found = grouped_kmeans(P, 150, "assignment", rng_for(0))
    full = spherical_kmeans(P, start_labels(rng_for(0), len(P), 150), max_rounds=10)
    long = slice(600)
    cosines = [
        np.einsum("ij,ij->i", P[long], fit.centroids[fit.labels[long]]).mean()
        for fit in (found, full)
    ]
    assert cosines[0] > cosines[1]


def test_blocks_and_threads_change_no_bit(monkeypatch):
    P = rows(np.random.default_rng(3), 3000)
    whole = grouped_kmeans(P, 120, "assignment", rng_for(1), max_rounds=2)
    monkeypatch.setattr(grouped, "BLOCK", 300)
    monkeypatch.setattr(grouped, "STRIP", 70)
    monkeypatch.setenv("MIPS_THREADS", "3")
    parts = grouped_kmeans(P, 120, "assignment", rng_for(1), max_rounds=2)
    np.testing.assert_array_equal(whole.labels, parts.labels)
    assert whole.centroids.tobytes() == parts.centroids.tobytes()
    assert len(whole.rounds) == 2


@pytest.mark.parametrize("k", [1, 2, 5])
def test_rows_without_direction_are_one_cluster_or_few(k):
    found = grouped_kmeans(np.zeros((40, 3), np.float32), k, "points", rng_for(0))
    assert len(found.labels) == 40


@given(st.integers(0, 2**31), st.sampled_from([60, 700]), st.sampled_from(["drop", "reseed"]))
def test_with_as_many_groups_as_a_row_meets_rounds_are_those_of_all(seed, n, empty):
    P = rows(np.random.default_rng(seed), n)
    labels = start_labels(rng_for(seed), n, BEST_GROUPS**2)
    told = {"empty": empty, "max_rounds": 4}
    few = grouped_rounds(P, labels, **told, progress=lambda *report: None)
    full = spherical_kmeans(P, labels, **told)
    np.testing.assert_array_equal(few.labels, full.labels)
    assert few.centroids.tobytes() == full.centroids.tobytes()
    assert [r.live for r in few.rounds] == [r.live for r in full.rounds]
    groups = {(r.products - n * r.live) / r.live for r in few.rounds[1:]}  # centroids meet them
    assert all(0 < count <= BEST_GROUPS for count in groups)
    assert len(groups) <= 1


def test_a_round_counts_the_products_it_takes_and_the_first_those_before():
    P = rows(np.random.default_rng(4), 3000)
    met = []

    class Counted(GroupedFit):
        def assign(self, take):
            """By the definition: rows with the centroids of their groups, these with the groups."""
            own = np.array([np.argmax(self.coarse.astype(float) @ c) for c in self.centroids])
            sizes = np.bincount(own, minlength=len(self.coarse))
            met.append(int(sizes[self.groups].sum()) + len(self.centroids) * len(self.coarse))
            super().assign(take)

    coarse = growing_kmeans(P[::2], 30, "assignment", rng_for(0))
    before = 77 + sum(r.products for r in coarse.rounds) + len(P) * len(coarse.centroids)
    fit = Counted(P, lengths_of(P), start_labels(rng_for(1), len(P), 140))
    fit.join(coarse, grouped._best_groups(P, coarse.centroids), 77)
    fit.run("drop", 3, lambda *report: None)
    assert [r.products for r in fit.rounds] == [met[0] + before, *met[1:]]
    assert met[1] < 0.9 * len(P) * fit.rounds[1].live  # 8 of 30 groups
    whole = grouped_kmeans(P, 140, "assignment", rng_for(1))
    assert whole.rounds[0].products > whole.rounds[1].products > 0


def test_a_sample_of_several_blocks_is_the_same_on_several_threads(monkeypatch):
    """Each block takes lengths, which are threaded themselves: no thread waits for another."""
    X = np.random.default_rng(6).normal(size=(20_000, 4)).astype(np.float32)
    P = PaperAugment().fit(X).rows(X)
    found = []
    for threads in ("1", "2"):
        monkeypatch.setenv("MIPS_THREADS", threads)
        found.append(grouped_kmeans(P, 300, "assignment", rng_for(0), max_rounds=1))
    assert found[0].centroids.tobytes() == found[1].centroids.tobytes()
