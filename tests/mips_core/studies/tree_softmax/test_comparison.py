"""The comparison with the flat softmax is its definition."""

import math

import numpy as np
import pytest

from mips_core.base.seeds import rng_for
from mips_core.methods.exact import exact_top_k
from mips_core.methods.kmeans.flat import FlatKMeans
from mips_core.methods.search import search
from mips_core.studies.tree_softmax import compare_with_flat
from tests.mips_core.studies.tree_softmax.softmax_cases import (
    beam_oracle,
    best_first_oracle,
    flat_oracle,
    mean_cross_entropy,
    ranked,
)


def test_the_comparison_is_its_definition(case):
    model, X, _, Q = case
    found = compare_with_flat(model, X, Q, ks=(1, 7, 1000), widths=(8, 2))
    assert (found.n, found.m, found.ks) == (61, 50, (1, 7, 61))
    flat = [flat_oracle(X, q, model.scale) for q in Q]
    entropy = np.mean([-sum(math.exp(p) * p for p in row) for row in flat])
    assert found.flat_entropy == pytest.approx(entropy, abs=1e-9)
    assert found.cross_entropy == pytest.approx(mean_cross_entropy(model, X, Q), abs=1e-9)
    assert found.tree_perplexity > found.flat_perplexity == pytest.approx(math.exp(entropy))
    assert [asked.width for asked in found.beams] == [2, 8]
    for asked in (*found.beams, found.every_leaf):
        beams = [beam_oracle(model, q, asked.width) for q in Q]
        assert asked.inner_products == pytest.approx(np.mean([opened for _, opened in beams]))
        for k, precision in zip(found.ks, asked.precision, strict=True):
            shares = [
                len(set(best[:k]) & set(ranked(row)[:k])) / k
                for (best, _), row in zip(beams, flat, strict=True)
            ]
            assert precision == pytest.approx(np.mean(shares))
    for k, opened in zip(found.ks, found.best_first, strict=True):
        assert opened == pytest.approx(np.mean([best_first_oracle(model, q, k) for q in Q]))


def test_on_words_the_tree_is_another_model_and_clusters_are_not(words):
    """However the tree is searched it has its own best items; an index keeps the flat order."""
    model, X, Q = words
    found = compare_with_flat(model, X, Q, ks=(1, 10), widths=(1, 4, 16, 500))
    assert all(0.3 < precision < 0.8 for precision in found.every_leaf.precision)
    assert found.beams[-1].precision == found.every_leaf.precision
    costs = [asked.inner_products for asked in found.beams]
    assert costs == sorted(costs)
    assert costs[0] < 11 < costs[-1] == 999
    assert found.best_first[0] < found.best_first[1] < 400
    assert found.flat_entropy + 0.1 < found.cross_entropy < math.log(1000)

    index = FlatKMeans(n_clusters=30)
    clusters = index.searcher(index.build(X, rng_for(0, "k-means")))
    truth = exact_top_k(X, Q, 10)
    ids, scores = search(clusters, X, Q, 10, clusters.efforts()[-1])
    np.testing.assert_array_equal(ids, truth)
    few, few_scores = search(clusters, X, Q, 10, 3)
    for row, kept, best, exact in zip(few, few_scores, ids, scores, strict=True):
        flat = dict(zip(best.tolist(), exact.tolist(), strict=True))
        shared = [(i, score) for i, score in zip(row.tolist(), kept, strict=True) if i in flat]
        assert shared == [(i, flat[i]) for i in best.tolist() if i in set(row.tolist())]
