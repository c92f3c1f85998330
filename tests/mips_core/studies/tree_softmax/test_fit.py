"""The tree softmax: its probabilities, its training, and how far it is from the flat softmax."""

import heapq
import math
from dataclasses import replace
from itertools import product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from mips_core.base.errors import Cancelled, DataError, ParamError
from mips_core.base.progress import silent
from mips_core.base.seeds import rng_for
from mips_core.data.catalog import load
from mips_core.methods.exact import exact_top_k
from mips_core.methods.kmeans.flat import FlatKMeans
from mips_core.methods.search import search
from mips_core.studies.tree_softmax import compare_with_flat, fit, fit_tree_softmax


def made(n, m, d=4, seed=1):
    rng = np.random.default_rng(seed)
    return rng.normal(size=(n, d)).astype(np.float32), rng.normal(size=(m, d)).astype(np.float32)


def fitted(X, Q, progress=silent):
    return fit_tree_softmax(X, Q, np.random.default_rng(0), progress)


@pytest.fixture(scope="module")
def case():
    """A tree over 61 items, what it was fitted on, and new queries."""
    X, Q = made(61, 250)
    return fitted(X, Q[:200]), X, Q[:200], Q[200:]


@pytest.fixture(scope="module")
def words():
    """1,000 words as items; 300 others to learn from and 200 more to ask."""
    vectors = load("glove-6b-50d").items
    others = vectors[4000:][np.random.default_rng(0).permutation(16_000)[:500]]
    return fitted(vectors[:1000], others[:300]), vectors[:1000], others[300:]


def flat_oracle(X, q, t):
    """log p(x|q) of the flat softmax, from the definition."""
    scores = [t * sum(float(a) * float(b) for a, b in zip(x, q, strict=True)) for x in X]
    largest = max(scores)
    total = largest + math.log(sum(math.exp(s - largest) for s in scores))
    return [s - total for s in scores]


def decide(model, node, q):
    """The children of an inner node, with the log probability of turning to them."""
    z = sum(float(a) * float(b) for a, b in zip(model.weights[node], q, strict=True))
    z += float(model.biases[node])
    left = -math.log1p(math.exp(-z)) if z > 0 else z - math.log1p(math.exp(z))
    yield from zip(map(int, model.children[node]), (left, left - z), strict=True)


def tree_oracle(model, q):
    """log p(x|q) of the tree: the sum of its decisions, leaf by leaf."""
    inner = len(model.children)
    logs = [0.0] * (inner + 1)

    def descend(place, log):
        if place >= inner:
            logs[place - inner] = log
        else:
            for child, more in decide(model, place, q):
                descend(child, log + more)

    descend(0, 0.0)
    return logs


def ranked(logs):
    return sorted(range(len(logs)), key=lambda i: (-logs[i], i))


def beam_oracle(model, q, width):
    """Leaves found, best first, and nodes opened."""
    inner, level, found, opened = len(model.children), [(0.0, 0)], [], 0
    while level:
        level = sorted(level, key=lambda pair: (-pair[0], pair[1]))[:width]
        opened += len(level)
        below = [(log + more, c) for log, p in level for c, more in decide(model, p, q)]
        found += [(log, place - inner) for log, place in below if place >= inner]
        level = [pair for pair in below if pair[1] < inner]
    return [i for _, i in sorted(found, key=lambda pair: (-pair[0], pair[1]))], opened


def best_first_oracle(model, q, K):
    """Nodes opened until the K likeliest leaves are known."""
    inner, heap, opened, found = len(model.children), [(0.0, 0)], 0, 0
    while found < K:
        log, place = heapq.heappop(heap)
        if place >= inner:
            found += 1
        else:
            opened += 1
            for child, more in decide(model, place, q):
                heapq.heappush(heap, (log - more, child))
    return opened


def mean_cross_entropy(model, X, Q):
    """Of the tree on items drawn by the flat softmax, in nats."""
    total = 0.0
    for q in Q:
        flat, tree = flat_oracle(X, q, model.scale), tree_oracle(model, q)
        total -= sum(math.exp(p) * log for p, log in zip(flat, tree, strict=True))
    return total / len(Q)


