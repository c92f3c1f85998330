"""Names of groups: told apart, and made of typical words where labels are texts."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from mips_core.groups.clusters import naming
from mips_core.groups.clusters.naming import Namer, Texts, are_texts, told_apart


@given(st.lists(st.sampled_from(["", "a", "a, 2", "b", "a, 2, 2", "a, 3"]), max_size=12))
def test_names_are_told_apart(names):
    found = told_apart(names)
    shown = [name for name in found if name]
    assert len(set(shown)) == len(shown)
    for at, (name, new) in enumerate(zip(names, found, strict=True)):
        assert new == name if name not in names[:at] else new.startswith(name)
        assert bool(new) == bool(name)


def sentences(count=60):
    """Two topics in turns, around words that both share."""
    rng = np.random.default_rng(0)
    topics = [["river", "flood", "bridge"], ["goal", "league", "coach"]]
    found = []
    for row in range(count):
        own = rng.permutation(topics[row % 2])[:2]
        found.append(f"It was said that the {own[0].upper()} and the {own[1]} were seen {row}.")
    return found


def test_typical_words_tell_texts_apart():
    labels = sentences()
    of = np.arange(60) % 2
    assert are_texts(labels)
    names = Namer(labels).names(of, np.array([30, 30]), np.array([[0], [1]]), "cluster")
    assert set(names[0].split(", ")) == {"river", "flood", "bridge"}
    assert set(names[1].split(", ")) == {"goal", "league", "coach"}


def test_where_no_word_is_typical_the_central_text_names_the_group():
    labels = sentences()
    sizes, central = np.array([60, 0]), np.array([[4], [-1]])
    names = Namer(labels).names(np.zeros(60, int), sizes, central, "cluster")
    assert names == (labels[4], "")


@pytest.mark.parametrize(
    ("labels", "name"),
    [
        (["sun", "moon", "star"], "sun, moon, star"),
        (["sun", "sun", " "], "sun"),
        ([" ", "moon", "star"], "moon, star"),
        (["Forbidden Planet (1956)", "Kika (1993)", "Up"], "Forbidden Planet (1956), Up"),
        (["a label beyond what fits on maps", "b", "c"], "a label beyond what fits on maps"),
    ],
)
def test_as_many_central_labels_name_a_group_as_fit(labels, name):
    names = Namer(labels).names(np.zeros(3, int), np.array([3]), np.array([[0, 1, 2]]), "cluster")
    assert names == (name,)


@pytest.mark.parametrize(
    ("sizes", "hubs"),
    [([60, *[4] * 10], [0]), ([50, 50], []), ([19, *[9] * 9], []), ([0, 60, *[4] * 10], [1])],
)
def test_a_group_of_everything_is_named_by_no_item(sizes, hubs):
    central = np.arange(len(sizes))[:, None]
    labels = [f"word {group}" for group in range(len(sizes))]
    names = Namer(labels).names(np.arange(len(sizes)), np.array(sizes), central, "cluster")
    assert [g for g, name in enumerate(names) if name.startswith("cluster ")] == hubs
    assert all(names[g] == f"cluster {g}, {60 / sum(sizes):.0%} of all" for g in hubs)


def test_the_words_come_by_what_they_tell(monkeypatch):
    rows = [(0, "alpha beta"), (0, "alpha beta"), (0, "alpha"), (1, "beta gamma"), (1, "gamma")]
    of = np.array([group for group, _ in rows])
    found = Texts([text for _, text in rows]).typical_words(of, 3)
    # p log(p / r): alpha 1 log(1 / 0.6), beta 2/3 log(2/3 / 0.6); beta is rarer in the second
    assert found == ["alpha, beta", "gamma", ""]
    monkeypatch.setattr(naming, "MOST_WORDS", 1)
    assert Texts([text for _, text in rows]).typical_words(of, 2) == ["alpha", "gamma"]


def test_words_are_counted_in_some_of_very_many_texts(monkeypatch):
    monkeypatch.setattr(naming, "MOST_TEXTS", 31)
    found = Texts(sentences())
    assert len(found.rows) == 31
    words = found.typical_words(np.arange(60) % 2, 2)
    assert "river" in words[0]
    assert "goal" in words[1]


@pytest.mark.parametrize(
    ("label", "expected"),
    [
        ("music", False),
        ("The Empire Strikes Back (1980)", False),
        ("", False),
        ("12 34 56 78 90 12 34", False),
        ("A comedy about two friends who lose a dog.", True),
    ],
)
def test_titles_are_no_texts(label, expected):
    assert are_texts([label] * 5) is expected


def test_hostile_texts_stay_text():
    labels = [f"<script>alert('x')</script> seen by more people than ever {row}" for row in (1, 2)]
    names = Namer(labels).names(np.array([0, 1]), np.array([1, 1]), np.array([[0], [1]]), "cluster")
    assert names == tuple(labels)
