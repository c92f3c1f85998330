"""Names of columns: what they say, how they are chosen and shown."""

import pytest

from mips_core.data.readers.names import (
    choosable,
    decode,
    examples,
    is_id,
    is_label,
    plain,
    quoted,
    shortened,
    tidy,
)


def test_a_column_goes_by_its_name_or_by_its_number_where_that_is_not_enough():
    assert choosable(["a", "", "b", "a"]) == ("1", "2", "b", "4")
    assert choosable([]) == ()


@pytest.mark.parametrize(
    ("name", "same"), [("userId", "user_id"), (" Item-Name ", "item_name"), ("x.y z", "x_y_z")]
)
def test_names_are_compared_in_one_form(name, same):
    assert plain(name) == same


def test_ids_and_labels_are_told_by_their_names():
    assert all(map(is_id, ["id", "Product_ID", "", "Unnamed: 0", "title", "row"]))
    assert not any(map(is_id, ["x1", "dim_3", "price"]))
    assert all(map(is_label, ["title", "movie_title", "Name"]))
    assert not any(map(is_label, ["id", "x1"]))


def test_what_is_long_or_many_is_cut():
    assert shortened("x" * 41) == "x" * 39 + "…"
    assert quoted("abcdefgh", most=2) == "“a”, “b” and 6 more"
    assert examples(["a", "b", "c", "d"], more=True) == "a, b, c …"
    assert examples(["a" * 25], more=False) == "a" * 23 + "…"


def test_bytes_that_are_no_utf8_are_counted_with_their_rows():
    words, notes = decode([b"a", b"\xff", "\ufffd".encode()])
    assert words == ["a", "\ufffd", "\ufffd"]
    assert notes[0].startswith("1 label is not UTF-8 (row 1);")


def test_blank_and_repeated_labels_are_noted():
    labels, notes = tidy(["a", " ", "a", ""])
    assert labels == ["a", "␠", "a", "␠"]
    assert notes == [
        "2 blank labels are shown as ␠.",
        "1 label is repeated: “a”. All rows are kept.",
    ]
