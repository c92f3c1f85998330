"""Counting at all efforts in one pass, against asking for the candidates of each effort."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mips_core import rng_for
from mips_core.methods.kmeans.flat import FlatKMeans
from mips_core.methods.kmeans.hierarchical import HierarchicalKMeans
from mips_core.methods.searcher import NestedSearcher, Searcher
from mips_core.methods.tallies import (
    first_bits,
    pack_bits,
    sum_by_fold,
    tied_bits,
    tied_ranks,
    unpack_bits,
)
from mips_core.methods.trees.pca import PCATree

TREES = {
    "flat": FlatKMeans(n_clusters=9),
    "one cluster": FlatKMeans(n_clusters=1),
    "two levels": HierarchicalKMeans(n_levels=2),
    "three levels": HierarchicalKMeans(n_levels=3),
    "a wide top": HierarchicalKMeans(n_levels=3, sizes=(12, 5, 30)),
    "PCA": PCATree(boosting=False),
    "boosted PCA": PCATree(boosting=True),
}


def items_with_ties(seed, n):
    """(n, 3) rows of few values: repeated, zero, one huge and one tiny."""
    rng = np.random.default_rng(seed)
    X = rng.integers(-2, 3, size=(n, 3)).astype(np.float32)
    X[rng.integers(0, n)] *= 1000
    X[rng.integers(0, n)] *= 1e-6
    return X


@pytest.mark.parametrize("index", TREES.values(), ids=TREES)
@settings(max_examples=10)
@given(st.integers(0, 2**31), st.sampled_from([1, 2, 40, 150]), st.sampled_from([1, 2, 5]))
def test_a_tally_is_what_the_candidates_of_every_effort_add_up_to(index, seed, n, m):
    rng = np.random.default_rng(seed)
    X = items_with_ties(seed, n)
    searcher = index.searcher(index.build(X, rng_for(seed)))
    Q = rng.normal(size=(m, 3)).astype(np.float32)
    wanted = rng.integers(-1, n, size=(m, 70))
    for folds in (1, 2, m):
        hits, costs = searcher.tally(Q, wanted, 3, folds)
        slow = Searcher.outcomes(searcher, Q, wanted, 3)  # lists candidates, effort by effort
        for at, (expected, spent) in enumerate(slow):
            nested = isinstance(searcher, NestedSearcher)
            found = hits <= at if nested else unpack_bits(hits[at], wanted.shape[1])
            np.testing.assert_array_equal(found, expected)
            for part, cost in spent.items():
                np.testing.assert_array_equal(costs[part][:, at], sum_by_fold(cost, folds))


@given(st.integers(0, 2**31), st.integers(1, 200))
def test_bits_are_packed_and_unpacked(seed, width):
    found = np.random.default_rng(seed).random((4, width)) < 0.5
    words = pack_bits(found)
    assert words.shape == (4, -(-width // 64))
    for i, j in np.ndindex(*found.shape):
        assert (int(words[i, j // 64]) >> (j % 64)) & 1 == found[i, j]
    for K in {1, width // 2, width}:
        np.testing.assert_array_equal(unpack_bits(words, K), found[:, :K])


def test_first_bits_are_a_mask():
    widths = np.array([0, 1, 63, 64, 65, 128])
    expected = [[(1 << min(w, 64)) - 1, (1 << max(w - 64, 0)) - 1] for w in widths.tolist()]
    assert first_bits(widths, 2).tolist() == expected


@given(st.integers(0, 2**31), st.integers(0, 9), st.integers(1, 5), st.integers(1, 8))
def test_ties_add_what_counting_says(seed, m, K, p):
    rng = np.random.default_rng(seed)
    ranks = rng.integers(0, p + 1, size=(m, 80), dtype=np.int32)
    widths = rng.integers(K, 81, size=m)
    expected = [
        sum(
            min(sum(row[:width] <= at), K) - sum(row[:K] <= at)
            for row, width in zip(ranks, widths, strict=True)
        )
        for at in range(p)
    ]
    assert tied_ranks(ranks, widths, K, p).tolist() == expected
    found = np.stack([pack_bits(ranks <= at) for at in range(p)])
    assert tied_bits(found, widths, K).tolist() == expected
