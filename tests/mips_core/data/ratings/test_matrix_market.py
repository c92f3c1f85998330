"""Matrix Market files: every field that ratings have, and what is wrong with them."""

import io

import numpy as np
import pytest
import scipy.io
import scipy.sparse as sp


@pytest.mark.parametrize("field", ["real", "integer", "pattern"])
def test_matrix_market(triples, field):
    X = sp.coo_matrix(np.array([[5, 0, 3], [0, 1, 2]]))
    file = io.BytesIO()
    scipy.io.mmwrite(file, X, comment="made here", field=field)
    values = [1.0] * 4 if field == "pattern" else X.data.tolist()
    expected = [(str(r + 1), str(c + 1), v) for r, c, v in zip(X.row, X.col, values, strict=True)]
    assert sorted(triples("x.mtx", file.getvalue())) == sorted(expected)


SPARSE = "%%MatrixMarket matrix coordinate real general\n"


@pytest.mark.parametrize(
    ("content", "words"),
    [
        (f"{SPARSE}9 9 200000001\n", "the limit is"),
        (f"{SPARSE}9 9 999999\n1 1 1\n", "too short for the 999,999 entries"),
        (f"{SPARSE}9 9 3\n1 1 1\n2 x\n1 2 3\n", "2 cells where 3 are expected in line 4"),
        (f"{SPARSE}9 9 2\n1 1 nan\n1 2 3\n", "“nan” as rating in line 3"),
    ],
)
def test_faults_are_named_with_their_lines(refusal, content, words):
    assert words in refusal("x.mtx", content)


def test_bad_lines_count_as_entries_where_they_are_left_out(triples):
    text = f"{SPARSE}% by hand\n9 9 3\n1 1 1\n2 2 x\n1 2 3\n"
    assert triples("x.mtx", text, skip_bad=True) == [("1", "1", 1.0), ("1", "2", 3.0)]
