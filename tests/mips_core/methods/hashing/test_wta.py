"""Winner takes all: worked examples, the definition, and what a comparison costs."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from mips_core import rng_for
from mips_core.methods.hashing.wta import WinnerHash, WTAHash
from mips_core.methods.reductions import PaperAugment, Plain
from tests.mips_core.methods.hashing.definitions import matrix


def winner_key(prefixes, v):
    """The place of the largest entry of each prefix, the first on ties, as digits of base k."""
    key = 0
    for prefix in prefixes:
        values = [float(v[c]) for c in prefix]
        key = key * len(prefix) + values.index(max(values))
    return key


@pytest.mark.parametrize(
    ("v", "prefix", "code"), [((4, -1.5, 2.1, 5.5, 0), (2, 0, 3), 2), ((1, 1, 0), (1, 0), 0)]
)
def test_wta_worked_examples(v, prefix, code):
    V = matrix(v)
    assert WinnerHash(Plain().fit(V), np.array([[prefix]]), len(v)).keys(V).tolist() == [[code]]


@given(seed=st.integers(0, 2**31), p=st.integers(1, 16), k=st.integers(1, 16))
def test_winner_keys_are_their_definition(seed, p, k):
    rng = np.random.default_rng(seed)
    V = rng.integers(-3, 4, (6, 20)).astype(np.float32)  # ties happen
    prefixes = np.array([[rng.permutation(20)[:k] for _ in range(p)] for _ in range(2)])
    keys = WinnerHash(Plain().fit(V), prefixes, 20).keys(V)
    assert keys.tolist() == [[winner_key(own, v) for own in prefixes] for v in V]


def test_a_prefix_is_cut_to_the_dimension_and_holds_different_coordinates():
    X = np.random.default_rng(0).normal(size=(30, 3)).astype(np.float32)
    for reduction, k in ((Plain(), 3), (PaperAugment(m=2), 5)):
        tables = WTAHash(prefix=16, n_tables=4, reduction=reduction).build(X, rng_for(0))
        prefixes = tables.family.prefixes
        assert prefixes.shape == (4, 3, k)
        assert (np.sort(prefixes, axis=2) == np.arange(k)).all()
        assert tables.family.per_table == 3 * k / 3  # the dimension before lifting


def test_a_comparison_costs_a_share_of_an_inner_product_and_is_not_rounded():
    X = np.random.default_rng(0).normal(size=(50, 150)).astype(np.float32)
    index = WTAHash(n_permutations=4, prefix=8, n_tables=20)
    found = index.searcher(index.build(X, rng_for(0))).candidates(X[:3], 20, 1)
    np.testing.assert_allclose(found.spent["comparisons"], 4.2667, atol=1e-4)
    np.testing.assert_array_equal(found.cost, 20 * (4 * 8 / 150) + np.diff(found.starts))


@pytest.mark.parametrize("d", [1, 2, 4, 100])
def test_the_wta_grid_has_no_two_settings_that_cut_to_the_same(d):
    grid = WTAHash.grid(1000, d)
    X = np.random.default_rng(0).normal(size=(20, d)).astype(np.float32)
    shapes = [index.build(X, rng_for(0)).family.prefixes.shape for index in grid]
    assert len(set(shapes)) == len(grid) >= 4
