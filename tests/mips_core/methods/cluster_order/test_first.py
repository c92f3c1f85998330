"""The first clusters are those of the strict order, of all clusters and of some."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from mips_core.methods.cluster_order.first import FEW, MOST_PICKED, first_children, first_clusters
from mips_core.methods.cluster_order.order import cluster_order
from tests import oracle


def centroids_and_queries(seed, k, m, length):
    rng = np.random.default_rng(seed)
    C = rng.normal(size=(k, 5))
    C[rng.integers(0, k, k // 2)] = C[0]  # equal centroids
    C = C / np.linalg.norm(C, axis=1, keepdims=True)
    near = rng.integers(0, k, k // 2)
    C[near] = C[-1] + rng.normal(size=(len(near), 5)) * 1e-7  # a rounding apart
    Q = rng.normal(size=(m, 3)) * length  # two entries short: those that lifting adds
    Q[-1] = 0
    return C.astype(np.float32), Q.astype(np.float32), rng


def lifted(Q, d):
    return np.pad(Q, ((0, 0), (0, d - Q.shape[1])))


@given(
    st.integers(0, 2**31),
    st.integers(1, 30),
    st.integers(1, 35),
    st.integers(1, 2 * FEW),
    st.sampled_from([1e-3, 1.0, 1e4]),
)
def test_first_clusters_are_the_strict_order(seed, k, p, m, length):
    C, Q, _ = centroids_and_queries(seed, k, m, length)
    expected = [oracle.ranking(C, q)[:p] for q in lifted(Q, 5)]
    np.testing.assert_array_equal(first_clusters(Q, C, p), expected)
    np.testing.assert_array_equal(first_clusters(lifted(Q, 5), C, p), expected)


@pytest.mark.parametrize("p", [1, MOST_PICKED, MOST_PICKED + 1, 500])
def test_many_clusters(p):
    C, Q, _ = centroids_and_queries(1, 500, 40, 1.0)
    order = cluster_order(lifted(Q, 5), C)[:, :p]
    np.testing.assert_array_equal(first_clusters(Q, C, p), order)
    np.testing.assert_array_equal(first_clusters(Q[:1], C, p), order[:1])


@given(st.integers(0, 2**31), st.integers(1, 30), st.integers(1, 12))
def test_first_children_are_the_strict_order_among_them(seed, k, p):
    C, Q, rng = centroids_and_queries(seed, k, 4, 1.0)
    parent_of = rng.integers(0, 6, k)
    starts = np.concatenate([[0], np.cumsum(np.bincount(parent_of, minlength=6))])
    members = np.argsort(parent_of, kind="stable")
    parents = np.argsort(rng.random((4, 6)), axis=1)[:, :3]
    parents[rng.random(parents.shape) < 0.2] = -1
    first, scored = first_children(Q, C, parents, starts, members, p)
    assert first.shape == (4, min(p, k))
    for q, among, row, count in zip(lifted(Q, 5), parents, first, scored, strict=True):
        children = np.flatnonzero(np.isin(parent_of, among))
        expected = oracle.ranking(C, q, children)[: first.shape[1]]
        assert count == len(children)
        np.testing.assert_array_equal(row, expected + [-1] * (len(row) - len(expected)))


@pytest.mark.parametrize("p", [1, 3, 300])
def test_clusters_that_all_nearly_tie_are_put_in_order_by_one_sort(p):
    C, Q, rng = centroids_and_queries(2, 3000, 2, 1.0)
    C[:] = C[0] + rng.normal(size=C.shape).astype(np.float32) * 1e-8
    expected = [oracle.ranking(C, q)[:p] for q in lifted(Q, 5)]
    np.testing.assert_array_equal(first_clusters(Q, C, p), expected)
    C[:] = C[0]
    np.testing.assert_array_equal(first_clusters(Q, C, p), np.tile(np.arange(p), (2, 1)))
