"""Queries: seeded samples, noise, own queries, and the row a query must not find."""

import numpy as np
import pytest

from mips_core.dataset import Dataset
from mips_core.errors import DataError, ParamError
from mips_core.queries import QueryRecipe, default_recipe, rms, with_queries

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
