"""The nearest centroid of each row, decided in float64."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from mips_core.base.seeds import rng_for
from mips_core.base.threads import between_blocks, limited
from mips_core.methods.clustering.nearest import BLOCK, TILE_ROWS, assign, two_best
from mips_core.methods.clustering.rounds import spherical_kmeans, start_labels
from tests import oracle


@given(
    st.integers(0, 2**31),
    st.sampled_from([1, 2, 5, 64, 65]),
    st.sampled_from(["usual", "grid", "one row", "one huge", "zeros", "tiny"]),
)
def test_assign_is_the_largest_inner_product_in_float64(seed, k, kind):
    """On a grid most scores tie; then the lower number has it."""
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(40, 4))
    if kind == "grid":
        X = rng.integers(-1, 2, (40, 4))
    elif kind == "one row":
        X = X[:1]
    elif kind == "one huge":
        X[7] *= 1e12
    elif kind == "zeros":
        X[::3] = 0
    elif kind == "tiny":
        X *= 1e-30
    X = X.astype(np.float32)
    C = (rng.integers(-1, 2, (k, 4)) if kind == "grid" else rng.normal(size=(k, 4))) + 1e-3
    C = (C / np.linalg.norm(C, axis=1, keepdims=True)).astype(np.float32)
    C[k // 2 :] = C[: k - k // 2]  # the second half repeats the first
    expected = [oracle.ranking(C, x)[0] for x in X]
    norms = np.linalg.norm(X.astype(np.float64), axis=1)
    np.testing.assert_array_equal(assign(X, C, norms), expected)


def test_tiles_and_blocks_do_not_show():
    """Rows beyond a tile and beyond a block, at one thread and two."""
    X = np.random.default_rng(3).normal(size=(BLOCK + TILE_ROWS + 7, 6)).astype(np.float32)
    C = X[:20] / np.linalg.norm(X[:20], axis=1, keepdims=True)
    scores = X.astype(np.float64) @ C.T.astype(np.float64)
    labels = assign(X, C, np.linalg.norm(X, axis=1))
    np.testing.assert_array_equal(labels, scores.argmax(axis=1))
    P = X / 8
    once, twice = (_fit_with(P, threads) for threads in (1, 2))
    for a, b in zip(once, twice, strict=True):
        np.testing.assert_array_equal(a, b)


def _fit_with(P, threads):
    with limited(threads):
        found = spherical_kmeans(P, start_labels(rng_for(0, "start"), len(P), 20), max_rounds=4)
    return found.centroids, found.labels, [(r.objective, r.moved) for r in found.rounds]


def test_of_many_centroids_cancel_is_heard_often_and_labels_are_the_same():
    rng = np.random.default_rng(5)
    X = rng.normal(size=(BLOCK + 100, 3)).astype(np.float32)
    C = rng.normal(size=(4 * 4096, 3))
    C = (C / np.linalg.norm(C, axis=1, keepdims=True)).astype(np.float32)
    norms, heard = np.linalg.norm(X.astype(np.float64), axis=1), []
    with between_blocks(lambda: heard.append(True)):
        labels = assign(X, C, norms)
    assert len(heard) == 5  # a quarter of the rows at a time
    with limited(1):
        np.testing.assert_array_equal(assign(X, C, norms), labels)
    for row in (0, 511, 512, len(X) - 1):
        assert labels[row] == oracle.ranking(C, X[row])[0]


@given(seed=st.integers(0, 2**32 - 1), k=st.integers(1, 9), b=st.integers(1, 40))
def test_the_two_best_are_those_of_a_sort_and_ties_take_the_lower_number(seed, k, b):
    scores = rng_for(seed).integers(-2, 3, (k, b)).astype(np.float32)
    best = np.full(b, -np.inf, np.float32)
    second, label = best.copy(), np.zeros(b, np.int32)
    two_best(scores, best, second, label)
    sorted_scores = np.sort(np.vstack([np.full((1, b), -np.inf, np.float32), scores]), axis=0)
    assert (best == sorted_scores[-1]).all()
    assert (second == sorted_scores[-2]).all()
    assert (label == scores.argmax(axis=0)).all()
