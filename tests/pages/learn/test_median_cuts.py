import numpy as np
import pytest

from mips_core.methods.trees.pca import PCATree
from pages._ui.parts.lesson.plane_words import WORDS, directions, points
from pages._ui.state.session import shipped, usual
from pages.learn import median_cuts
from pages.learn.median_cuts import DEPTH, LESSON, make


@pytest.fixture(scope="module")
def data():
    return make()


def turned(vectors: np.ndarray, data: dict, depth: int = DEPTH) -> np.ndarray:
    """The addresses that the cuts alone give to vectors: one turn a level."""
    addresses = np.zeros(len(vectors), np.int64)
    for level in range(depth):
        medians = data["medians"][2**level - 1 + addresses]
        values = vectors[:, data["axes"][level]].astype(np.float64)
        addresses = 2 * addresses + (values > medians + 1e-6)  # one word of an odd part lies on it
    return addresses


def lost(data: dict, levels: int, boost: int) -> np.ndarray:
    """(720, 3) which best words lie more than `boost` turns away from the query's leaf."""
    cut = DEPTH - levels
    differing = data["items"][data["truth"]] ^ data["queries"][:, None]
    turns = np.bitwise_count(differing >> cut)
    return turns > boost


def test_every_part_is_halved_at_its_median(data):
    for level in range(1, DEPTH + 1):
        sizes = np.bincount(data["items"] >> DEPTH - level, minlength=2**level)
        assert sizes.max() - sizes.min() <= 1
    np.testing.assert_array_equal(turned(points(), data), data["items"])


def test_a_query_falls_where_its_tip_lies(data):
    np.testing.assert_array_equal(turned(directions(), data), data["queries"])


def test_directions_are_the_plane_s_own_and_take_turns(data):
    assert data["axes"].tolist() == [0, 1, 0, 1, 0]
    assert np.abs(median_cuts.tree().directions).max(axis=1) == pytest.approx(1)
    assert points()[:, 0].var() > points()[:, 1].var()


@pytest.mark.parametrize("boost", [0, 1])
@pytest.mark.parametrize("levels", range(1, DEPTH + 1))
def test_cost_is_the_levels_and_the_words_of_the_leaves_opened(data, levels, boost):
    leaves = np.arange(2**levels) ^ (data["queries"] >> DEPTH - levels)[:, None]
    opened = np.bitwise_count(leaves) <= boost
    sizes = np.bincount(data["items"] >> DEPTH - levels, minlength=2**levels)
    np.testing.assert_array_equal(data["cost"][boost * DEPTH + levels - 1], levels + opened @ sizes)


def test_steps_say_what_the_words_do(data):
    facts, at = data["facts"], int(2 * LESSON.state["q"])
    assert facts["half"] == (data["items"] >> DEPTH - 1 == 0).sum() == 36
    own = data["items"] >> DEPTH - 3 == data["queries"][at] >> DEPTH - 3
    assert facts["leaf"] == own.sum() == 9
    assert facts["lost"] == lost(data, 3, 0)[at].sum() == 2
    assert not lost(data, 3, 1)[at].any()
    assert facts["boosted"] == data["cost"][DEPTH + 2, at] == 39
    assert facts["deep"] == data["cost"][DEPTH + 4, at] == 18
    assert facts["deep_found"] == 3 - lost(data, 5, 1)[at].sum() == 2


def test_the_answer_names_what_even_leaves_one_bit_away_miss(data):
    facts, at = data["facts"], int(2 * LESSON.state["q"])
    (missed,) = data["truth"][at][lost(data, 4, 1)[at]]
    assert facts["missed"] == WORDS[missed] == "troops"
    differing = int(data["items"][missed] ^ data["queries"][at]) >> DEPTH - 4
    assert differing.bit_count() == 2
    assert facts["kept"] == f"{np.mean(~lost(data, 4, 1).any(axis=1)):.0%}" == "79%"
    assert facts["kept_own"] == f"{np.mean(~lost(data, 4, 0).any(axis=1)):.0%}" == "19%"


def test_own_data_get_the_tree_cut_at_as_many_levels():
    session = usual(shipped("glove-6b-50d"), "glove-6b-50d")
    LESSON.own.ask(session, {**LESSON.state, "h": 5, "boost": 0})
    assert session.index == PCATree(boosting=False).explicit(session.source.n)
    assert session.effort == session.index.levels(session.source.n) + 1 - 5
