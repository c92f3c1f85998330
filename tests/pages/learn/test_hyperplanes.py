import numpy as np
import pytest

from mips_core import INDEXES, Plain, rng_for
from pages._ui.parts.lesson.plane_words import WORDS, directions, points
from pages._ui.state.session import shipped, usual
from pages.learn import hyperplanes
from pages.learn.hyperplanes import AT, LESSON, MOST_BITS, MOST_TABLES, SEED, chance, make

KINDS = ("srp", "wta")


@pytest.fixture(scope="module")
def data():
    return make()


def meet(data: dict, kind: str, bits: int, n_tables: int) -> np.ndarray:
    """(720, 72) who shares a bucket with each direction, as the picture reads it off the keys."""
    asked, items = (
        data[name][kind][:, :n_tables] >> MOST_BITS - bits for name in ("queries", "items")
    )
    return (asked[:, None] == items).any(axis=2)


@pytest.mark.parametrize(("bits", "n_tables"), [(1, 1), (3, 2), (8, 16), (10, 32)])
@pytest.mark.parametrize("kind", KINDS)
def test_shorter_keys_and_fewer_tables_are_those_of_an_index_of_that_size(
    data, kind, bits, n_tables
):
    key = hyperplanes.HASHES[kind][0]
    sizes = {"n_bits": bits} if kind == "srp" else {"n_permutations": bits, "prefix": 2}
    index = INDEXES[key](n_tables=n_tables, reduction=Plain(), **sizes)
    searcher = index.searcher(index.build(points(), rng_for(SEED)))
    opened = searcher.candidates(directions(), n_tables, 3)
    shared = np.zeros((720, 72), bool)
    shared[np.repeat(np.arange(720), np.diff(opened.starts)), opened.ids] = True
    np.testing.assert_array_equal(meet(data, kind, bits, n_tables), shared)
    np.testing.assert_array_equal(opened.cost, bits * n_tables + shared.sum(axis=1))


def test_a_bit_says_on_which_side_of_its_line_a_word_lies(data):
    angles = np.degrees(np.arctan2(*points().astype(np.float64).T[::-1]))
    beyond = (angles[:, None, None] - data["lines"]) % 360 < 180
    bits = data["items"]["srp"][:, :, None] >> np.arange(MOST_BITS)[::-1] & 1
    same = beyond == bits
    assert (same.all(axis=0) | (~same).all(axis=0)).all()


def test_wta_has_one_line_in_the_plane_whatever_its_bits(data):
    above = points()[:, 1] > points()[:, 0]
    for i in (0, 170, AT, 400):
        q = directions()[i]
        for bits, n_tables in ((1, 1), (3, 2), (10, 32)):
            sides = meet(data, "wta", bits, n_tables)[i]
            np.testing.assert_array_equal(sides, above == (q[1] > q[0]))


def test_three_lines_make_six_buckets(data):
    assert len(np.unique(data["queries"]["srp"][:, 0] >> MOST_BITS - 3)) == 6
    assert len(np.unique(data["queries"]["srp"][:, 0] >> MOST_BITS - 2)) == 4


def test_steps_say_who_is_cut_off_and_who_meets_again(data):
    best = [WORDS[i] for i in data["truth"][AT]]
    assert best == ["army", "team", "troops"]
    for bits, n_tables, words, found in ((1, 1, 35, 3), (2, 1, 30, 3), (3, 1, 8, 2), (3, 2, 32, 3)):
        shared = meet(data, "srp", bits, n_tables)[AT]
        assert (shared.sum(), shared[data["truth"][AT]].sum()) == (words, found)
    assert not meet(data, "srp", 3, 1)[AT, WORDS.index(data["facts"]["cut"])]
    many = meet(data, "srp", 8, 16)[AT]
    assert many[data["truth"][AT]].all()
    assert data["facts"]["few"] == many.sum() == 15
    assert data["facts"]["hashing"] == 8 * 16 > len(WORDS)


def test_the_chance_to_meet_is_charikar_s():
    """1 - (1 - (1 - θ/π)^b)^t: in 23% of cases at 30°, 8 bits, 1 table; the others follow."""
    assert chance(0, 8, 1) == 1
    assert chance(180, 8, 4) == 0
    assert chance(90, 1, 1) == pytest.approx(0.5)
    assert chance(30, 8, 1) == pytest.approx((5 / 6) ** 8)
    assert chance(30, 8, 8) == pytest.approx(1 - (1 - (5 / 6) ** 8) ** 8)


def test_the_answer_s_rates_are_the_formula_s_and_those_counted(data):
    facts = data["facts"]
    assert [facts[name] for name in ("near_1", "near_8", "far_8")] == ["23%", "88%", "7%"]
    near, far = (data["met"]["srp"][7 * MOST_TABLES + 7, i] for i in (1, 6))
    assert np.abs(data["angles"][[1, 6]] - [30, 80]).max() < 0.5
    assert facts["counted_near"] == f"{near:.0%}"
    assert facts["counted_far"] == f"{far:.0%}"
    cut = data["away"][AT][2]
    assert facts["away"] == f"{cut:.0f}" == "50"
    assert facts["meet_1"] == f"{(1 - cut / 180) ** 3:.0%}"
    assert facts["meet_2"] == f"{1 - (1 - (1 - cut / 180) ** 3) ** 2:.0%}"


def test_real_words_meet_as_often_as_counting_them_says(data):
    a, b, angles = hyperplanes.pairs()
    X = hyperplanes.drawn().astype(np.float64)
    X /= np.linalg.norm(X, axis=1)[:, None]
    apart = np.degrees(np.arccos((X[a] * X[b]).sum(axis=1)))
    np.testing.assert_allclose(np.concatenate(angles), apart, atol=0.01)
    keys = hyperplanes.tables("srp", hyperplanes.drawn(), 64).family.query_keys(hyperplanes.drawn())
    last = slice(-len(angles[-1]), None)
    for bits, n_tables in ((1, 1), (4, 5), (8, 32)):
        same = (keys[a[last]] >> MOST_BITS - bits) == (keys[b[last]] >> MOST_BITS - bits)
        groups = [same[:, t : t + n_tables].any(axis=1) for t in range(0, 65 - n_tables, n_tables)]
        met = data["met"]["srp"][(bits - 1) * MOST_TABLES + n_tables - 1, -1]
        assert met == pytest.approx(np.mean(groups))


def test_real_words_meet_about_as_often_as_the_formula_says(data):
    expected = [
        [chance(angle, bits, t) for angle in data["angles"]]
        for bits in range(1, MOST_BITS + 1)
        for t in range(1, MOST_TABLES + 1)
    ]
    assert np.abs(data["met"]["srp"] - expected).mean() < 0.02


@pytest.mark.parametrize("kind", KINDS)
def test_own_data_get_the_same_hash(kind):
    session = usual(shipped("glove-6b-50d"), "glove-6b-50d")
    LESSON.own.ask(session, {**LESSON.state, "kind": kind, "b": 5, "t": 7})
    key = hyperplanes.HASHES[kind][0]
    assert session.index == INDEXES[key](**{INDEXES[key].main_param: 5})
    assert session.effort == 7
