"""Tune, run headless: whatever the data is."""

import numpy as np
import pytest

from mips_core import Dataset
from tests.pages.conftest import small_dataset
from tests.pages.tune_page import opened, search, sliders, table, words


@pytest.mark.parametrize("n", [1, 5])
def test_very_few_items_and_k_beyond_them(use, n):
    X = np.random.default_rng(1).normal(size=(n, 4)).astype(np.float32)
    queries = np.random.default_rng(2).normal(size=(40, 4)).astype(np.float32)
    use(Dataset(X, queries, name="tiny"))
    at = search(opened(method=["flat-kmeans", "largest-norm"], k="100"))
    assert not at.exception
    assert f"of the true top {n}" in words(at) or f"Precision@{n}" in str(sliders(at))
    assert at.success or at.warning


def test_all_items_alike(use):
    use(Dataset(np.ones((50, 3), np.float32), name="equal"))
    at = opened()
    assert not at.exception
    assert "There is 1 query\\." in words(at)  # equal ones count once
    assert "Of 50 queries 1 is different" in words(at)
    assert at.button(key="tune find").disabled


def test_cosine_and_simulated_data(use):
    use(small_dataset(simulated=True))
    at = search(opened(metric="cosine"))
    assert not at.exception
    assert "Simulated ratings" in words(at)
    assert set(table(at)["simulated"]) == {True}
    assert set(table(at)["metric"]) == {"cosine"}
