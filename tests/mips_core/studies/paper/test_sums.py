"""Sums over groups say what an evaluation says."""

import numpy as np
import pytest

from mips_core import DataError, evaluate, rng_for, truth_of
from mips_core.methods.kmeans.flat import FlatKMeans
from mips_core.methods.kmeans.hierarchical import HierarchicalKMeans
from mips_core.methods.trees.ip import IPTree
from mips_core.studies.paper.sums import (
    FEWEST_QUERIES,
    check_queries,
    group_sizes,
    joined,
    ladder,
    measured,
)
from tests.mips_core.studies.paper.paper_cases import M, data, sums

KS = (1, 10)


@pytest.mark.parametrize("index", [FlatKMeans(n_clusters=12), HierarchicalKMeans(n_clusters=20)])
def test_groups_add_up_to_the_whole_curve(index):
    searched = data().searched
    truth = truth_of(searched)
    searcher = index.searcher(index.build(searched.items, rng_for(0)))
    told = measured(index, searcher, truth, KS)
    curve = evaluate(index, searcher, truth, 0).curve(KS)
    at = np.searchsorted(curve.efforts, told["efforts"])
    for column, K in enumerate(KS):
        precision = told["hits"][:, :, column].sum(axis=0) / (M * K)
        assert precision == pytest.approx(curve.precision(K)[at])
    assert told["costs"].sum(axis=0) / M == pytest.approx(curve.mean_cost[at])
    assert told["efforts"][-1] == curve.efforts[-1]


def test_where_candidates_depend_on_k_the_others_are_unknown():
    searched = data().searched
    index = IPTree(leaf_size=20)
    searcher = index.searcher(index.build(searched.items, rng_for(0)))
    hits = measured(index, searcher, truth_of(searched), (1, 10, 100))["hits"]
    assert np.isnan(hits[:, :, [0, 2]]).all()
    assert hits[:, -1, 1].sum() == M * 10


def test_a_ladder_has_the_efforts_of_the_paper_and_ends_at_the_most():
    assert ladder(3) == [1, 2, 3]
    steps = ladder(1_000)
    assert steps[:8] == [1, 2, 3, 4, 5, 6, 7, 8]
    assert steps[-1] == 1_000
    assert len(steps) < 50


def test_joined_methods_have_the_points_of_both_and_know_whose_they_are():
    both = joined([sums([0.9, 0.8], [10, 5]), sums([0.5], [2])])
    assert both.hits.shape[2] == 3
    assert both.settings == ((0, 1), (0, 2), (1, 1))
    assert both.only([2]).settings == ((1, 1),)
    assert group_sizes(33).sum() == 33


def test_too_few_queries_are_refused():
    truth = truth_of(data().searched)
    object.__setattr__(truth, "ids", truth.ids[: FEWEST_QUERIES - 1])
    with pytest.raises(DataError, match="31 queries are too few"):
        check_queries(truth)
