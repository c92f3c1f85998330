"""Shapes of data that break searches, and worked examples of metrics, ties and denominators."""

import json

import numpy as np
import pytest

from mips_core import INDEXES, Dataset, compare, exact_top_k, truth_of
from mips_core.base.errors import DataError
from mips_core.data.metrics import MEASURES, searched_by
from mips_core.data.queries import QueryRecipe, with_queries
from mips_core.methods.reductions import PaperAugment
from mips_core.studies.data_profile.facts import facts_of
from mips_core.studies.data_profile.findings import findings

GEOMETRY = (
    "all_identical", "all_products_negative", "antipodal_pairs", "dup_20_distinct_of_200",
    "five_rows_k100", "one_dimension", "one_huge_norm", "one_vector", "three_zero_rows",
    "two_constant_columns", "two_vectors",
)  # fmt: skip


@pytest.fixture
def items(shared):
    """items(name) are the vectors of a case of geometry."""
    return lambda name: np.load(shared / "cases" / "geom" / f"{name}.npy")


@pytest.fixture
def oracle(shared):
    """oracle(name) is a case of metrics."""
    return lambda name: json.loads((shared / "cases" / "metrics" / f"{name}.json").read_text())


@pytest.mark.parametrize("metric", MEASURES)
@pytest.mark.parametrize("name", GEOMETRY)
def test_every_index_copes_with_any_geometry(items, name, metric):
    raw = with_queries(Dataset(items(name)), QueryRecipe(count=20))
    for finding in findings(raw, facts_of(raw), metric):
        assert "nan" not in finding.found + finding.rest
    searched = searched_by(raw, metric)
    curves = compare([cls() for cls in INDEXES.values()], searched, ks=(1, 100))
    for curve in curves:
        assert np.isfinite(curve.mean_cost).all()
        for K, histogram in curve.histograms.items():
            assert histogram.shape[1] == min(K, raw.n) + 1  # K is capped at n
            assert 0 <= curve.precision(K).min() <= curve.tolerant[K].max() <= 1
    flat = next(curve for curve in curves if curve.index.key == "flat-kmeans")
    assert flat.precision(1)[-1] == 1  # all clusters opened


def test_nothing_to_rank_is_refused(items):
    with pytest.raises(DataError, match="all rows are zero"):
        Dataset(items("all_zero"))


def test_the_least_negative_product_wins(items):
    X = items("all_products_negative")
    assert exact_top_k(X, -np.ones((1, 6)), 1) == [[3]]


@pytest.mark.parametrize(
    ("name", "words"),
    [("dup_20_distinct_of_200", "180 rows repeat others. 20 are distinct, of 200."),
     ("three_zero_rows", "3 rows are all zero."), ("one_huge_norm", "(row 33"),
     ("all_identical", "1 is distinct, of 100."), ("two_constant_columns", "2 columns hold one")],
)  # fmt: skip
def test_what_matters_is_said(items, name, words):
    data = Dataset(items(name))
    told = [f"{found.found} {found.rest}" for found in findings(data, facts_of(data))]
    assert any(words in text for text in told)


def test_inner_product_is_not_cosine(oracle):
    case = oracle("mips_is_not_cosine")
    X, Q = np.array(case["database"]), np.array(case["queries"])
    for metric in ("inner product", "cosine"):
        data = searched_by(Dataset(X, Q), metric)
        top = case[f"{metric.replace(' ', '_')}_top2"]
        assert truth_of(data).ids[:, :2].tolist() == top
    products = np.take_along_axis(np.array(case["inner_products"]), truth_of(Dataset(X, Q)).ids, 1)
    np.testing.assert_array_equal(truth_of(Dataset(X, Q)).scores, products)
    assert exact_top_k(X, X, 1).ravel().tolist() == case["self_top1"]


def test_ties_with_the_last_answer_count(oracle):
    case = oracle("ties_12_copies")
    truth = truth_of(Dataset(np.array(case["database"]), np.array([case["query"]])))
    right = set(truth.ids[0, : truth.widths(case["K"])[0]].tolist())
    for which in "abc":
        shared = len(right & set(case[f"retrieved_{which}"])) / case["K"]
        assert shared == pytest.approx(case[f"precision_{which}"])


@pytest.mark.parametrize(("n", "K"), [(8, 10), (50, 100), (1, 100)])
def test_k_beyond_n_asks_for_all_items(n, K):
    X = np.random.default_rng(0).normal(size=(n, 4))
    assert truth_of(Dataset(X, X[:1])).answers(K) == n
    (curve,) = compare([INDEXES["exact"]()], Dataset(X, X), ks=(K,))
    assert curve.precision(K)[-1] == 1


def test_the_reduction_of_the_paper(oracle):
    case = oracle("augmentation")
    x = np.array([case["x"]], np.float32)
    longest = np.array([[0.75, 0]], np.float32)  # so that the scale is 1
    lift = PaperAugment(U=0.75, m=3).fit(np.vstack([x, longest]))
    np.testing.assert_allclose(lift.items(x)[0], case["P"], rtol=1e-6)
    assert lift.queries(np.array([[1, 2]], np.float32)).tolist() == [case["Q_of_query_1_2"]]
    zero = PaperAugment(m=2).fit(longest).items(np.zeros((1, 2), np.float32))
    assert zero.tolist() == [case["zero_vector_P_m2"]]
