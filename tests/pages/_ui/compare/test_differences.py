"""What is known of two methods at each speedup: the numbers of the library."""

import json

import pytest

from mips_core import evaluate, rng_for, truth_of
from mips_core.data.queries import QueryRecipe, with_queries
from mips_core.studies.comparison import difference
from mips_core.studies.operating_point import at_speedup
from pages._ui.compare import differences
from pages._ui.state.settings import grid_of
from tests.pages.compare_page import compared, table
from tests.pages.conftest import session_of, small_dataset, texts

K = 10


def measured(dataset, truth, index, seed):
    searcher = index.searcher(index.build(dataset.items, rng_for(seed)))
    return evaluate(index, searcher, truth, seed, K=K)


def test_the_sentence_and_the_table_have_the_numbers_of_the_library(app):
    at = compared(app, compare="speedup=3")
    dataset = with_queries(small_dataset(), QueryRecipe())
    truth = truth_of(dataset)
    hits = []
    for key in ("flat-kmeans", "hierarchical-kmeans"):
        grid = grid_of(session_of(at), key)
        setting = at_speedup([measured(dataset, truth, i, 0) for i in grid], K, 3).setting
        builds = [measured(dataset, truth, setting.index, seed) for seed in (0, 1, 2)]
        hits.append([e.hits(K, list(e.efforts).index(setting.effort), 1) for e in builds])
    expected = difference(*hits, K)
    assert expected.in_words("Flat k-means", "Hierarchical k-means", "3×") in texts(at)
    row = table(at).loc[3]
    assert row["difference"] == pytest.approx(100 * expected.mean)
    assert [row[f"seed {s}"] for s in (0, 1, 2)] == pytest.approx(
        [100 * share for share in expected.by_seed]
    )
    assert row["queries"] == dataset.m // 2
    session = session_of(at)
    written = json.loads(json.dumps(differences.rows(session, differences.comparisons(session))))
    assert [line["speedup"] for line in written] == list(table(at).index)
    for column in (c for c in table(at) if c.endswith("speedup reached")):
        ratio = table(at)[column] / table(at).index
        assert ratio.between(0.8, 1.35).all()  # 0.9 to 1.2 on the half it was chosen on
