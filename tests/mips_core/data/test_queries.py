"""Queries: seeded samples, noise, own queries, and the row a query must not find."""

import numpy as np
import pytest

from mips_core.base.errors import DataError, ParamError
from mips_core.data import queries
from mips_core.data.dataset import Dataset
from mips_core.data.metrics import searched_by
from mips_core.data.queries import QueryRecipe, default_recipe, rms, with_queries
from mips_core.evaluation.truth import truth_of

X = np.random.default_rng(0).normal(size=(2000, 20)).astype(np.float32) * 3
OWN = X[:7] + 1


def test_rows_are_a_seeded_sample():
    a, b, c = (with_queries(Dataset(X), QueryRecipe(count=50, seed=s)).queries for s in (0, 0, 1))
    np.testing.assert_array_equal(a, b)
    assert not np.array_equal(a, c)
    assert {row.tobytes() for row in a} <= {row.tobytes() for row in X}
    assert len(with_queries(Dataset(X), QueryRecipe(count=9999)).queries) == 2000


def test_noise_is_relative_to_the_rms_and_zero_noise_is_none():
    clean = with_queries(Dataset(X), QueryRecipe(count=500)).queries
    noisy = with_queries(Dataset(X), QueryRecipe("noisy", count=500, noise=0.5)).queries
    assert np.std(noisy - clean) == pytest.approx(0.5 * rms(X), rel=0.03)
    same = with_queries(Dataset(X), QueryRecipe("noisy", count=500, noise=0.0)).queries
    np.testing.assert_array_equal(same, clean)


def test_excluded_rows_are_where_queries_came_from():
    dataset = with_queries(Dataset(X), QueryRecipe(count=30, exclude_self=True))
    np.testing.assert_array_equal(dataset.items[dataset.query_rows], dataset.queries)


def test_own_queries_are_the_default_where_there_are_some():
    dataset = Dataset(X, OWN)
    assert default_recipe(dataset).source == "own"
    assert default_recipe(Dataset(X)).source == "rows"
    np.testing.assert_array_equal(with_queries(dataset, default_recipe(dataset)).queries, OWN)
    assert len(with_queries(dataset, QueryRecipe("own", count=3)).queries) == 3
    with pytest.raises(DataError, match="came without queries"):
        with_queries(Dataset(X), QueryRecipe("own"))


def test_a_recipe_defends_itself():
    with pytest.raises(ParamError, match="count is 0"):
        QueryRecipe(count=0)


def test_labels_go_with_the_queries():
    labels = [f"item {i}" for i in range(2000)]
    dataset = Dataset(X, OWN, labels=labels, query_labels=list("abcdefg"))
    sampled = with_queries(dataset, QueryRecipe("noisy", count=5, exclude_self=True))
    assert list(sampled.query_labels) == [labels[row] for row in sampled.query_rows]
    own = with_queries(dataset, QueryRecipe("own", count=3))
    assert [list("abcdefg").index(label) for label in own.query_labels] == [
        int(np.flatnonzero((q == OWN).all(axis=1))[0]) for q in own.queries
    ]
    assert with_queries(Dataset(X, OWN, query_labels=list("abcdefg")), QueryRecipe()).m == 500


@pytest.mark.parametrize("source", ["rows", "noisy"])
def test_a_class_of_a_softmax_layer_is_asked_as_its_weights_and_a_1(source):
    layer = X.copy()
    layer[:, -1] = 1e6  # the bias is no part of the noise either
    queries = with_queries(Dataset(layer, logits=True), QueryRecipe(source, count=2000)).queries
    assert (queries[:, -1] == 1).all()
    sigma = np.std(queries[:, :-1] - layer[:, :-1])
    assert sigma == pytest.approx(0.1 * rms(X[:, :-1]) * (source == "noisy"), rel=0.03)


def test_a_single_item_must_be_findable():
    one = Dataset(X[:1])
    assert with_queries(one, QueryRecipe()).m == 1
    with pytest.raises(DataError, match="one vector: without its own row a query has no answer"):
        with_queries(one, QueryRecipe(exclude_self=True))
    with pytest.raises(DataError, match="one vector, and its queries must not find it"):
        truth_of(Dataset(X[:1], X[:2], query_rows=np.array([0, -1])))


@pytest.mark.parametrize("metric", ["cosine", "euclidean"])
def test_queries_are_sampled_before_the_metric(metric):
    raw = with_queries(Dataset(X, OWN), QueryRecipe("own"))
    searched = searched_by(raw, metric)
    assert with_queries(searched, QueryRecipe("own", count=3)).m == 3
    with pytest.raises(ParamError, match="from the vectors as they were read"):
        with_queries(searched, QueryRecipe("rows"))


def test_stored_numbers_of_any_type_are_asked_as_float32():
    whole = np.arange(60, dtype=np.uint8).reshape(20, 3)
    recipe = QueryRecipe("noisy", count=6)
    kept, plain = (with_queries(Dataset(whole, keep_dtype=keep), recipe) for keep in (True, False))
    np.testing.assert_array_equal(kept.queries, plain.queries)
    assert kept.items.dtype == np.float32


@pytest.mark.parametrize("shape", [(1, 1), (3, 5), (997, 101), (1, 200_001), (4096, 64)])
def test_squares_a_few_at_a_time_have_the_mean_of_all_at_once(monkeypatch, shape):
    X = np.random.default_rng(5).lognormal(size=shape).astype(np.float32)
    for at_once in (200, 1000):  # numpy sums up to 128 numbers in a row
        monkeypatch.setattr(queries, "SQUARED", at_once)
        assert rms(X) == float(np.sqrt(np.mean(np.square(X, dtype=np.float64))))
    if shape[1] > 1:
        assert rms(X[:, 1:]) == pytest.approx(np.sqrt(np.mean(np.square(X[:, 1:]))))


@pytest.mark.parametrize("source", ["rows", "noisy", "own"])
@pytest.mark.parametrize("metric", ["inner product", "cosine", "euclidean"])
def test_float16_items_are_asked_and_searched_as_their_float32_copy(source, metric):
    halves = np.random.default_rng(1).lognormal(size=(50, 4)).astype(np.float16)
    recipe = QueryRecipe(source, count=9)
    kept, whole = (
        searched_by(with_queries(Dataset(halves, halves[:20], keep_dtype=keep), recipe), metric)
        for keep in (True, False)
    )
    assert kept.items.dtype == (np.float16 if metric == "inner product" else np.float32)
    assert kept.queries.dtype == np.float32
    np.testing.assert_array_equal(kept.queries, whole.queries)
    np.testing.assert_array_equal(kept.items, whole.items)
    assert kept.fingerprint == whole.fingerprint
    assert kept.query_fingerprint == whole.query_fingerprint
