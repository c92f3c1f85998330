"""Product quantization: codebooks fit the inner product, look-ups rank, the ledger is as stated."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from mips_core import exact_top_k, rng_for
from mips_core.base.progress import silent
from mips_core.methods.quantization.codebooks import encode, nearest, train
from mips_core.methods.quantization.product import ProductQuantization


def approximate_order(dimensions, bounds, codewords, codes, q):
    """The definition: item numbers by the float32 sum of their codewords' products with q."""
    length = np.sqrt(in_order(float(v) ** 2 for v in q))
    unit = [float(q[j]) / length for j in dimensions]
    scores = []
    for code in codes:
        score = np.float32(0)
        for s, c in enumerate(code):
            inside = range(bounds[s], bounds[s + 1])
            score += np.float32(in_order(unit[j] * float(codewords[j, c]) for j in inside))
        scores.append(score)
    return sorted(range(len(codes)), key=lambda i: (-scores[i], i))


def in_order(values):
    total = 0.0
    for value in values:
        total += value
    return total


def distortion(x, c, W):
    """(x - c)' W (x - c)."""
    gap = [float(a) - float(b) for a, b in zip(x, c, strict=True)]
    return sum(gap[a] * float(W[a][b]) * gap[b] for a in range(len(gap)) for b in range(len(gap)))


def total_distortion(rows, books, codes):
    total = 0.0
    for s, part in enumerate(books.subspaces()):
        chosen = books.codewords[part][:, codes[:, s]].T
        for x, c in zip(rows[:, books.dimensions[part]], chosen, strict=True):
            total += distortion(x, c, books.metrics[s])
    return total


@given(st.integers(0, 2**31), st.integers(1, 7), st.integers(2, 20), st.booleans())
def test_candidates_are_the_best_by_look_up(seed, S, k, repeated):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(40, 5)).astype(np.float32)
    if repeated:  # equal codes, so equal scores
        X = X[rng.integers(0, 6, 40)]
    Q = rng.normal(size=(2, 5)).astype(np.float32)
    index = ProductQuantization(n_subspaces=S, n_codewords=k)
    built = index.build(X, rng_for(seed))
    searcher, books = index.searcher(built), built.books
    wanted = np.arange(40)[None].repeat(2, axis=0)
    ranks = searcher.sweep(Q, wanted)[0]
    efforts = list(searcher.efforts())
    for i, q in enumerate(Q):
        order = approximate_order(books.dimensions, books.bounds, books.codewords, built.codes, q)
        for effort in efforts:
            found = searcher.candidates(Q, effort, 1)
            assert set(found.ids[found.starts[i] : found.starts[i + 1]]) == set(order[:effort])
        for position, item in enumerate(order):
            assert efforts[ranks[i, item]] >= position + 1
            assert ranks[i, item] == 0 or efforts[ranks[i, item] - 1] < position + 1


@given(st.integers(0, 2**31), st.integers(1, 4), st.integers(2, 12), st.booleans())
def test_the_nearest_codeword_has_least_weighted_distance(seed, w, k, singular):
    rng = np.random.default_rng(seed)
    rows, codewords = rng.normal(size=(9, w)).astype(np.float32), rng.normal(size=(k, w))
    root = rng.normal(size=(1 if singular else w, w))
    W = root.T @ root
    for x, label in zip(rows, nearest(rows, codewords, W), strict=True):
        least = min(distortion(x, c, W) for c in codewords)
        assert distortion(x, codewords[label], W) == pytest.approx(least, abs=1e-9)


def test_equal_codewords_and_a_metric_of_zero_give_the_lowest_number():
    rows, same = np.ones((3, 2), np.float32), np.ones((4, 2))
    assert nearest(rows, same, np.eye(2)).tolist() == [0, 0, 0]
    assert nearest(rows, np.eye(2), np.zeros((2, 2))).tolist() == [0, 0, 0]


def test_the_metric_is_the_second_moment_and_each_dimension_has_its_subspace():
    X = np.random.default_rng(0).normal(size=(50, 11)).astype(np.float32)
    books = train(X, 4, 8, rng_for(0), silent)
    assert sorted(books.dimensions) == list(range(11))
    assert books.dimensions.tolist() != list(range(11))
    assert sorted(np.diff(books.bounds)) == [2, 3, 3, 3]
    for part, W in zip(books.subspaces(), books.metrics, strict=True):
        rows = X[:, books.dimensions[part]].astype(float)
        np.testing.assert_allclose(W, rows.T @ rows / 50, atol=1e-12)


def test_rounds_of_training_lower_the_distortion():
    rng = np.random.default_rng(1)
    X = (rng.normal(size=(300, 6)) * [5, 3, 1, 1, 0.3, 0.1]).astype(np.float32) / 20
    totals = []
    for rounds in range(6):
        books = train(X, 2, 16, rng_for(0), silent, rounds)
        totals.append(total_distortion(X, books, encode(X, books)))
    assert (np.diff(totals) <= 1e-9).all()
    assert totals[-1] < 0.8 * totals[0]


def test_a_codeword_for_every_item_is_exact():
    rng = np.random.default_rng(2)
    X, Q = (rng.normal(size=(size, 6)).astype(np.float32) for size in (100, 9))
    index = ProductQuantization(n_subspaces=3)
    found = index.searcher(index.build(X, rng_for(0))).candidates(Q, 10, 10)
    assert np.sort(found.ids.reshape(9, 10)).tolist() == np.sort(exact_top_k(X, Q, 10)).tolist()


@pytest.mark.parametrize(
    ("d", "S", "k", "tables", "additions"),
    [(10, 3, 16, 16, 60), (5, 9, 256, 200, 200), (8, 1, 2, 2, 25)],
    ids=["as asked", "no more subspaces than dimensions or codewords than items", "fewest"],
)
def test_cost_is_tables_and_additions_and_items_scored(d, S, k, tables, additions):
    X = np.random.default_rng(3).normal(size=(200, d)).astype(np.float32)
    index = ProductQuantization(n_subspaces=S, n_codewords=k)
    searcher = index.searcher(index.build(X, rng_for(0)))
    found = searcher.candidates(X[:2], 7, 1)
    assert found.cost.tolist() == [tables + additions + 7] * 2
    costs = searcher.sweep(X[:2], np.empty((2, 0), np.int64))[1]
    assert {part: cost[0, 6] for part, cost in costs.items()} == {
        "tables": tables,
        "additions": additions,
        "candidates": 7,
    }


def test_repeated_items_share_a_code():
    X = np.random.default_rng(4).normal(size=(5, 8)).astype(np.float32)[np.arange(60) % 5]
    codes = ProductQuantization().build(X, rng_for(0)).codes
    assert len(np.unique(codes, axis=0)) == 5
    np.testing.assert_array_equal(codes[:5], codes[5:10])
