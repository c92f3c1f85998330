"""Probabilities of a softmax layer."""

import numpy as np
import pytest

from mips_core import Dataset
from mips_core.data.classifier import layer_items, layer_queries
from mips_core.studies.softmax import probabilities
from pages._ui.search import softmax
from tests.pages.conftest import session_of
from tests.pages.search_page import search, tables, told


@pytest.fixture
def layer(use):
    rng = np.random.default_rng(0)
    items = layer_items(rng.normal(size=(1500, 5)).astype(np.float32), rng.normal(size=1500))
    queries = layer_queries(rng.normal(size=(20, 5)).astype(np.float32))
    return use(Dataset(items, queries, name="layer", logits=True))


def test_a_layer_shows_probabilities_of_the_whole_denominator(layer):
    at = search()
    true, returned = tables(at)
    query = session_of(at).dataset.queries[0]
    logits = layer.items.astype(float) @ query
    shares = np.exp(logits - logits.max())
    shares /= shares.sum()
    assert true["probability"].to_numpy() == pytest.approx(shares[true["row"]], rel=1e-6)
    assert returned["probability"].to_numpy() == pytest.approx(shares[returned["row"]], rel=1e-6)
    assert true["Logit"].is_monotonic_decreasing
    note = told(at)["notes"][told(at)["at"]]
    assert "Softmax does not change the ranking" in note
    assert "the sum over all 1,500 classes" in note


def test_a_layer_shows_probabilities_of_an_estimated_denominator(layer):
    at = search()
    exact = tables(at)[0]["probability"].tolist()
    at.segmented_control(key="search denominator").set_value("sample").run()
    true, returned = tables(at)
    query = session_of(at).dataset.queries[0]
    ids = returned["row"].to_numpy()
    found = probabilities(layer.items, query, ids, sample=softmax.SAMPLE, seed=0)
    assert returned["probability"].tolist() == found.values.tolist()
    assert true["probability"].tolist() == exact
    note = told(at)["notes"][told(at)["at"]]
    assert f"{len(ids)} classes returned and 1,000 of the {1500 - len(ids):,} others" in note
    assert f"standard error is {found.standard_error:.2%}" in note
