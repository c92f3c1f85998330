"""The order in which clusters open is the strict order, also where float32 cannot tell."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from mips_core.methods.cluster_order import order
from mips_core.methods.cluster_order.order import cluster_order
from tests import oracle


@given(st.integers(0, 2**31), st.integers(1, 30), st.sampled_from([1e-3, 1.0, 1e4]))
def test_is_the_strict_order(seed, k, length):
    rng = np.random.default_rng(seed)
    C = rng.normal(size=(k, 3))
    C[rng.integers(0, k, k // 2)] = C[0]  # equal centroids
    C = C / np.linalg.norm(C, axis=1, keepdims=True)
    C[rng.integers(0, k)] += 1e-7  # one a rounding away
    C = C.astype(np.float32)
    Q = (rng.normal(size=(4, 3)) * length).astype(np.float32)
    Q[3] = 0
    expected = [oracle.ranking(C, q) for q in Q]
    np.testing.assert_array_equal(cluster_order(Q, C), expected)


@pytest.mark.parametrize("narrow", [0, 11], ids=["64 bits", "32 bits"])
def test_every_way_of_sorting_gives_the_strict_order(narrow, monkeypatch):
    """In strips of few queries and tiles of few clusters, with coarse keys and fine ones."""
    monkeypatch.setattr(order, "NARROW_ID_BITS", narrow)
    monkeypatch.setattr(order, "STRIP", 3)
    rng = np.random.default_rng(narrow)
    C = rng.normal(size=(300, 4)).astype(np.float32) * rng.lognormal(size=(300, 1))
    C[::7] = C[0]
    C[5] *= 1e6  # leaves the others few steps of a coarse key
    C = C.astype(np.float32)
    Q = (rng.normal(size=(8, 3)) * 10.0 ** rng.integers(-30, 9, size=(8, 1))).astype(np.float32)
    Q[4] = 0
    expected = [oracle.ranking(C[:, :3], q) for q in Q]
    np.testing.assert_array_equal(cluster_order(Q, C), expected)
    monkeypatch.setattr(order, "MOST_WIDENED", 0)
    monkeypatch.setattr(order, "TILE", 64)
    np.testing.assert_array_equal(cluster_order(Q, C), expected)
    np.testing.assert_array_equal(cluster_order(Q[:1], C), expected[:1])
    assert cluster_order(Q[:0], C).shape == (0, 300)


def test_products_in_any_order_of_additions_give_the_strict_order(monkeypatch):
    """Each product is as far from its canonical sum as two orders of additions may be."""
    d, k = 64, 40
    C = np.zeros((k, d), np.float32)
    C[:, 0] = 1.0
    C[:, 1] = np.random.default_rng(0).permutation(k) * 2.0**-20
    q = np.zeros((1, d), np.float32)
    q[0, :2] = 1.0, 2.0**-28  # scores in steps of 32 u, u = 2^-53
    expected = [oracle.ranking(C, q[0])]
    matmul = np.matmul

    def rounded_otherwise(a, b, out):
        matmul(a, b, out=out)
        out[:, ::2] += 2 * (d - 1) * 2.0**-53
        out[:, 1::2] -= 2 * (d - 1) * 2.0**-53

    monkeypatch.setattr(np, "matmul", rounded_otherwise)
    np.testing.assert_array_equal(cluster_order(q, C), expected)
