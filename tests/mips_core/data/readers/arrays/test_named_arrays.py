"""Names of arrays in the spellings of several programs, and what is said of shapes and dtypes."""

import numpy as np
import pytest

from mips_core.data.readers.arrays.named_arrays import (
    TEXT,
    NamedArray,
    as_lists,
    first_called,
    is_called,
    is_one_of,
    parent,
    shown,
)

F4 = np.dtype("f4")


@pytest.mark.parametrize(
    ("name", "word", "called"),
    [
        ("embeddings", "embedding", True),
        ("embedding", "embeddings", True),
        ("model/layer/kernel:0", "kernel", True),
        ("fc.weight", "weight", True),
        ("user_embedding.weight", "user_embedding", True),
        ("user_embedding.weight", "weight", False),
        ("attention.query.weight", "query", False),
        ("itemFactors", "item_factors", True),
        ("kernel_2", "kernel", False),
    ],
)
def test_a_name_or_its_last_part_is_a_word(name, word, called):
    assert is_called(name, word) == called
    assert is_one_of(name, ("other", word)) == called


def test_the_first_word_that_any_is_called_by_counts():
    names = ["a.queries", "items", "b.query"]
    assert first_called(names, ("vector", "query", "item")) == ["b.query"]
    assert first_called(names, ("item", "query")) == ["items"]
    assert first_called(names, ("bias",)) == []


def test_the_module_of_an_array_comes_before_its_last_part():
    assert [parent(name) for name in ("a.fc.weight", "fc/kernel:0", "W")] == ["a/fc", "fc", ""]


def test_long_names_are_cut_where_they_are_shown():
    assert shown("W") == "“W”"
    assert len(shown("w" * 500)) < 100


@pytest.mark.parametrize(
    ("array", "about"),
    [
        (NamedArray((2000, 9), F4), "2,000 × 9, float32"),
        (NamedArray((), F4), "a single value, float32"),
        (NamedArray((6,), np.dtype("U5")), "6, text"),
        (NamedArray((6, 2), F4, "bfloat16"), "6 × 2, bfloat16"),
        (NamedArray((1,) * 9, F4), "1 × 1 × 1 × 1 × 1 × 1 × 1 × 1 × …, float32"),
    ],
)
def test_an_array_is_described_by_its_shape_and_kind(array, about):
    assert array.about == about


@pytest.mark.parametrize(
    ("array", "is_table", "is_text"),
    [
        (NamedArray((3, 2), F4), True, False),
        (NamedArray((3, 2), np.dtype(bool)), True, False),
        (NamedArray((3, 0), F4), False, False),
        (NamedArray((3,), F4), False, False),
        (NamedArray((3, 2), np.dtype("c8")), False, False),
        (NamedArray((3, 2), np.dtype("S2")), False, True),
        (NamedArray((3,), np.dtype("O"), TEXT), False, True),
        (NamedArray((3,), np.dtype("O"), "lists"), False, False),
    ],
)
def test_tables_hold_real_numbers_and_texts_words(array, is_table, is_text):
    assert (array.is_table, array.is_text) == (is_table, is_text)


def test_beside_a_table_one_row_or_column_is_a_list():
    assert as_lists({"x": (6, 4), "ids": (6, 1), "b": (1, 4), "cube": (1, 2, 3)}) == {
        "x": (6, 4), "ids": (6,), "b": (4,), "cube": (1, 2, 3)
    }  # fmt: skip
    assert as_lists({"x": (6, 1), "y": (1, 1)}) == {"x": (6, 1), "y": (1, 1)}
