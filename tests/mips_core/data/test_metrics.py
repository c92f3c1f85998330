"""Cosine and Euclidean search are exact: against brute force in float64 and in whole numbers."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from mips_core.base.errors import DataError, ParamError
from mips_core.data.dataset import Dataset
from mips_core.data.metrics import MEASURES, _centre, conversion, measure_of, searched_by, shown
from mips_core.data.queries import QueryRecipe, with_queries
from mips_core.methods.exact import exact_top_k, exact_top_k_scores

RNG = np.random.default_rng(0)


def normal(n, d, offset=0.0, scale=1.0):
    return (offset + scale * RNG.normal(size=(n, d))).astype(np.float32)


def squares(X, Q):
    """(m, n) squared distances, float64."""
    return ((Q.astype(np.float64)[:, None] - X.astype(np.float64)) ** 2).sum(axis=2)


def cosines(X, Q):
    """(m, n) cosines, float64; 0 for zero rows."""
    X, Q = X.astype(np.float64), Q.astype(np.float64)
    lengths = np.linalg.norm(Q, axis=1)[:, None] * np.linalg.norm(X, axis=1)
    return np.divide(Q @ X.T, lengths, out=np.zeros_like(lengths), where=lengths > 0)


def answers(X, Q, metric, K=10):
    """Ids and shown values of exact search."""
    data = searched_by(Dataset(X, Q), metric)
    ids, scores = exact_top_k_scores(data.items, data.queries, K)
    return ids, shown(data, data.queries, scores)


def order(values, K=10):
    return np.argsort(values, axis=1, kind="stable")[:, :K]


def grouped(n, d):
    """Groups of width 1 that lie 10,000 from their centre."""
    return normal(n, d) + np.where(np.arange(n) % 2, 1e4, -1e4).astype(np.float32)[:, None]


FAR = {
    "centred": normal(400, 7),
    "offset 1000": normal(400, 7, 1000),
    "offset -1000": normal(400, 7, -1000),
    "small offset": normal(400, 7, 3),
    "one column far": normal(400, 3) + np.array([1e6, 0, -5], np.float32),
    "offset, and one row not": np.vstack([normal(399, 7, 1000), np.zeros((1, 7), np.float32)]),
    "two groups": grouped(400, 7),
    "one dimension": normal(400, 1, 50),
    "tiny": normal(400, 5, scale=1e-12),
    "large": normal(400, 5, scale=1e12),
    "an outlier": np.vstack([normal(399, 5), np.full((1, 5), 1e14, np.float32)]),
    "bytes": RNG.integers(0, 256, (400, 12)).astype(np.float32),
    "two rows": normal(2, 3, 9),
}


@pytest.mark.parametrize("X", FAR.values(), ids=FAR)
def test_euclidean_order_and_values_are_those_of_float64(X):
    Q = np.vstack([X[:20], X[:20] + 0.25 * X.std(axis=0)]).astype(np.float32)
    ids, distances = answers(X, Q, "euclidean")
    true = squares(X, Q)
    np.testing.assert_array_equal(ids, order(true))
    reach = np.linalg.norm(X - X.astype(np.float64).mean(axis=0), axis=1).max()
    expected = np.sqrt(np.take_along_axis(true, ids, 1))
    np.testing.assert_allclose(distances, expected, rtol=1e-6, atol=1e-7 * reach)


@st.composite
def whole_numbers(draw):
    n, d = draw(st.integers(1, 40)), draw(st.integers(1, 6))
    rng = np.random.default_rng(draw(st.integers(0, 2**31)))
    low = draw(st.sampled_from([-1000, -3, 0, 7, 1000, 100_000]))
    X = low + rng.integers(0, draw(st.sampled_from([1, 2, 5, 256])) + 1, (n, d))
    return X, low + rng.integers(-300, 300, (5, d))


@given(whole_numbers())
def test_whole_numbers_are_exact_with_ties_by_row(problem):
    X, Q = problem
    if not X.any():
        return
    true = ((Q[:, None] - X) ** 2).sum(axis=2)
    data = searched_by(Dataset(X, Q), "euclidean")
    ids, scores = exact_top_k_scores(data.items, data.queries, 10)
    np.testing.assert_array_equal(ids, order(true))
    expected = np.sqrt(np.take_along_axis(true, ids, 1))
    np.testing.assert_array_equal(shown(data, data.queries, scores), expected)


@pytest.mark.parametrize("offset", [0, 1000])
def test_an_item_is_its_own_nearest_and_copies_follow_by_row(offset):
    X = normal(60, 20, offset)
    X[40:45] = X[7]
    ids, distances = answers(X, X, "euclidean", 6)
    np.testing.assert_array_equal(ids[7], [7, 40, 41, 42, 43, 44])
    assert (ids[:40, 0] == np.arange(40)).all()
    assert distances[:, 0].max() < 1e-6
    assert np.ptp(distances[7]) == 0


@given(st.integers(0, 10_000), st.floats(-1e6, 1e6), st.floats(1e-6, 1e6))
def test_centring_loses_nothing(seed, offset, scale):
    rng = np.random.default_rng(seed)
    X = (offset + scale * rng.normal(size=(50, 3))).astype(np.float32)
    moved = conversion(X, "euclidean").items(X)[:, :-2]
    np.testing.assert_array_equal(moved, X.astype(np.float64) - _centre(X))


def test_whole_numbers_stay_whole_and_centred_data_stay():
    assert not _centre(normal(500, 4)).any()
    assert not _centre(RNG.integers(0, 256, (50, 4)).astype(np.float32)).any()
    centre = _centre(RNG.integers(1000, 1010, (50, 4)).astype(np.float32))
    assert (centre == np.rint(centre)).all()
    assert (abs(centre - 1005) <= 5).all()


@pytest.mark.parametrize("X", [np.full((1, 3), 5.0), np.full((9, 2), -3.25)], ids=["one", "same"])
def test_equal_items_do_not_become_zero(X):
    ids, distances = answers(X, X[:1] + 1, "euclidean")
    np.testing.assert_array_equal(ids, [np.arange(len(X))])
    np.testing.assert_array_equal(distances, np.full((1, len(X)), np.sqrt(X.shape[1])))


@pytest.mark.parametrize("X", [*FAR.values(), normal(30, 4, scale=1e-25)], ids=[*FAR, "tinier"])
def test_cosine_order_and_values_are_those_of_float64(X):
    Q = X[:20] + normal(*X[:20].shape) * X.std()
    ids, values = answers(X, Q, "cosine")
    true = cosines(X, Q)
    found, best = (np.take_along_axis(true, rows, 1) for rows in (ids, order(-true)))
    np.testing.assert_allclose(found, best, atol=2.4e-7)  # items this near may change places
    np.testing.assert_allclose(values, found, atol=1.2e-7)
    assert abs(values).max() <= 1


def test_zero_rows_score_0_by_cosine_and_are_counted():
    X = normal(50, 4)
    X[[7, 9, 30]] = 0
    data = searched_by(Dataset(X, X[[7, 3]], notes=("Read.",)), "cosine")
    assert data.notes == (
        "Read.",
        "3 items are all zero: their cosine is undefined and counts as 0.",
    )
    assert not data.items[[7, 9, 30]].any()
    assert not data.queries[0].any()
    ids, scores = exact_top_k_scores(data.items, data.queries, 50)
    assert (scores[1][np.isin(ids[1], [7, 9, 30])] == 0).all()
    one = searched_by(Dataset(X[5:8]), "cosine").notes
    assert one == ("1 item is all zero: its cosine is undefined and counts as 0.",)


@pytest.mark.parametrize("metric", MEASURES)
def test_all_else_is_kept(metric):
    raw = Dataset(normal(30, 4), labels=[str(i) for i in range(30)], name="thirty", simulated=True)
    raw = with_queries(raw, QueryRecipe(count=5, exclude_self=True))
    data = searched_by(raw, metric)
    assert data.metric == metric
    assert (data.labels, data.name, data.simulated) == (raw.labels, "thirty", True)
    np.testing.assert_array_equal(data.query_rows, raw.query_rows)
    assert data.m == 5
    assert (data is raw) == (metric == "inner product")
    assert measure_of(data) is MEASURES[metric]
    assert measure_of(data).less_is_better == (metric == "euclidean")


@pytest.mark.parametrize("metric", MEASURES)
def test_one_batch_of_queries_is_as_good_as_another(metric):
    X, Q = normal(30, 4, 10), normal(6, 4, 10)
    data = searched_by(Dataset(X, Q), metric)
    converted = conversion(X, metric)
    np.testing.assert_array_equal(converted.queries(Q[2:4]), data.queries[2:4])
    np.testing.assert_array_equal(converted.items(X[5:9]), data.items[5:9])
    assert searched_by(Dataset(X), metric).m == 0


def test_stored_numbers_of_any_type_are_searched_as_float32():
    X, Q = RNG.integers(0, 256, (40, 6), np.uint8), RNG.integers(0, 256, (4, 6), np.uint8)
    for metric in MEASURES:
        kept, plain = (
            searched_by(Dataset(X, Q, keep_dtype=keep), metric) for keep in (True, False)
        )
        np.testing.assert_array_equal(kept.items, plain.items)
        np.testing.assert_array_equal(kept.queries, plain.queries)


def test_no_answer_is_shown_as_the_worst():
    scores = np.array([[-np.inf]])
    for metric, worst in (("cosine", -np.inf), ("euclidean", np.inf), ("inner product", -np.inf)):
        data = searched_by(Dataset(normal(9, 3), normal(1, 3)), metric)
        assert shown(data, data.queries, scores) == [[worst]]


def test_what_cannot_be_asked_is_refused():
    raw = Dataset(normal(9, 3))
    with pytest.raises(ParamError, match="searched by cosine already"):
        searched_by(searched_by(raw, "cosine"), "euclidean")
    with pytest.raises(ParamError, match=r"no metric 'angular'. Known: inner product, cosine"):
        searched_by(raw, "angular")
    layer = Dataset(normal(9, 3), logits=True)
    assert searched_by(layer, "inner product") is layer
    assert measure_of(layer).noun == "logit"
    with pytest.raises(ParamError, match="is a softmax layer"):
        searched_by(layer, "cosine")
    with pytest.raises(DataError, match="too much for squared distances"):
        searched_by(Dataset(np.full((2, 900), 9e14) * [[1], [-1]]), "euclidean")


def test_directions_of_lifted_items_still_tell_them_apart():
    X = RNG.integers(0, 256, (300, 64)).astype(np.float32)
    lifted = searched_by(Dataset(X), "euclidean").items.astype(np.float64)
    lengths = np.linalg.norm(lifted, axis=1)
    assert 0.2 < abs(lifted[:, -2]).mean() / lengths.mean() < 0.8
    assert exact_top_k(X, X, 1).shape == (300, 1)
