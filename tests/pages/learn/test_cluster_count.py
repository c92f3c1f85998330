import numpy as np
import pytest

from mips_core import truth_of
from pages._ui.parts.lesson import stored
from pages._ui.state.session import shipped, usual
from pages.learn import cluster_count
from pages.learn.cluster_count import (
    BUILDS,
    LESSON,
    MOST_OPENED,
    QUERIES,
    STOPS,
    facts,
    formula,
    words_asked,
)
from tests.pages.wire_reader import unpack

N = 20_000


@pytest.fixture(scope="module")
def data():
    return unpack(stored.packed("cluster_count"))


@pytest.mark.parametrize("k", [18, 141, 566])
def test_what_is_stored_is_what_a_build_measures(data, k):
    dataset = words_asked()
    assert (dataset.n, dataset.m) == (data["n"], QUERIES) == (N, 1000)
    fresh = cluster_count.measured(dataset, truth_of(dataset), k)
    at = BUILDS.index(k)
    for name, value in fresh.items():
        np.testing.assert_array_equal(data[name][at], value, err_msg=name)


def test_texts_name_what_is_stored(data):
    assert data["facts"] == facts(N, {name: np.asarray(v) for name, v in data.items()})
    assert data["k"].tolist() == list(BUILDS)


@pytest.mark.parametrize("p", range(1, MOST_OPENED + 1))
def test_the_formula_is_least_at_the_root_of_p_n(p):
    """2 sqrt(p n) there, and more at every other number of clusters."""
    least = formula(N, (p * N) ** 0.5, p)
    assert least == pytest.approx(2 * (p * N) ** 0.5)
    assert all(formula(N, k, p) >= least for k in STOPS)


def test_every_build_can_be_reached_by_the_ring():
    assert set(BUILDS) <= set(STOPS)
    assert sorted(set(STOPS)) == STOPS


def test_precision_lies_within_its_interval_and_grows_with_what_is_opened(data):
    low, precision, high = (np.asarray(data[name]) for name in ("low", "precision", "high"))
    assert ((low < precision) & (precision < high)).all()
    assert (np.diff(precision) > 0).all()
    assert (np.diff(data["cost"]) > 0).all()


def test_live_clusters_and_words_opened_make_the_cost(data):
    assert (np.asarray(data["live"]) <= BUILDS).all()
    everything = np.asarray(data["cost"]) - np.asarray(data["live"])[:, None]
    assert (everything > 0).all()
    assert (everything < N).all()


def test_steps_are_true_in_their_states(data):
    words = {k: N / k for k in (35, 1131)}
    assert words[35] > 10 * 35
    assert words[1131] < 1131 / 10
    assert min(STOPS, key=lambda k: formula(N, k, 1)) == 141
    assert min(STOPS, key=lambda k: formula(N, k, 10)) == LESSON.steps[3].state["k"] == 447
    cheapest = BUILDS[int(np.argmin(data["enough_cost"]))]
    assert cheapest == LESSON.steps[4].state["k"] == LESSON.answer_state["k"] == 566


def test_the_answer_names_what_was_measured(data):
    told = data["facts"]
    assert (told["formula"], told["measured"]) == ("283", "295")
    assert (told["root_probes"], told["root_cost"]) == (8, "1,346")
    assert (told["best_probes"], told["best_cost"]) == (12, "1,008")
    assert (told["above"], told["root_ten"]) == ("14%", "447")
    assert (np.asarray(data["enough_precision"]) >= 0.9).all()


def test_own_data_get_as_many_clusters_and_probes():
    session = usual(shipped("glove-6b-50d"), "glove-6b-50d")
    LESSON.own.ask(session, {"k": 35, "p": 3, "view": "same"})
    assert (session.index.n_clusters, session.effort) == (35, 3)
    LESSON.own.ask(session, {"k": 1131, "p": 3, "view": "same"})
    assert session.index.n_clusters == session.source.n == 400
