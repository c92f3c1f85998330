"""A softmax layer's products are its logits, exactly."""

import numpy as np
import pytest

from mips_core.base.errors import DataError
from mips_core.data.classifier import layer_items, layer_queries
from mips_core.data.dataset import Dataset
from mips_core.studies.softmax import probabilities

RNG = np.random.default_rng(0)
W, b, H = RNG.normal(size=(9, 4)), RNG.normal(size=9) * 1e4, RNG.normal(size=(3, 4))


def test_products_are_logits():
    X, Q = layer_items(W, b), layer_queries(H)
    np.testing.assert_allclose(Q @ X.T, H @ W.T + b, rtol=1e-12)
    np.testing.assert_array_equal(X[:, -1], b)  # a bias far larger than the weights is kept


def test_probabilities_are_those_of_the_layer():
    layer = Dataset(layer_items(W, b / 1e4), layer_queries(H), logits=True)
    terms = np.exp(H @ W.T + b / 1e4)
    for q, expected in zip(layer.queries, terms / terms.sum(axis=1)[:, None], strict=True):
        found = probabilities(layer.items, q, np.arange(9))
        np.testing.assert_allclose(found.values, expected, rtol=1e-5)


@pytest.mark.parametrize(
    ("weights", "bias", "both"),
    [("f2", "f4", "f4"), ("f4", "f4", "f4"), ("f4", "f8", "f8"), ("i8", "f4", "f8"),
     ("f2", "f2", "f2")],
)  # fmt: skip
def test_the_dtype_holds_both_exactly(weights, bias, both):
    assert layer_items((W * 4).astype(weights), b.astype(bias)).dtype == both
    assert layer_queries(H.astype(weights)).dtype == weights


@pytest.mark.parametrize(
    ("weights", "bias", "words"), [(W, b[:8], "9 × 4, the bias 8"), (W[0], b, "4, the bias 9")]
)
def test_what_does_not_fit_is_refused(weights, bias, words):
    with pytest.raises(DataError, match=words):
        layer_items(weights, bias)
