"""Lesson 13: a tree softmax fitted anew gives the stored numbers, and they are what is said."""

import numpy as np
import pytest

from pages._ui.parts.lesson import stored
from pages.learn.two_softmaxes import FEW, ODD, QUERIES, WIDTHS, K, N, fitted, turns, vectors
from tests.pages.wire_reader import unpack


@pytest.fixture(scope="module")
def data():
    return unpack(stored.packed("two_softmaxes"))


@pytest.fixture(scope="module")
def model():
    return fitted()


@pytest.fixture(scope="module")
def asked():
    X, Q, _, contexts = vectors()
    return X, Q[[contexts.index(word) for word in QUERIES]]


def same(data, q, width):
    return len(set(data["found"][q][WIDTHS.index(width)]) & set(data["truth"][q]))


def test_a_fresh_tree_gives_the_stored_numbers(data, model, asked):
    _, Q = asked
    masses = np.exp(model.log_masses(Q))
    assert (data["tree"] == masses[:, N - 1 :].astype(np.float32)).all()
    for at, width in enumerate(WIDTHS):
        ids, cost = model.search(Q, K, width)
        assert (data["found"][:, at] == np.where(ids < 0, N, ids)).all()
        assert (data["cost"][:, at] == cost).all()
    best = data["found"][:, :, 0].astype(int)
    assert (data["turns"] == turns(model, masses, best)).all()


def test_the_flat_softmax_is_the_definition(data, model, asked):
    X, Q = (part.astype(float) for part in asked)
    weights = np.exp(model.scale * (Q @ X.T))
    assert np.allclose(data["flat"], weights / weights.sum(axis=1, keepdims=True), atol=1e-6)
    assert np.allclose(data["tree"].sum(axis=1), 1, atol=1e-5)
    assert (data["truth"] == np.argsort(-(Q @ X.T), axis=1)[:, :K]).all()


def test_the_turns_to_a_word_multiply_to_its_share(data):
    for q in range(len(QUERIES)):
        for at in range(len(WIDTHS)):
            taken = data["turns"][q][at]
            taken = taken[taken > 0]
            assert len(taken) in (7, 8)
            best = data["found"][q][at][0]
            assert np.prod(taken) == pytest.approx(data["tree"][q][best], rel=1e-5)


def test_steps_and_answer_say_what_is_so(data):
    facts, first = data["facts"], QUERIES.index("pope")
    assert facts["same"] == same(data, first, N) == 5
    assert QUERIES[ODD] == "cricket"
    assert facts["odd_few"] == same(data, ODD, FEW) == 8
    assert facts["odd_all"] == same(data, ODD, N) == 6
    assert facts["mean"] == f"{10 * data['means'][-1]:.1f}" == "6.9"
    assert facts["mean_many"] == f"{10 * data['means'][3]:.1f}" == "6.7"
    assert WIDTHS[3] == 8
    assert set(data["cost"][:, 3]) == {facts["cost_many"]}