@given(st.integers(2, 70), st.integers(1, 4), st.integers(0, 2**31))
def test_probabilities_sum_to_one_and_every_item_has_its_leaf(n, d, seed):
    X, Q = made(n, 9, d, seed)
    X[n // 2 :: 3] = X[0]  # repeated rows
    Q[0] = 0
    model = fitted(X, Q)
    np.testing.assert_allclose(np.exp(model.log_probabilities(Q)).sum(axis=1), 1, rtol=1e-12)
    assert sorted(model.children.ravel()) == list(range(1, 2 * n - 1))
    depth = np.zeros(2 * n - 1, int)
    for node, children in enumerate(model.children):
        depth[children] = depth[node] + 1
    assert np.ptp(depth[n - 1 :]) <= 1  # balanced


def test_probabilities_are_products_of_decisions(case):
    model, _, _, Q = case
    expected = [tree_oracle(model, q) for q in Q]
    np.testing.assert_allclose(model.log_probabilities(Q), expected, rtol=1e-10)


@pytest.mark.parametrize("width", [1, 2, 5, 17, 31, 1000])
def test_a_beam_finds_and_costs_what_the_definition_says(case, width):
    model, _, _, Q = case
    ids, cost = model.search(Q, 10, width)
    for q, row, opened in zip(Q, ids, cost, strict=True):
        best, expected = beam_oracle(model, q, width)
        assert row.tolist() == (best + [-1] * 10)[:10]
        assert opened == expected
        if width > model.n / 2:
            assert row.tolist() == ranked(tree_oracle(model, q))[:10]
            assert opened == model.n - 1


def test_training_lowers_the_loss_to_its_minimum(case):
    model, X, Q, _ = case
    assert (np.diff(model.losses) <= 0).all()
    length = math.sqrt(np.mean(np.square(Q, dtype=float)))
    start = fit.first_units(X, model.scale * length, model.children)

    def loss(model):
        units = np.column_stack([model.weights * length, model.biases])
        ridge = fit.RIDGE / 2 * np.square(units - start).sum()
        return mean_cross_entropy(model, X, Q[:200]) + ridge

    before = replace(model, weights=start[:, :-1] / length, biases=start[:, -1])
    assert loss(before) == pytest.approx(model.losses[0], abs=1e-9)
    least = loss(model)
    assert least == pytest.approx(model.losses[-1], abs=1e-6)
    assert least < loss(before) - 0.01
    rng = np.random.default_rng(3)
    for size in (1e-2, 1e-1):  # the loss is convex: no lower neighbour means no lower point
        moved = model.weights + size * rng.normal(size=model.weights.shape)
        assert loss(replace(model, weights=moved)) > least


@pytest.mark.parametrize("n", [2, 4, 8])
def test_a_softmax_that_is_a_tree_is_recovered(monkeypatch, n):
    """Items are all sums of +-a, +-b, .. at right angles: each decision's log odds are 2t q.a."""
    arms = [np.eye(4)[j] / (j + 1) for j in range(n.bit_length() - 1)]
    signs = product((1, -1), repeat=len(arms))
    X = np.array([np.dot(sign, arms) for sign in signs]).astype(np.float32)
    Q = made(1, 300)[1]
    monkeypatch.setattr(fit, "RIDGE", 1e-9)
    monkeypatch.setattr(fit, "ROUNDS", 30)
    monkeypatch.setattr(fit, "first_units", lambda X, *_: np.zeros((len(X) - 1, 5)))  # all unknown
    model = fitted(X, Q[:200])
    for q, logs in zip(Q[200:], model.log_probabilities(Q[200:]), strict=True):
        np.testing.assert_allclose(logs, flat_oracle(X, q, model.scale), atol=1e-4)
    found = compare_with_flat(model, X, Q[200:], ks=(1, n - 1))
    assert set(found.every_leaf.precision) == {1.0}
    assert found.cross_entropy == pytest.approx(found.flat_entropy, abs=1e-6)


def test_the_temperature_halves_the_median_entropy(case):
    model, X, Q, _ = case
    flat = np.array([flat_oracle(X, q, model.scale) for q in Q])
    assert np.median(-(np.exp(flat) * flat).sum(axis=1)) == pytest.approx(math.log(61) / 2, 1e-4)


def test_lengths_of_items_and_queries_do_not_matter(case):
    model, X, Q, new = case
    other = fitted(X * 2**20, Q / 2**30)
    np.testing.assert_array_equal(other.children, model.children)
    assert other.scale == pytest.approx(model.scale * 2**10, rel=1e-6)
    expected = model.log_probabilities(new)
    np.testing.assert_allclose(other.log_probabilities(new / 2**30), expected, atol=1e-4)


def test_the_same_bits_again_and_at_any_number_of_threads(case, monkeypatch):
    model, X, Q, _ = case
    for threads in ("1", "3"):
        monkeypatch.setenv("MIPS_THREADS", threads)
        again = fitted(X, Q)
        for name in ("children", "weights", "biases", "losses"):
            np.testing.assert_array_equal(getattr(again, name), getattr(model, name))


def test_progress_rises_and_cancel_is_heard(monkeypatch):
    monkeypatch.setenv("MIPS_THREADS", "1")  # two may overtake each other
    X, Q = made(300, 40)
    told = []
    model = fitted(X, Q, lambda fraction, message, partial=None: told.append(fraction))
    assert told == sorted(told)
    assert told[0] == 0
    assert told[-1] == pytest.approx(1)
    compared = []
    compare_with_flat(model, X, Q, progress=lambda fraction, *_: compared.append(fraction))
    assert compared == sorted(compared)

    for stop in (0.0, 0.2, 0.35, 0.5):

        def cancel(fraction, message, partial=None, stop=stop):
            if fraction >= stop:
                raise Cancelled

        with pytest.raises(Cancelled):
            fitted(X, Q, cancel)


def test_inputs_that_do_not_fit_are_refused(case):
    model, X, Q, _ = case
    for items, queries in ((X[:1], Q), (X, Q[:0]), (X, Q[:, :3])):
        with pytest.raises(DataError, match=r"X is .* Q is"):
            fitted(items, queries)
    with pytest.raises(DataError, match="holds 61 items, X 60"):
        compare_with_flat(model, X[:-1], Q)
    with pytest.raises(DataError, match="3 dimensions, the tree has 4"):
        model.log_probabilities(Q[:, :3])
    for unusable in ({"ks": ()}, {"ks": (0, 1)}, {"widths": (0,)}):
        with pytest.raises(ParamError, match="Give 1 or more"):
            compare_with_flat(model, X, Q, **unusable)


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
