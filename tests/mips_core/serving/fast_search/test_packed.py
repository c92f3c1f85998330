"""What codes lose stays within its bound, at any width."""

import numpy as np
import pytest
from hypothesis import given

from mips_core.serving.fast_search.packed import (
    STEP,
    code_product,
    encode,
    encode_query,
    width,
)
from mips_core.serving.fast_search.shortlist import rounding_bound
from tests import oracle
from tests.mips_core.serving.fast_search.drawn_lists import problems


@given(problems(1))
def test_what_codes_lose_stays_within_the_bound(problem):
    X, Q, searcher, _ = problem
    q = np.float64(Q[0]) / max(np.linalg.norm(np.float64(Q[0])), 1e-300)
    starts, members = searcher.lists()
    rows = np.ascontiguousarray(X[members])
    codes = np.full((len(rows), width(X.shape[1])), 99, np.int8)
    scales = np.empty(len(rows), np.float32)
    errors = np.zeros(len(starts) - 1, np.float32)
    encode(starts, rows, codes, scales, errors)
    code = np.full(codes.shape[1], 99, np.int16)
    step, lost = encode_query(q.astype(np.float32), code)
    assert lost < 1e-3
    relative, absolute = rounding_bound(X.shape[1])
    for which in range(len(starts) - 1):
        bound = relative + errors[which] + lost * (1 + errors[which])
        for at in range(starts[which], starts[which + 1]):
            exact = code_product(codes[at], code)
            assert exact == int(codes[at].astype(int) @ code.astype(int))
            score = float(exact) * float(scales[at]) * step
            length = np.linalg.norm(np.float64(rows[at]))
            assert abs(oracle.dot(rows[at], q) - score) <= bound * length + absolute


def test_codes_are_as_wide_as_whole_steps():
    assert [width(d) for d in (1, STEP - 1, STEP, STEP + 1, 100)] == [32, 32, 32, 64, 128]


@pytest.mark.parametrize("d", [1, 100, 5000])
def test_products_of_codes_fit_into_32_bits(d):
    code = np.empty(width(d), np.int16)
    encode_query(np.full(d, d**-0.5, np.float32), code)
    lowest = np.full(len(code), -127, np.int8)
    assert code_product(lowest, code) == -127 * int(code.astype(int).sum())
