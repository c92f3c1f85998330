"""L2-ALSH: the worked example, the definition, and what float32 cannot see."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from mips_core import rng_for
from mips_core.methods.hashing.hash_tables import float32_slack
from mips_core.methods.hashing.l2_alsh import L2ALSH, FloorFunctions, lift_items, lift_queries
from tests import oracle
from tests.mips_core.methods.hashing.definitions import matrix


def floor_value(a, b, r, v):
    return math.floor((oracle.dot(a, v) + b) / r)


def test_l2_worked_example():
    X = matrix([3, 4], [6, 8], [0, 0])  # the longest has length 10, so s = U / 10
    P = lift_items(X, 0.99, 2)
    s = 0.099
    np.testing.assert_allclose(P[0], [3 * s, 4 * s, (5 * s) ** 2, (5 * s) ** 4], rtol=1e-6)
    assert not P[2].any()
    item, query = matrix([0.3, 0.4, 0.25, 0.0625]), lift_queries(matrix([7, 0]), 2)
    np.testing.assert_array_equal(query, [[1, 0, 0.5, 0.5]])
    assert ((query - item) ** 2).sum() == pytest.approx(1.5 - 0.6 + 0.00390625)
    functions = FloorFunctions(matrix([1, 0, 2, -1])[None], np.array([[0.5]]), 2.5)
    for row in (item, query):
        assert functions.values(row, float32_slack(row), slice(None)).tolist() == [[[0]]]
    assert (oracle.dot(functions.a[0, 0], item[0]), oracle.dot(functions.a[0, 0], query[0])) == (
        pytest.approx(0.7375),
        1.5,
    )


def test_floor_goes_down_for_negatives():
    V = matrix([-0.1], [0.1], [-1.0])
    functions = FloorFunctions(matrix([1])[None], np.array([[0.0]]), 1.0)
    assert functions.values(V, float32_slack(V), slice(None)).tolist() == [[[-1, 0, -1]]]


@pytest.mark.parametrize("r", [0.1, 1.0, 2.5])
def test_a_floor_that_float32_cannot_see_is_settled_in_float64(r):
    rng = np.random.default_rng(0)
    a = rng.normal(size=(1, 900, 40)).astype(np.float32)
    v = rng.normal(size=(1, 40)).astype(np.float32)
    exact = np.array([oracle.dot(row, v[0]) for row in a[0]])
    b = r * np.ceil(exact / r) - exact + rng.uniform(-1e-7, 1e-7, 900)  # a hair from an edge
    values = FloorFunctions(a, b[None], r).values(v, float32_slack(v), slice(None))[0, :, 0]
    expected = [floor_value(row, shift, r, v[0]) for row, shift in zip(a[0], b, strict=True)]
    blas = np.floor((np.float64(v @ a[0].T)[0] + b) / r)
    assert (blas != expected).any()  # else this shows nothing
    assert values.tolist() == expected


@given(seed=st.integers(0, 2**31), r=st.sampled_from([0.1, 0.7, 2.5, 100.0]))
def test_l2_candidates_are_the_items_of_equal_numbers(seed, r):
    rng = np.random.default_rng(seed)
    X = (rng.normal(size=(40, 5)) * rng.lognormal(size=(40, 1))).astype(np.float32)
    Q = rng.normal(size=(4, 5)).astype(np.float32)
    index = L2ALSH(n_hashes=3, n_tables=2, r=r)
    tables = index.build(X, rng_for(seed))
    found = index.searcher(tables).candidates(Q, 2, 1)
    P, lifted = lift_items(X, index.U, index.m), lift_queries(Q, index.m)
    functions = tables.family.functions

    def numbers(v):
        return [
            [floor_value(*each, r, v) for each in zip(a, b, strict=True)]
            for a, b in zip(functions.a, functions.b, strict=True)
        ]

    of_items = [numbers(v) for v in P]
    for i, v in enumerate(lifted):
        own = numbers(v)
        expected = [
            j for j, other in enumerate(of_items) if own[0] == other[0] or own[1] == other[1]
        ]
        assert found.ids[found.starts[i] : found.starts[i + 1]].tolist() == expected
        assert found.cost[i] == 3 * 2 + len(expected)


def test_offsets_and_zero_queries():
    functions = L2ALSH(r=0.5).build(matrix([1, 0], [0, 1]), rng_for(0)).family.functions
    assert functions.b.min() >= 0
    assert 0.4 < functions.b.max() < 0.5
    np.testing.assert_array_equal(lift_queries(matrix([0, 0]), 1), [[0, 0, 0.5]])
