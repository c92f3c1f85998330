"""MATLAB files as SciPy writes them: matrices, and texts in cells or rows of characters."""

import numpy as np
import pytest

from mips_core.base.errors import DataError
from mips_core.data.readers.in_child import matlab
from tests.mips_core.data.readers.in_process import table

X = np.random.default_rng(0).normal(size=(6, 4))
WORDS = ["a", "bc", "d e", "ß", "日本", "f"]
CELLS = np.array(WORDS, object).reshape(-1, 1)


def parsed(path, **choices):
    return table(matlab.parse, path, **choices)


@pytest.mark.parametrize("dtype", ["f8", "f4", "i1", "u2", "i8", bool])
@pytest.mark.parametrize("packed", [False, True])
def test_a_matrix_comes_back_as_it_was(matlab_file, dtype, packed):
    array = (10 * X).astype(dtype)
    found = parsed(matlab_file(packed, X=array))
    np.testing.assert_array_equal(found.vectors, array)
    assert found.vectors.dtype == (np.dtype("u1") if dtype is bool else np.dtype(dtype))


@pytest.mark.parametrize("words", [CELLS, CELLS.T, np.array(WORDS)], ids=["column", "row", "char"])
def test_texts_are_labels_and_one_column_is_a_list(matlab_file, words):
    path = matlab_file(X=X, words=words, item_id=np.arange(6)[:, None])
    assert parsed(path).labels == WORDS
    assert parsed(path, label="item_id").labels == list("012345")


def test_queries_and_a_cell_without_text(matlab_file):
    cells = CELLS.copy()
    cells[2, 0] = X
    found = parsed(matlab_file(items=X, queries=X[:2], words=cells))
    np.testing.assert_array_equal(found.queries, X[:2])
    assert found.labels == ["a", "bc", "", *WORDS[3:]]


@pytest.mark.parametrize(
    ("variables", "words"),
    [
        ({"s": {"X": X}}, "“s” (1 × 1, struct)"),
        ({"X": X + 1j}, "complex numbers"),
        ({"X": X.reshape(2, 3, 4)}, "“X” (2 × 3 × 4, float64)"),
    ],
)
def test_what_is_no_matrix_is_named(matlab_file, variables, words):
    with pytest.raises(DataError) as caught:
        parsed(matlab_file(**variables))
    assert words in caught.value.found
    assert caught.value.remedy
