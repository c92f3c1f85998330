"""A norm head and clusters: the longest always, then the clusters that promise most."""

import numpy as np
import pytest

from mips_core import Dataset, ParamError, compare, evaluate, truth_of
from mips_core.methods.baselines import LargestNorm
from mips_core.methods.kmeans.flat import FlatKMeans
from mips_core.methods.kmeans.head import HeadKMeans
from tests.mips_core.methods.kmeans.head_items import PROBINGS, built, unequal


def test_no_head_no_copies_and_centroids_are_flat_k_means(items, queries):
    head = HeadKMeans(head=0.0, n_clusters=7, probing="centroid")
    curves = compare([head, FlatKMeans(n_clusters=7)], Dataset(items, queries), ks=(1, 10))
    one, other = (curve.as_dict()["points"] for curve in curves)
    assert one == other


def test_the_head_alone_is_the_largest_norm_baseline():
    X, Q = unequal(3, n=300, m=40)
    curves = compare([HeadKMeans(head=0.2), LargestNorm()], Dataset(X, Q), ks=(1, 10))
    head, longest = curves
    at = list(longest.efforts).index(56)  # the last step of its ladder up to 60
    assert head.mean_cost[0] == longest.mean_cost[at] == 56
    for K in (1, 10):
        assert head.precision(K)[0] == longest.precision(K)[at]


def test_probings_share_what_is_built_and_copies_do_not():
    assert len({HeadKMeans(probing=p).structure_key() for p in PROBINGS}) == 1
    assert HeadKMeans(copies=2).structure_key() != HeadKMeans().structure_key()


def test_a_head_finds_where_a_long_item_hides():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(500, 8)).astype(np.float32)
    X[:20] *= 20
    truth = truth_of(Dataset(X, rng.normal(size=(100, 8)).astype(np.float32)))
    index = HeadKMeans(head=0.04, n_clusters=9)
    assert evaluate(index, built(index, X), truth, 0).curve((1,)).precision(1)[0] == 1.0


def test_half_of_the_items_are_never_in_the_head():
    for n in (1, 2, 3):
        searcher = built(HeadKMeans(head=0.5), np.ones((n, 1), np.float32))
        assert searcher.built.lists.starts[1] == n // 2
    with pytest.raises(ParamError, match=r"head is 0\.51"):
        HeadKMeans(head=0.51)


def test_a_head_without_items_is_told():
    index = HeadKMeans(head=0.01)
    assert index.setting(100) == "head of 1%, 10 clusters"
    assert index.setting(81) == "head of 1% (no item), 9 clusters"
