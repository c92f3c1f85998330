"""Product quantization: codebooks fit the inner product, look-ups rank, the ledger is as stated."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from mips_core import exact_top_k, rng_for
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
