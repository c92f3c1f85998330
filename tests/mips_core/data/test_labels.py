"""Finding labels: what is found, and in which order."""

from hypothesis import given
from hypothesis import strategies as st

from mips_core.data.labels import in_cell, matching, nearest, rows_named

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


def test_equal_labels_are_found_and_else_those_equal_but_for_the_case():
    texts = ["king", "King ", "KING", "strasse", "", "emperor", "the"]
    assert rows_named(LABELS, texts) == {
        **{"king": [2, 6], "King ": [4], "KING": [2, 4, 6], "strasse": [7]},
    }


def test_a_label_of_two_lines_is_found_as_it_is_shown():
    assert rows_named(["one\ntwo", "one  two", "onetwo"], ["one two"]) == {"one two": [0, 1]}
    assert rows_named(["one\ntwo", "One two"], ["One two"]) == {"One two": [1]}


@given(st.lists(st.sampled_from(["a", "A", "b ", "ab", ""]), max_size=9), st.sampled_from("aAbB"))
def test_rows_named_are_those_of_the_definition(labels, text):
    same = [i for i, label in enumerate(labels) if label.strip() == text]
    alike = [i for i, label in enumerate(labels) if label.strip().lower() == text.lower()]
    assert rows_named(labels, [text]) == ({text: same or alike} if alike else {})


def test_the_nearest_labels_are_alike_or_hold_the_text():
    assert nearest(LABELS, "kingg") == ["king", "viking", "kingdom"]
    assert set(nearest(LABELS, "ing", 5)) == {"king", "The King", "kingdom", "viking", "King"}
    assert nearest(LABELS, "qeen") == ["queen"]
    assert nearest(LABELS, "zzz") == nearest(LABELS, " ") == nearest([], "king") == []


def test_no_text_of_a_file_begins_a_formula():
    for text in (
        "=1+1",
        "+cmd|' /C calc'!A0",
        "-1+1",
        "@SUM(A1)",
        "\t=1",
        "\r=1",
        "\n=1",
        "＝1",
        "-",
    ):
        assert in_cell(text) == f"'{text}"
    for text in ("", "a=b", "'=1", "-1.5", "+3e8", "<b>", "1-1", " a"):
        assert in_cell(text) == text
