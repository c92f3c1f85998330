"""Finding labels: what is found, and in which order."""

from hypothesis import given
from hypothesis import strategies as st

from mips_core.labels import matching

LABELS = ["The King", "kingdom", "king", "viking", "King", "queen", " king ", "STRASSE", ""]


def test_the_nearest_comes_first():
    assert matching(LABELS, "king") == [2, 6, 4, 1, 0, 3]
    assert matching(LABELS, "King") == [4, 2, 6, 1, 0, 3]
    assert matching(LABELS, "straße") == [7]


def test_nothing_matches_nothing():
    assert matching(LABELS, "") == matching(LABELS, "  ") == []
    assert matching([], "king") == []
    assert matching(LABELS, "emperor") == []


@given(st.lists(st.text("abAB .*[", max_size=5), max_size=30), st.text("abAB .*[", max_size=3))
def test_found_are_exactly_the_labels_that_hold_the_text(labels, text):
    wanted = text.strip().lower()
    expected = [i for i, label in enumerate(labels) if wanted and wanted in label.lower()]
    assert sorted(matching(labels, text)) == expected
