"""What is read off once says what the intervals say, bit for bit, and goes with its evaluation."""

import gc
import weakref

import numpy as np
import pytest

from mips_core.evaluation.intervals import lower_bound
from mips_core.studies.queries_needed import queries_at, queries_to_settle
from mips_core.studies.tuning import estimates
from mips_core.studies.tuning.estimates import Estimates, are_counted
from tests.mips_core.studies.tuning.tuning_cases import invented, tried


@pytest.mark.parametrize("fold", [None, 0, 1])
@pytest.mark.parametrize("K", [1, 10, 64])
@pytest.mark.parametrize("confidence", [0.5, 0.95, 0.999])
def test_both_ends_and_what_would_settle_are_those_of_the_histograms(fold, K, confidence):
    every = [one.evaluation for one in tried()]
    seen = Estimates.together([Estimates.of(one, K, fold) for one in every])
    histograms = np.concatenate([one.curve((K,), fold).histograms[K] for one in every])
    np.testing.assert_array_equal(seen.lower(confidence), lower_bound(histograms, confidence))
    missed = lower_bound(histograms[:, ::-1], confidence)
    np.testing.assert_array_equal(seen.upper(confidence), 1.0 - missed)
    for at, histogram in enumerate(histograms):
        needed = queries_to_settle(histogram, 0.9, confidence)
        assert queries_at(seen.found[at], seen.worth[at], 0.9, confidence) == needed


def test_hits_are_counted_once_for_a_k_and_kept_for_a_few(monkeypatch):
    one = invented([0.2, 0.5, 0.9], [10, 20, 30], np.random.default_rng(0)).evaluation
    assert not are_counted(one, 10)
    first = Estimates.of(one, 10, 1)
    assert are_counted(one, 10)
    one.read_off.clear()
    assert Estimates.of(one, 10, 1) is first
    assert not one.read_off  # nothing was counted again
    monkeypatch.setattr(estimates, "KEPT", 2)
    for K in (1, 2, 3):
        Estimates.of(one, K, 1)
    assert [K for K in (1, 2, 3, 10) if are_counted(one, K)] == [2, 3]


def test_estimates_go_with_their_evaluation():
    one = invented([0.2, 0.5], [10, 20], np.random.default_rng(0)).evaluation
    kept = weakref.ref(Estimates.of(one, 10, 0).found)
    assert kept() is not None
    del one
    gc.collect()
    assert kept() is None
