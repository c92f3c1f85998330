import numpy as np
import pytest

from mips_core import exact_top_k, outlines_of
from pages._ui.parts.lesson.plane_words import WORDS, directions, points
from pages._ui.state.session import shipped, usual
from pages.learn.three_nearest import LENGTHS, LESSON, make

X, Q = points().astype(np.float64), directions().astype(np.float64)


@pytest.fixture(scope="module")
def data():
    return make()


def two_best(values: np.ndarray) -> np.ndarray:
    return np.argsort(-values, axis=1, kind="stable")[:, :2]


def near(values: np.ndarray, ids: np.ndarray) -> None:
    """`ids` (m, 2) are the two with the largest of `values` (m, n), up to what float32 loses."""
    chosen = np.take_along_axis(values, ids.astype(int), axis=1)
    best = np.take_along_axis(values, two_best(values), axis=1)
    np.testing.assert_allclose(chosen, best, atol=1e-6)


def test_each_meaning_names_the_two_that_its_definition_puts_first(data):
    near(Q @ X.T, data["inner"])
    near(Q @ (X / np.linalg.norm(X, axis=1)[:, None]).T, data["cosine"])
    tips = np.concatenate([Q * length for length in LENGTHS])
    away = np.linalg.norm(tips[:, None] - X, axis=2)
    near(-away, data["distance"])
    two = np.take_along_axis(away, data["distance"].astype(int), axis=1)
    assert np.abs(data["hundredths"] / 100 - two).max() <= 0.005 + 1e-6


def test_degrees_are_those_between_query_and_word(data):
    between = np.degrees(np.arctan2(X[:, 1], X[:, 0]))[data["cosine"]] - np.arange(720)[:, None] / 2
    apart = np.abs((between + 180) % 360 - 180)
    np.testing.assert_allclose(data["degrees"], apart, atol=0.05)


def test_who_ever_wins_by_inner_product_stands_on_the_hull_and_nobody_else(data):
    corners = outlines_of(points(), np.zeros(len(WORDS), np.int32), "hull").points
    assert {tuple(p) for p in corners} == {tuple(p) for p in points()[data["hull"]]}
    round_ = np.arctan2(*X[data["hull"]].T[::-1])
    assert (np.diff(round_) > 0).all()


def test_the_answer_counts_what_the_picture_shows(data):
    facts, first = data["facts"], np.argmax(Q @ X.T, axis=1)
    assert facts["winners"] == len(set(first)) == 9
    assert facts["never"] == 63
    assert facts["most_wins"] == (first == WORDS.index(facts["most"])).sum() == 163
    assert facts["cosine_winners"] == len(set(data["cosine"][:, 0])) == 72
    assert facts["three"] == 483


def test_the_state_it_starts_in_has_three_answers(data):
    place = int(LESSON.state["q"] * 2)
    length = LENGTHS.index(LESSON.state["r"])
    firsts = (
        data["inner"][place, 0],
        data["cosine"][place, 0],
        data["distance"][length * 720 + place, 0],
    )
    assert [WORDS[i] for i in firsts] == ["troops", "army", "war"]
    assert [data["facts"][key] for key in ("inner", "cosine", "distance")] == [
        "troops",
        "army",
        "war",
    ]


def test_only_the_nearest_by_distance_depends_on_the_length_of_the_query(data):
    for length in (LENGTHS[0], LENGTHS[-1]):
        longer = (directions() * length).astype(np.float32)
        assert (exact_top_k(points(), longer, 1)[:, 0] == data["inner"][:, 0]).all()
    distance = data["distance"].reshape(len(LENGTHS), 720, 2)[..., 0]
    assert (distance[0] != distance[-1]).any()


def test_own_data_are_searched_by_the_metric_that_is_shown():
    session = usual(shipped("glove-6b-50d"), "glove-6b-50d")
    LESSON.own.ask(session, {**LESSON.state, "show": "cosine"})
    assert session.metric == "cosine"
    LESSON.own.ask(session, LESSON.state)
    assert session.metric == "cosine"
