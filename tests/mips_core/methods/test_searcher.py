"""The ladder of efforts that curves are traced along, and what is counted at all of them."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mips_core import rng_for
from mips_core.methods.bits import sum_by_fold, unpack_bits
from mips_core.methods.kmeans.flat import FlatKMeans
from mips_core.methods.kmeans.hierarchical import HierarchicalKMeans
from mips_core.methods.searcher import ALL_EFFORTS, NestedSearcher, Searcher, effort_ladder
from mips_core.methods.trees.pca import PCATree

BEYOND = [36, 40, 45, 50, 56, 63, 70, 78, 87, 97, 109, 122, 137, 154, 173, 194, 218, 245, 275, 309]


def test_a_ladder_has_every_effort_to_32_and_then_steps_of_an_eighth_rounded_down():
    assert ALL_EFFORTS == 32
    assert effort_ladder(309) == [*range(1, 33), *BEYOND]
    assert effort_ladder(310) == [*range(1, 33), *BEYOND, 310]


@pytest.mark.parametrize(
    ("most", "last"),
    [(1, [1]), (2, [1, 2]), (32, [31, 32]), (33, [32, 33]), (36, [32, 36]), (37, [36, 37])],
)
def test_a_ladder_ends_at_the_most_whatever_the_step(most, last):
    assert effort_ladder(most)[-len(last) :] == last


def test_a_ladder_of_a_million_has_121_steps():
    ladder = effort_ladder(1_000_000)
    assert ladder[-4:] == [724856, 815463, 917395, 1_000_000]
    assert len(ladder) == 121


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
