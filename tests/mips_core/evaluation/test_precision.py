"""Hits and ties, counted as the definition says."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from mips_core import compare, rng_for, truth_of
from mips_core.base.errors import ParamError
from mips_core.evaluation.evaluate import evaluate
from mips_core.evaluation.precision import first_bits, tied_bits, tied_ranks
from mips_core.methods.baselines import ExactSearch
from mips_core.methods.bits import pack_bits
from mips_core.methods.hashing.sign_hash import SRPHash
from tests.mips_core.evaluation.random_data import METHODS, random_dataset


def test_first_bits_are_a_mask():
    widths = np.array([0, 1, 63, 64, 65, 128])
    expected = [[(1 << min(w, 64)) - 1, (1 << max(w - 64, 0)) - 1] for w in widths.tolist()]
    assert first_bits(widths, 2).tolist() == expected


@given(st.integers(0, 2**31), st.integers(0, 9), st.integers(1, 5), st.integers(1, 8))
def test_ties_add_what_counting_says(seed, m, K, p):
    rng = np.random.default_rng(seed)
    ranks = rng.integers(0, p + 1, size=(m, 80), dtype=np.int32)
    widths = rng.integers(K, 81, size=m)
    expected = [
        sum(
            min(sum(row[:width] <= at), K) - sum(row[:K] <= at)
            for row, width in zip(ranks, widths, strict=True)
        )
        for at in range(p)
    ]
    assert tied_ranks(ranks, widths, K, p).tolist() == expected
    found = np.stack([pack_bits(ranks <= at) for at in range(p)])
    assert tied_bits(found, widths, K).tolist() == expected


@pytest.mark.parametrize("index", [*METHODS, SRPHash(n_tables=8)], ids=lambda index: index.key)
@pytest.mark.parametrize("fold", [None, 0, 1])
def test_hits_by_query_are_what_the_histogram_counts(index, fold):
    dataset = random_dataset(m=41)
    searcher = index.searcher(index.build(dataset.items, rng_for(0)))
    evaluation = evaluate(index, searcher, truth_of(dataset), 0)
    for K in (1, 7, 100):
        histogram = evaluation.curve((K,), fold).histograms[K]
        for at in range(len(evaluation.efforts)):
            counted = np.bincount(evaluation.hits(K, at, fold), minlength=K + 1)
            np.testing.assert_array_equal(counted, histogram[at])


def test_k_beyond_n_divides_by_what_exists():
    dataset = random_dataset(n=8, m=5)
    (curve,) = compare([ExactSearch()], dataset, ks=(10, 100))
    assert curve.precision(10) == [1]
    assert curve.histograms[100].shape == (1, 9)
    for K in (0, 101):
        with pytest.raises(ParamError, match=f"K is {K}"):
            truth_of(dataset).answers(K)
