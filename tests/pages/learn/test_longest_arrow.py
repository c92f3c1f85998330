import numpy as np
import pytest

from mips_core import exact_top_k, outlines_of, shipped
from pages._ui.parts.lesson.plane_words import WORDS, directions, points
from pages._ui.state.session import usual
from pages.learn.longest_arrow import LESSON, STRETCHED, STRETCHES, frequent_words, make, stretched

JAZZ = WORDS.index(STRETCHED)


@pytest.fixture(scope="module")
def data():
    return make()


def test_the_ring_shows_the_largest_inner_product(data):
    Q = directions().astype(np.float64)
    for by in (0.5, 1.0, 3.0):
        products = Q @ stretched(points(), by).astype(np.float64).T
        shown = np.take_along_axis(products, data["winners"][STRETCHES.index(by), :, None], axis=1)
        np.testing.assert_allclose(shown[:, 0], products.max(axis=1), atol=1e-6)
    products = Q @ data["frequent_points"].astype(np.float64).T
    shown = np.take_along_axis(products, data["frequent_winners"][:, None], axis=1)
    np.testing.assert_allclose(shown[:, 0], products.max(axis=1), atol=1e-6)


def test_its_part_grows_with_its_length_and_never_beyond_half(data):
    wins = (data["winners"] == JAZZ).sum(axis=1)
    assert (np.diff(wins) >= 0).all()
    assert wins.max() == 287
    endless = exact_top_k(stretched(points(), 1e5), directions(), 1)[:, 0] == JAZZ
    assert 287 < endless.sum() <= 360


def test_steps_and_answer_say_what_was_counted(data):
    facts = data["facts"]
    wins = dict(zip(STRETCHES, (data["winners"] == JAZZ).sum(axis=1), strict=True))
    assert [facts[name] for name in ("once", "half_more", "twice", "thrice")] == [93, 207, 246, 287]
    assert [wins[by] for by in (1.0, 1.5, 2.0, 3.0)] == [93, 207, 246, 287]
    assert facts["twice"] / facts["directions"] == pytest.approx(1 / 3, abs=0.01)
    corners = outlines_of(points(), np.zeros(72, np.int32), "hull").points
    assert facts["touching"] == len(corners) == 9
    places = [WORDS.index(word) for word in facts["touched"].split(", ")]
    assert {tuple(p) for p in corners} == {tuple(p) for p in points()[places]}
    assert facts["frequent_winning"] == len(set(data["frequent_winners"].tolist())) == 10


def test_frequent_words_are_the_first_ones_of_letters():
    words, places = frequent_words()
    labels = [word for word in shipped("glove-6b-50d").labels if word.isalpha()]
    assert words == labels[:200]
    assert np.linalg.norm(places, axis=1).max() == pytest.approx(1, abs=1e-6)


def test_few_items_of_the_recommender_win_for_all_its_users(data):
    ratings, facts = shipped("simulated-ratings"), data["facts"]
    items = ratings.items.astype(np.float64)
    first = np.argmax(ratings.queries.astype(np.float64) @ items.T, axis=1)
    counts = np.bincount(first, minlength=ratings.n)
    assert (counts[data["hubs"]] == data["users"]).all()
    assert data["users"].sum() == facts["m_users"] == 2000
    assert facts["hubs"] == (counts > 0).sum() == 170
    assert data["users"][0] == 107
    lengths = np.linalg.norm(items, axis=1)
    np.testing.assert_allclose(data["lengths"], lengths[data["hubs"]] / lengths.max(), rtol=1e-6)
    longest = np.argsort(-lengths)[: facts["longest"]]
    assert facts["by_longest"] == counts[longest].sum() == 1878
    assert data["lengths"].min() > 4 * data["median"]


def test_own_data_are_coloured_by_how_often_they_win():
    session = usual(shipped("glove-6b-50d"), "glove-6b-50d")
    LESSON.own.ask(session, LESSON.state)
    assert session.states["map"].colour == "answers"
