"""The tree softmax: its probabilities, its training, and how far it is from the flat softmax."""

import math
from dataclasses import replace
from itertools import product

import numpy as np
import pytest

from mips_core.base.errors import Cancelled, DataError, ParamError
from mips_core.studies.tree_softmax import compare_with_flat, fit
from tests.mips_core.studies.tree_softmax.softmax_cases import (
    fitted,
    flat_oracle,
    gaussian,
    log_probabilities,
    mean_cross_entropy,
)


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
    Q = gaussian(1, 300)[1]
    monkeypatch.setattr(fit, "RIDGE", 1e-9)
    monkeypatch.setattr(fit, "ROUNDS", 30)
    monkeypatch.setattr(fit, "first_units", lambda X, *_: np.zeros((len(X) - 1, 5)))  # all unknown
    model = fitted(X, Q[:200])
    for q, logs in zip(Q[200:], log_probabilities(model, Q[200:]), strict=True):
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
    expected = log_probabilities(model, new)
    np.testing.assert_allclose(log_probabilities(other, new / 2**30), expected, atol=1e-4)


def test_the_same_bits_again_and_at_any_number_of_threads(case, monkeypatch):
    model, X, Q, _ = case
    for threads in ("1", "3"):
        monkeypatch.setenv("MIPS_THREADS", threads)
        again = fitted(X, Q)
        for name in ("children", "weights", "biases", "losses"):
            np.testing.assert_array_equal(getattr(again, name), getattr(model, name))


def test_progress_rises_and_cancel_is_heard(monkeypatch):
    monkeypatch.setenv("MIPS_THREADS", "1")  # two may overtake each other
    X, Q = gaussian(300, 40)
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
        model.log_masses(Q[:, :3])
    for unusable in ({"ks": ()}, {"ks": (0, 1)}, {"widths": (0,)}):
        with pytest.raises(ParamError, match="Give 1 or more"):
            compare_with_flat(model, X, Q, **unusable)
