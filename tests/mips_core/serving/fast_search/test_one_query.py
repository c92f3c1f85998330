"""Lists are chosen by codes as by the strict order."""

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from mips_core import INDEXES, rng_for
from mips_core.methods.cluster_order.order import cluster_order
from mips_core.methods.kmeans.flat import FlatKMeans
from mips_core.serving.fast_search import retriever_of
from mips_core.serving.fast_search.blocks import width
from mips_core.serving.fast_search.one_query import (
    ListChoice,
    coded_query,
    first_by_codes,
)
from mips_core.serving.fast_search.packed import encode


@given(st.integers(0, 2**31), st.integers(1, 40), st.integers(1, 9), st.integers(1, 40))
@settings(deadline=None)
def test_the_first_centroids_are_those_of_the_strict_order(seed, k, d, p):
    rng = np.random.default_rng(seed)
    centroids = rng.normal(size=(k, d + 1))
    centroids[rng.integers(0, k, k // 2)] = centroids[0]
    nudged = rng.integers(0, k, k // 3)
    centroids[nudged] = centroids[0] * (1 + 1e-7 * rng.normal(size=(len(nudged), 1)))
    centroids = (centroids / np.linalg.norm(centroids, axis=1, keepdims=True)).astype(np.float32)
    rows = np.ascontiguousarray(centroids[:, :d])
    codes = encode(np.array([0, k]), rows)
    choice = ListChoice(centroids, codes, np.float32([1.00001]), 0, 0)
    Q = (rng.normal(size=(3, d)) * 10.0 ** rng.integers(-5, 5)).astype(np.float32)
    Q[2] = rows[-1]
    for i, order in enumerate(cluster_order(Q, centroids)):
        first = first_by_codes(coded_query(Q[i : i + 1], width(d)), choice, min(p, k))
        np.testing.assert_array_equal(first, order[: min(p, k)])


def test_a_choice_by_spread_is_left_to_the_searcher():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(200, 4)).astype(np.float32)
    head = INDEXES["head-kmeans"](probing="spread")
    for index, chosen in ((head, False), (FlatKMeans(), True)):
        searcher = index.searcher(index.build(X, rng_for(0)))
        retriever = retriever_of(searcher, X, codes=True)
        assert (retriever.addressed is not None) == chosen
