"""Lesson 5: what its steps say is true in their states, and its numbers are the core's."""

import numpy as np
import pytest

from mips_core import exact_top_k
from pages._ui.parts.lesson.plane_words import WORDS, directions, points
from pages.learn.open_clusters import AT, LESSON, make


@pytest.fixture(scope="module")
def data():
    return make()


def cost(data, q, p):
    return 8 + int(data["scored"][int(2 * q), p - 1])


def missed(data, q, p):
    """Which of the three true words lie in none of the first p clusters, from the definition."""
    scores = points().astype(float) @ directions()[int(2 * q)].astype(float)
    best = np.argsort(-scores, kind="stable")[:3]
    opened = data["order"][int(2 * q), :p]
    return [WORDS[i] for i in best if data["labels"][i] not in opened]


def test_the_numbers_are_those_of_the_core(data):
    assert (data["truth"] == exact_top_k(points(), directions(), 3)).all()
    sizes = np.bincount(data["labels"], minlength=8)
    assert (data["scored"] == np.cumsum(sizes[data["order"]], axis=1)).all()
    assert sorted(data["order"][0]) == list(range(8))


def test_steps_say_what_is_so(data):
    states = [{**LESSON.state, **step.state} for step in LESSON.steps]
    first, one, three, rim, eight = ((int(s["q"]), s["p"]) for s in states)
    assert missed(data, *first) == []
    assert missed(data, *one) == ["team"]
    assert missed(data, *three) == []
    assert cost(data, *three) > cost(data, *one) == 15
    assert any(missed(data, q, rim[1]) for q in range(360))
    assert cost(data, *eight) == 80 > len(WORDS)


def test_the_answer_names_every_place_where_all_three_are_missed(data):
    nowhere = [q / 2 for q in range(720) if len(missed(data, q / 2, 1)) == 3]
    ends = [q for q in nowhere if q - 0.5 not in nowhere or q + 0.5 not in nowhere]
    assert data["facts"]["none"] == "{:g}° to {:g}° and {:g}° to {:g}°".format(*ends)


def test_the_worksheet_has_the_answers_of_its_own_picture(data):
    facts = data["facts"]
    assert facts["true"] == "army, team and troops"
    assert facts["missed"] == " and ".join(missed(data, AT / 2, 1)) == "team"
    assert (facts["cost"], facts["found_two"], facts["cost_two"]) == (15, 3, 20)
    assert (facts["all_one"], facts["all_three"]) == (480, 711)
