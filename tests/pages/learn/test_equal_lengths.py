import numpy as np
import pytest

from mips_core import PadToSphere, PaperAugment
from pages._ui.parts.lesson.plane_words import directions, points
from pages._ui.state.session import shipped, usual
from pages.learn.equal_lengths import BEST, ENTRIES, FIRST, LESSON, LONGEST, QUERY, SECOND, make

X, Q = points().astype(np.float64), directions().astype(np.float64)
LENGTHS = np.linalg.norm(X, axis=1)
PLACES = [(U, m) for U in LONGEST for m in ENTRIES]


@pytest.fixture(scope="module")
def data():
    return make()


def place(U: float, m: int) -> int:
    return PLACES.index((U, m))


def test_lengths_after_the_lift_are_those_of_the_formula(data):
    for (U, m), norms in zip(PLACES, data["norms"], strict=True):
        scaled = U * LENGTHS / LENGTHS.max()
        np.testing.assert_allclose(norms, np.sqrt(m / 4 + scaled**2.0 ** (m + 1)), rtol=1e-6)
    np.testing.assert_allclose(data["sphere_norms"], 1, rtol=1e-6)


@pytest.mark.parametrize(("U", "m"), [(0.75, 2), (0.95, 2), (0.99, 1), (0.99, 8), (0.5, 1)])
def test_order_and_winners_are_those_of_the_cosine(data, U, m):
    lift = PaperAugment(U=U, m=m).fit(points())
    rows = lift.items(points()).astype(np.float64)
    cosines = Q @ rows[:, :2].T / np.linalg.norm(rows, axis=1)
    best = np.argsort(-(X @ Q[2 * QUERY]), kind="stable")[:BEST]
    assert (data["best"] == best).all()
    of_query = cosines[2 * QUERY][best]
    swapped = np.unpackbits(data["swapped"][place(U, m)])[: len(FIRST)]
    assert (swapped == (of_query[FIRST] < of_query[SECOND])).all()
    winners = cosines.argmax(axis=1)
    assert data["kept"][place(U, m)] == (winners == (Q @ X.T).argmax(axis=1)).sum()
    assert data["leading"][place(U, m)] == winners[2 * QUERY]


def test_steps_and_answer_say_what_was_counted(data):
    facts = data["facts"]
    pairs = np.unpackbits(data["swapped"], axis=1)[:, : len(FIRST)].sum(axis=1)
    assert facts["worst_pairs"] == pairs[place(0.99, 1)] == 39
    assert facts["worst_kept"] == data["kept"][place(0.99, 1)] == 15
    assert facts["many_kept"] == data["kept"][place(0.99, 8)] == 719
    assert facts["half_kept"] == data["kept"][place(0.5, 1)] == 665
    assert data["sphere_kept"] == facts["directions"] == 720


def test_the_exact_lift_raises_short_words_highest(data):
    heights = np.sqrt(np.maximum(0, data["sphere_norms"] ** 2 - (LENGTHS / LENGTHS.max()) ** 2))
    order = np.argsort(LENGTHS)
    assert (np.diff(heights[order]) <= 1e-6).all()


def test_the_usual_lift_comes_close_and_something_sticks_out(data):
    out = data["norms"][place(0.75, 2)] / np.sqrt(2 / 4)
    assert (out > 1.01).any()
    assert out.max() < 1.11


def test_two_words_of_the_worksheet_are_as_long_as_it_says():
    lift = PaperAugment(U=0.5, m=2).fit(np.array([[3, 4], [0, 1]], np.float32))
    rows = lift.items(np.array([[3, 4], [0, 1]], np.float32)).astype(np.float64)
    assert rows[:, 2:] == pytest.approx(np.array([[0.25, 0.4375], [0.49, 0.4999]]))
    assert (rows**2).sum(axis=1) == pytest.approx([0.50390625, 0.50000001], rel=1e-7)


def test_with_many_entries_words_crowd_around_the_pole(data):
    flat = 0.99 * LENGTHS / LENGTHS.max()
    from_pole = np.degrees(np.arcsin(flat / data["norms"][place(0.99, 8)]))
    assert round(from_pole.max()) == data["facts"]["farthest"] == 44


def test_own_data_get_an_index_with_the_lift_that_is_shown():
    session = usual(shipped("glove-6b-50d"), "glove-6b-50d")
    LESSON.own.ask(session, {**LESSON.state, "U": 0.5, "m": 3})
    assert session.index.reduction == PaperAugment(U=0.5, m=3)
    LESSON.own.ask(session, {**LESSON.state, "kind": "sphere"})
    assert session.index.reduction == PadToSphere()
