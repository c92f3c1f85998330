"""What a diagnosis says and lists of one query, of nothing missed, of other metrics."""

import json

import numpy as np
import pytest

from mips_core.data.dataset import Dataset
from mips_core.data.metrics import searched_by
from mips_core.studies.misses import as_dict, diagnose, group_rows, query_rows
from mips_core.studies.misses.diagnosis import rate_rows
from tests.mips_core.studies.misses.diagnosis_cases import K, data, measured, of_flat


def test_nothing_missed_is_one_sentence():
    dataset, searcher, evaluation = measured("exact")
    diagnosis = diagnose(evaluation, searcher, dataset, K, 1)
    assert diagnosis.in_words().startswith(
        "At 1 scan nothing is missed of 85 true answers: precision "
    )
    assert diagnosis.in_words().endswith("100.0% over 17 queries.")
    assert (diagnosis.misses, diagnosis.precision, diagnosis.more.never) == (0, 1.0, 0)
    assert diagnosis.cause.in_words() == diagnosis.more.in_words() == ""
    assert query_rows(diagnosis, dataset) == group_rows(diagnosis) == []
    assert diagnosis.queries.in_words() == "Every query finds all of its true answers."


def test_one_query_and_one_item_are_enough():
    one = of_flat(Dataset(np.array([[1.0, 2]]), np.array([[1.0, 0]])), 1, K=10)
    assert one.in_words().startswith("At 1 probe nothing is missed of 1 true answer: precision 100")
    assert one.in_words().endswith("over 1 query.")
    dataset = data(m=1)
    alone = of_flat(dataset, 1, K=20)
    assert alone.by_query_norm is None
    text = alone.in_words()
    assert "The query misses something; it finds something." in text
    assert json.loads(json.dumps(as_dict(alone, dataset)))["queries_measured"] == 1


def test_more_answers_than_items_are_all_there_are():
    diagnosis = of_flat(data(n=30), 2, K=100)
    assert diagnosis.K == 30
    assert diagnosis.missed.shape == (17, 30)
    assert [row["class"] for row in rate_rows(diagnosis.by_popularity)] == ["11–30"]


@pytest.mark.parametrize("metric", ["cosine", "euclidean"])
def test_lengths_are_those_people_know(metric):
    raw = data(n=200, m=30)
    items = np.vstack([raw.items, np.zeros((1, 4))])
    dataset = searched_by(Dataset(items, raw.queries), metric)
    diagnosis = of_flat(dataset, 2)
    if metric == "cosine":
        assert diagnosis.by_query_norm is None
        assert len(diagnosis.by_norm.names) <= 2  # the zero item and the others
        assert diagnosis.cause.by_norm is None
    else:
        assert diagnosis.measure == "distance from the centre"
        assert diagnosis.cause.by_norm is not None
        rows = query_rows(diagnosis, dataset)
        far = [np.linalg.norm(items[r["best_missed_row"]] - raw.queries[r["query"]]) for r in rows]
        assert [row["best_missed_score"] for row in rows] == pytest.approx(far, abs=1e-4)


def test_a_softmax_layer_is_told_in_logits():
    raw, rng = data(), np.random.default_rng(3)
    items = np.hstack([raw.items, rng.normal(size=(raw.n, 1))])
    layer = Dataset(items, np.hstack([raw.queries, np.ones((raw.m, 1))]), logits=True)
    diagnosis = of_flat(layer, 1)
    for row in query_rows(diagnosis, layer):
        logit = float(layer.items[row["best_missed_row"]] @ layer.queries[row["query"]])
        assert row["best_missed_score"] == pytest.approx(logit, rel=1e-5)
    assert diagnosis.measure == "norm"
    assert diagnosis.by_norm.answers.sum() == diagnosis.missed.size
