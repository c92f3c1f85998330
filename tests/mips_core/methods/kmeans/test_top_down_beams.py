"""Beams of several widths down one tree: each is as if it were alone."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from mips_core import rng_for
from mips_core.base.kernels import mark_candidates
from mips_core.methods.kmeans.top_down import TopDownKMeans, TopDownSearcher
from mips_core.methods.kmeans.top_down_beams import leaves_of, outcomes_of
from tests.mips_core.methods.hard_vectors import SEEDS, SHAPES, queries, vectors


@given(SEEDS, st.sampled_from(SHAPES), st.sampled_from([0.0, 0.05]), st.integers(1, 8))
def test_beams_in_one_descent_are_each_as_if_alone(seed, shape, epsilon, leaf_size):
    rng = np.random.default_rng(seed)
    index = TopDownKMeans(leaf_size=leaf_size, epsilon=epsilon)
    searcher = index.searcher(index.build(vectors(shape, rng, 60, 3), rng_for(seed)))
    Q = queries(rng, 3, 3)
    wanted = rng.integers(-1, 60, size=(3, 9))
    outcomes = searcher.outcomes(Q, wanted, 1)
    for effort, (found, costs) in zip(searcher.efforts(), outcomes, strict=True):
        alone = searcher.candidates(Q, effort, 1)
        marked = mark_candidates(wanted, alone.starts, alone.ids, 60)
        np.testing.assert_array_equal(found, marked)
        np.testing.assert_array_equal(sum(costs.values()), alone.cost)


def test_products_as_far_off_as_float32_may_be_change_no_beam():
    """By (d + 1) u, u = 2^-24, up or down, where rows along one direction nearly tie."""
    rng = np.random.default_rng(0)
    X = (1 + 0.01 * rng.normal(size=(200, 300))).astype(np.float32)
    searcher = TopDownSearcher(TopDownKMeans(leaf_size=4).build(X, rng_for(0)))
    nodes, lifted, scores = searcher.asked(X[:20])
    error = (lifted.shape[1] + 1) * 2.0**-24 * rng.choice([-1, 1], scores.shape)
    off = (scores + error).astype(np.float32)
    for width in (1, 3, 20):
        expected, found = (leaves_of(nodes, lifted, S, width)[0] for S in (scores, off))
        np.testing.assert_array_equal(np.sort(found, axis=1), np.sort(expected, axis=1))
    asked = np.array(searcher.efforts()), np.tile(np.arange(200), (20, 1)), 200
    expected, found = (outcomes_of(nodes, lifted, S, *asked)[0] for S in (scores, off))
    np.testing.assert_array_equal(found, expected)
