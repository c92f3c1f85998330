"""Probabilities are products of decisions; a beam finds what the definition says."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.mips_core.studies.tree_softmax.softmax_cases import (
    beam_oracle,
    fitted,
    gaussian,
    log_probabilities,
    ranked,
    tree_oracle,
)


@given(st.integers(2, 70), st.integers(1, 4), st.integers(0, 2**31))
def test_probabilities_sum_to_one_and_every_item_has_its_leaf(n, d, seed):
    X, Q = gaussian(n, 9, d, seed)
    X[n // 2 :: 3] = X[0]  # repeated rows
    Q[0] = 0
    model = fitted(X, Q)
    np.testing.assert_allclose(np.exp(log_probabilities(model, Q)).sum(axis=1), 1, rtol=1e-12)
    assert sorted(model.children.ravel()) == list(range(1, 2 * n - 1))
    depth = np.zeros(2 * n - 1, int)
    for node, children in enumerate(model.children):
        depth[children] = depth[node] + 1
    assert np.ptp(depth[n - 1 :]) <= 1  # balanced


def test_probabilities_are_products_of_decisions(case):
    model, _, _, Q = case
    expected = [tree_oracle(model, q) for q in Q]
    np.testing.assert_allclose(log_probabilities(model, Q), expected, rtol=1e-10)


@pytest.mark.parametrize("width", [1, 2, 5, 17, 31, 1000])
def test_a_beam_finds_and_costs_what_the_definition_says(case, width):
    model, _, _, Q = case
    ids, cost = model.search(Q, 10, width)
    for q, row, opened in zip(Q, ids, cost, strict=True):
        best, expected = beam_oracle(model, q, width)
        assert row.tolist() == (best + [-1] * 10)[:10]
        assert opened == expected
        if width > model.n / 2:
            assert row.tolist() == ranked(tree_oracle(model, q))[:10]
            assert opened == model.n - 1
