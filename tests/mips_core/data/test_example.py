"""An example names a query and its best answers other than itself."""

import numpy as np
import pytest

from mips_core import Dataset
from mips_core.data import example as module
from mips_core.data.example import ANSWERS, example
from mips_core.data.queries import QueryRecipe, with_queries


def test_it_is_the_query_with_the_closest_answers_without_its_own_row():
    X = np.array([[9, 0], [1, 0], [0, 5], [0, 4.9], [0, 4.8], [0, 4.7], [-1, -1]], np.float32)
    shown = example(Dataset(X, queries=X[[0, 2]]))
    assert shown.query == 1
    assert shown.items.tolist() == [3, 4, 5]


@pytest.mark.parametrize("few", [1, 20, 2**22])
def test_of_float16_it_is_that_of_the_float32_copy(monkeypatch, few):
    monkeypatch.setattr(module, "MULTIPLIED", few)
    X = np.random.default_rng(1).normal(size=(300, 5)).astype(np.float16)
    found, expected = (
        example(with_queries(Dataset(X, keep_dtype=keep), QueryRecipe(count=30)))
        for keep in (True, False)
    )
    assert found.query == expected.query
    assert found.items.tolist() == expected.items.tolist()


@pytest.mark.parametrize("n", [1, 2, 50])
def test_it_is_found_in_any_data(n):
    X = np.random.default_rng(0).normal(size=(n, 3)).astype(np.float32)
    dataset = with_queries(Dataset(X), QueryRecipe(count=5))
    shown = example(dataset)
    assert len(shown.items) == min(ANSWERS, n - 1)
    scores = X @ dataset.queries[shown.query]
    own = (dataset.queries[shown.query] == X).all(axis=1)
    best = [i for i in np.argsort(-scores) if not own[i]]
    assert shown.items.tolist() == best[:ANSWERS]
