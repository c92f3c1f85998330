"""The order in which clusters open is the strict order, also where float32 cannot tell."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from mips_core.probing import cluster_order
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
