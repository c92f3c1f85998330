"""What codes lose stays within its bound, at any width."""

import numpy as np
import pytest
from hypothesis import given

from mips_core.serving.fast_search.blocks import ROWS, plain_products, width
from mips_core.serving.fast_search.packed import encode, encode_query
from mips_core.serving.fast_search.shortlist import rounding_bound
from tests import oracle
from tests.mips_core.serving.fast_search.drawn_lists import problems


def query_code(unit):
    planes = np.full((2, width(len(unit))), 99, np.int8)
    step, lost, excess = encode_query(unit, planes)
    code = 128 * planes[0].astype(int) + planes[1]
    assert excess == 128 * code.sum()
    return code, step, lost


@given(problems(1))
def test_what_codes_lose_stays_within_the_bound(problem):
    X, Q, searcher, _ = problem
    q = np.float64(Q[0]) / max(np.linalg.norm(np.float64(Q[0])), 1e-300)
    starts, members = searcher.lists()
    rows = np.ascontiguousarray(X[members])
    codes = encode(starts, rows)
    code, step, lost = query_code(q.astype(np.float32))
    assert lost < 1e-3
    relative, absolute = rounding_bound(X.shape[1])
    stored = codes.blocks.astype(int).swapaxes(1, 2).reshape(len(codes.scales), -1) - 128
    for which in range(len(starts) - 1):
        bound = relative + codes.errors[which] + lost * (1 + codes.errors[which])
        first = codes.begins[which] * ROWS
        for i in range(starts[which], starts[which + 1]):
            at = first + i - starts[which]
            score = float(stored[at] @ code) * float(codes.scales[at]) * step
            length = np.linalg.norm(np.float64(rows[i]))
            assert abs(oracle.dot(rows[i], q) - score) <= bound * length + absolute
        unused = slice(first + starts[which + 1] - starts[which], codes.begins[which + 1] * ROWS)
        assert not stored[unused].any()
        assert not codes.scales[unused].any()


@pytest.mark.parametrize("d", [1, 100, 5000])
def test_products_of_codes_fit_into_32_bits(d):
    code, _, _ = query_code(np.full(d, d**-0.5, np.float32))
    codes = encode(np.array([0, 1]), np.full((1, d), -1, np.float32))
    planes = np.empty((2, width(d)), np.int8)
    excess = encode_query(np.full(d, d**-0.5, np.float32), planes)[2]
    products = np.empty(ROWS, np.int64)
    plain_products(codes.blocks, 0, planes, excess, products)
    assert products[0] == -127 * code.sum() >= -(2**31)
