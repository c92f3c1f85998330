"""Exact search takes every item, largest norms never look at the query."""

import json
import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from benchmarks.reference import at, dataset_of
from mips_core import INDEXES, Dataset, compare, rng_for
from mips_core.methods.baselines import AllItems, ExactSearch, LargestNorm
from mips_core.methods.soundness import UnsoundError


def test_it_proposes_every_item_and_nothing_else_does(items, queries):
    structure = ExactSearch().build(items, rng_for(0))
    assert structure.n == len(items)
    searcher = ExactSearch().searcher(structure)
    found = searcher.candidates(queries, 1, 1)
    assert found.cost.tolist() == [len(items)] * len(queries)
    assert found.ids.reshape(len(queries), -1).tolist() == [list(range(len(items)))] * len(queries)
    wanted = np.array([[0, -1]])
    assert searcher.sweep(queries[:1], wanted)[0].tolist() == [[0, 1]]
    searchers = {k: cls().searcher(cls().build(items, rng_for(0))) for k, cls in INDEXES.items()}
    assert [key for key, one in searchers.items() if one.takes_all] == ["exact"]


def test_of_another_number_of_items_it_is_refused():
    AllItems(5).check(5, 3)
    with pytest.raises(UnsoundError, match="it searches 5 items, not 6"):
        AllItems(5).check(6, 3)


def longest(X, count):
    """The definition: item numbers by falling norm, the lower number first on ties."""
    norms = [math.sqrt(sum(float(v) ** 2 for v in x)) for x in X]
    return sorted(range(len(X)), key=lambda i: (-norms[i], i))[:count]


def searcher_of(X):
    index = LargestNorm()
    return index.searcher(index.build(np.asarray(X, np.float32), rng_for(0)))


@given(st.integers(0, 2**31), st.integers(1, 90))
def test_candidates_are_the_longest(seed, n):
    rng = np.random.default_rng(seed)
    X = rng.integers(-2, 3, size=(n, 2)).astype(np.float32)  # many equal norms
    Q = rng.normal(size=(3, 2)).astype(np.float32)
    searcher = searcher_of(X)
    for effort in searcher.efforts():
        found = searcher.candidates(Q, effort, 1)
        assert found.ids.reshape(3, -1).tolist() == [longest(X, effort)] * 3
        assert found.cost.tolist() == [effort] * 3


def test_bands_fall_in_norm():
    X = np.random.default_rng(0).normal(size=(500, 4)).astype(np.float32)
    (bands,) = searcher_of(X).groups()
    norms = np.linalg.norm(X.astype(float), axis=1)
    for band in range(bands.max()):
        assert norms[bands == band].min() >= norms[bands > band].max()


def test_strong_where_norms_differ_and_useless_where_they_do_not():
    rng = np.random.default_rng(0)
    unit = rng.normal(size=(2000, 10))
    unit /= np.linalg.norm(unit, axis=1, keepdims=True)
    Q = rng.normal(size=(50, 10)).astype(np.float32)
    skewed = unit * rng.lognormal(sigma=1.5, size=(2000, 1))
    precision = []
    for X in (skewed, unit):
        (curve,) = compare([LargestNorm()], Dataset(X.astype(np.float32), Q), ks=(10,))
        precision.append(curve.precision(10)[np.searchsorted(curve.efforts, 200)])
    assert precision[0] > 0.9
    assert precision[1] < 0.2


def test_precision_on_real_ratings_is_that_of_the_reference(shared):
    queries = json.loads((shared / "oracle" / "mlsmall.json").read_text())["query_ids"]
    dataset = dataset_of(str(shared / "data" / "ml-latest-small" / "ratings.csv"), queries)
    (curve,) = compare([LargestNorm()], dataset)
    for speedup, expected in ((30, (0.978, 0.901, 0.550)), (100, (0.890, 0.663, 0.250))):
        points = [list(zip(curve.speedup, curve.precision(K), strict=True)) for K in (1, 10, 100)]
        assert [at(p, speedup) for p in points] == pytest.approx(expected, abs=0.005)
