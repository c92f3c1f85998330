"""Runs measured from scratch."""

from datetime import UTC, datetime

import numpy as np

from mips_core import Dataset, evaluate, rng_for, truth_of
from mips_core.data.queries import QueryRecipe, with_queries
from mips_core.methods.baselines import LargestNorm
from mips_core.methods.kmeans.flat import FlatKMeans
from mips_core.methods.trees.ip import IPTree
from mips_core.studies.runs import Run, common_speedup, difference_of, groups_of, measure_runs
from mips_core.studies.runs.wording import in_words
from tests.mips_core.studies.runs.conftest import FEW, KS


def test_a_run_has_the_numbers_of_its_evaluation(dataset):
    truth, index = truth_of(dataset), FEW[0]
    searcher = index.searcher(index.build(dataset.items, rng_for(3)))
    evaluation = evaluate(index, searcher, truth, 3)
    when = datetime(2026, 11, 28, 22, 44, 57, tzinfo=UTC)
    run = Run.of(evaluation, dataset, KS, when=when, groups=groups_of(index, searcher))
    assert (run.name, run.kept) == ("Flat k-means, 12 clusters, seed 3", "2026-11-28T22:44:57Z")
    assert (run.index, run.seed, run.ks) == (index, 3, KS)
    assert (run.data.n, run.data.d, run.data.m) == (dataset.n, dataset.d, truth.m)
    assert run.data.fingerprint == dataset.fingerprint
    for K in KS:
        np.testing.assert_array_equal(run.curve.precision(K), evaluation.curve((K,)).precision(K))
        for at in range(len(evaluation.efforts)):
            np.testing.assert_array_equal(run.hits[K][at], evaluation.hits(K, at))
    sizes = np.bincount(searcher.groups()[-1])
    sizes = sizes[sizes > 0]
    assert (run.groups.count, run.groups.smallest, run.groups.largest) == (
        *(len(sizes), sizes.min()),
        sizes.max(),
    )
    assert run.groups.median == np.median(sizes)


def test_hits_that_would_be_too_many_numbers_are_left_out(dataset, monkeypatch):
    monkeypatch.setattr("mips_core.studies.runs.run.MAX_RUN_HITS", 100)
    (run,) = measure_runs(FEW[:1], dataset, ks=KS)
    assert run.hits == {}
    assert run.ks == KS


def test_an_index_that_depends_on_k_has_a_run_for_each(dataset):
    runs = measure_runs([IPTree()], dataset, ks=KS)
    assert [run.ks for run in runs] == [(1,), (10,)]
    assert len({run.name for run in runs}) == 2


def test_one_query_and_one_item_can_be_kept_and_compared():
    dataset = with_queries(
        Dataset(np.array([[1.0, 2.0]], np.float32), name="one"), QueryRecipe(count=1)
    )
    runs = measure_runs([FlatKMeans(), LargestNorm()], dataset, ks=(1, 10))
    compared = difference_of(runs, 10, common_speedup(runs, 10), 0.9)
    assert "1 query" in " ".join(in_words(compared)) or not compared.reached
