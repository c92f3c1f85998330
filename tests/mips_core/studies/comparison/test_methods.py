"""The difference of two methods: laws, how often it names a winner, how it is measured."""

import numpy as np
import pytest

from mips_core import Dataset, evaluate, rng_for, truth_of
from mips_core.base.errors import Cancelled, DataError, ParamError
from mips_core.evaluation.evaluate import FEWEST_TO_SPLIT
from mips_core.evaluation.setting import Setting
from mips_core.methods.baselines import ExactSearch, LargestNorm
from mips_core.methods.kmeans.flat import FlatKMeans
from mips_core.methods.kmeans.hierarchical import HierarchicalKMeans
from mips_core.methods.trees.ip import IPTree
from mips_core.studies.comparison import compare_at_precision, compare_at_speedup, difference
from mips_core.studies.comparison.methods import scored


def dataset_of(m=60, n=900):
    rng = np.random.default_rng(5)
    X = (rng.normal(size=(n, 6)) * rng.lognormal(size=(n, 1))).astype(np.float32)
    return Dataset(X, rng.normal(size=(m, 6)).astype(np.float32))


FLAT = [FlatKMeans(n_clusters=k) for k in (10, 30)]
TREE = [HierarchicalKMeans(n_clusters=64)]


def searched(index, seed, dataset, K=None):
    searcher = index.searcher(index.build(dataset.items, rng_for(seed)))
    return evaluate(index, searcher, truth_of(dataset), seed, K=K)


@pytest.mark.parametrize("m", [60, FEWEST_TO_SPLIT - 1])
def test_what_is_chosen_on_some_queries_is_scored_on_others(m):
    dataset = dataset_of(m)
    found = compare_at_speedup(dataset, FLAT, TREE, 5, 6.0, seeds=(3, 4, 5))
    choosing, scoring = (0, 1) if m >= FEWEST_TO_SPLIT else (None, None)
    assert found.split == (m >= FEWEST_TO_SPLIT)
    assert found.m_choosing == len(range(m)[choosing :: 2 if found.split else 1])
    for solved, one in zip(found.solved, found.scored, strict=True):
        index = solved.setting.index
        curve = searched(index, 3, dataset).curve((5,), choosing)
        at = list(curve.efforts).index(solved.setting.effort)
        assert (solved.speedup, solved.precision) == (curve.speedup[at], curve.precision(5)[at])
        assert one.seeds == (3, 4, 5)
        for number, seed in enumerate(one.seeds):
            curve = searched(index, seed, dataset).curve((5,), scoring)
            at = list(curve.efforts).index(one.efforts[number])
            assert one.speedups[number] == curve.speedup[at]
            assert one.precisions[number] == pytest.approx(curve.precision(5)[at])
            np.testing.assert_allclose(one.intervals[number], curve.interval(5)[at])
    assert found.difference == difference(found.scored[0].hits, found.scored[1].hits, 5)
    again = compare_at_speedup(dataset, FLAT, TREE, 5, 6.0, seeds=(3, 4, 5, 5))
    assert again.difference == found.difference


def test_at_a_precision_the_cheapest_of_each_are_compared():
    found = compare_at_precision(dataset_of(), FLAT, TREE, 5, 0.9)
    assert found.reached
    assert min(one.precision for one in found.solved) >= 0.9
    out_of_reach = compare_at_precision(dataset_of(), [LargestNorm()], [ExactSearch()], 5, 1.0)
    assert out_of_reach.solved[1].reached


def test_a_build_without_the_effort_is_asked_at_the_next_smaller():
    dataset = dataset_of()
    asked = [searched(FlatKMeans(n_clusters=k), seed, dataset) for k, seed in ((30, 0), (8, 1))]
    assert scored(asked, Setting(FLAT[1], 0, 20), 5).efforts == (20, 8)
    assert scored(asked, Setting(FLAT[1], 0, 0), 5).efforts == (1, 1)


def test_candidates_that_depend_on_k_and_more_answers_than_items():
    found = compare_at_speedup(dataset_of(n=7), [IPTree()], [ExactSearch()], 10, 1.0, seeds=(0,))
    assert found.difference.K == 7
    assert [one.precisions for one in found.scored][1] == (1.0,)


def test_progress_rises_to_the_end_and_cancels():
    seen = []

    def note(fraction, message, partial=None):
        seen.append(fraction)

    compare_at_speedup(dataset_of(), FLAT, TREE, 5, 6.0, progress=note)
    assert seen == sorted(seen)
    assert seen[-1] == 1

    def stop(fraction, message, partial=None):
        raise Cancelled

    with pytest.raises(Cancelled):
        compare_at_speedup(dataset_of(), FLAT, TREE, 5, 6.0, progress=stop)


def test_what_cannot_be_compared_is_told():
    dataset = dataset_of()
    with pytest.raises(ParamError, match="nothing to compare"):
        compare_at_speedup(dataset, FLAT, [], 5, 6.0)
    with pytest.raises(ParamError, match="nothing to compare"):
        compare_at_speedup(dataset, FLAT, TREE, 5, 6.0, seeds=())
    for speedup in (0.0, -1.0, float("inf"), float("nan")):
        with pytest.raises(ParamError, match=f"speedup is {speedup:g}"):
            compare_at_speedup(dataset, FLAT, TREE, 5, speedup)
    with pytest.raises(ParamError, match="precision is 95"):
        compare_at_precision(dataset, FLAT, TREE, 5, 95)
    with pytest.raises(ParamError, match="K is 101"):
        compare_at_speedup(dataset, FLAT, TREE, 101, 6.0)
    with pytest.raises(DataError, match="no queries"):
        compare_at_speedup(Dataset(dataset.items), FLAT, TREE, 5, 6.0)
