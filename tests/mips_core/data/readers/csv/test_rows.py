"""Tables read row by row: the line and column of every fault."""

import numpy as np
import pytest

from mips_core.base.errors import DataError
from mips_core.data.readers import read
from mips_core.data.readers.choices import UnsettledError
from mips_core.data.readers.csv import rows as table_rows
from tests.mips_core.data.readers.csv.written import LISTS, NUMBERS, PLAIN, X, check, faulty, text


@pytest.mark.parametrize(
    ("content", "words"),
    [
        (faulty(4, "1,2,3"), ["line 4 has 3 cells", "have 4"]),
        (faulty(4, "Amber, vol. 1,1,2,3,4"), ["line 4 has 6 cells", "quotes"]),
        (faulty(4, "1,,3,4"), ["empty cell in line 4, column “b”"]),
        (faulty(2, ",2,3,4"), ["empty cell in line 2, column “a”"]),
        (faulty(5, "1,2,#N/A,4"), ["“#N/A” in line 5, column “c”"]),
        (faulty(5, "1,2,3,-inf"), ["“-inf” in line 5, column “d”", "finite"]),
        (faulty(5, "1,2,3,1e99"), ["“1e99” in line 5"]),
        (faulty(5, "1,2,3,x"), ["line 5, column “d”", "“x”"]),
        ("id,a,b\n\"x,1,2\ny,3,4\n", ["line 2", "quote"]),
        ("a,b,c\n", ["no rows"]),
        ("a,b\nx,y\nz,w\n", ["no column of numbers"]),
        ("a,b\n0,0\n0,0\n", ["all rows are zero"]),
        ('id,v\na,"[0.1 0.2 ... 0.9]"\nb,"[0.1 0.2 ... 0.9]"\n', ["line 2", "shortened"]),
        ('id,v\na,"[1, 2, 3]"\nb,"[1, 2]"\n', ["line 3", "2 numbers", "have 3"]),
        ('id,v\na,"[1, 2, 3]"\nb,"[1, nan, 3]"\n', ["line 3", "not finite"]),
        ('id,v\na,"[1, 2]"\nb,\n', ["empty cell in line 3"]),
        ('id,v\na,"[1, 2]"\nb,x\nc,"[3, 4]"\n', ["line 3, column 2, holds “x” where a list"]),
        ('id,v\na,"[1, 2]"\nb,"[1, 1_0]"\nc,"[3, 4]"\n', ["line 3, column 2, holds “[1, 1_0]”"]),
        ("a,b\n1,2%\n4,5\n7,1_0\n7,1\n8,9\n", ["line 2, column “b”, holds “2%”", "1 more row"]),
        ("a,b,c\n1,2%,3\n4,5%,6\n7,1,2\n", ["column 2 holds “2%”"]),
        ('a,b\n1,"1,234,567"\n2,3\n4,5\n', ["line 2, column “b”, holds “1,234,567”"]),
        ("1,2,$5\n3,4,$6\n", ["column 3 holds “$5”"]),
        ("x0,x1,x2\n1,12 %,3\n4,5 %,6\n", ["column 2 holds “12 %”"]),
        ('a,b\n"1,234","5,678"\n"2,345","6,789"\n', ["“1,234”, which may be 1.234 or 1234"]),
        ('p,q\n"[1, 2]","[1, 2]"\n"[1, 2]","[1, 2]"\n', ["2 columns of vectors", "“p”, “q”"]),
    ],
)  # fmt: skip
def test_faults_are_named_with_their_place(refusal, content, words):
    found = refusal("bad.csv", content)
    assert [word for word in words if word not in found] == []


def test_lines_are_counted_as_an_editor_counts_them(refusal):
    content = 'id,a,b\n"two\nlines",1,2\n\nx,1,2\ny,1,\n'
    assert "an empty cell in line 6, column “b”" in refusal("bad.csv", content)


def test_several_places_are_listed(refusal):
    content = faulty(3, "1,,3,4") + "\n1,2,nan,4\n"
    found = refusal("bad.csv", content)
    assert "2 rows" in found
    assert "line 3" in found
    assert "line 8" in found


@pytest.mark.parametrize(
    ("content", "words"),
    [("a,b\n1,2\n3\n", "line 3 has 1 cell"), ("1,2,3\n4,5\n6,7,8\n", "line 2 has 2 cells")],
)
def test_a_short_row_among_few_is_the_one_named(tmp_path, content, words):
    path = tmp_path / "few.csv"
    path.write_text(content)
    with pytest.raises(DataError, match=words):
        read(path)


@pytest.mark.parametrize(
    ("row", "words"),
    [
        ("1,2,3", "line 4 has 3 cells, the others have 4"),
        ("1,2,3,4,5", "line 4 has 5 cells"),
        ("1,,3,4", "an empty cell in line 4, column “b”"),
        ("1,2,NaN,4", "“NaN” in line 4, column “c”"),
        ("1,2,x,4", "line 4, column “c”, holds “x” where a number is needed"),
        ("1,2,3,1e40", "“1e40” in line 4"),
    ],
)
def test_bad_rows_are_left_out_if_asked(table_of, row, words):
    content = faulty(4, row)
    with pytest.raises(UnsettledError) as caught:
        table_of(content)
    assert words in caught.value.found
    assert caught.value.offers.bad_rows == 1
    found = table_of(content, skip_bad=True)
    np.testing.assert_allclose(found.vectors, np.delete(X, 2, axis=0), rtol=1e-5)
    assert found.notes[-1] == f"1 row was left out: {found.notes[-1][20:]}"
    assert words in found.notes[-1]
    assert found.offers.bad_rows == 1


def test_labels_of_rows_left_out_are_left_out(table_of):
    content = text("word;v", PLAIN, [LISTS[0], "", "[1, 2]", "[1, 2, nan, 4]", "x", LISTS[5]],
                   sep=";")  # fmt: skip
    found = table_of(content, skip_bad=True)
    assert found.labels == ["amber", "fjord"]
    np.testing.assert_allclose(found.vectors, X[[0, 5]], rtol=1e-5)
    assert found.offers.bad_rows == 4


def test_a_table_of_bad_rows_alone_is_refused(table_of):
    content = "a,b\n" + "1,1e99\n" * 7
    for choices in ({}, {"skip_bad": True}):
        with pytest.raises(DataError, match="7 rows hold a missing") as caught:
            table_of(content, **choices)
        assert not isinstance(caught.value, UnsettledError)


def test_lists_are_read_alike_in_batches_and_alone(table_of, monkeypatch):
    cells = ["[1, 2.5]", "[ -1e-3,2 ]", "[3 4]", "(5, 6)", "array([7., .8])", "[+9, 1]"]
    content = "v\n" + "".join(f'"{cell}"\n' for cell in cells)
    alone = table_of(content).vectors
    expected = np.array([[1, 2.5], [-1e-3, 2], [3, 4], [5, 6], [7, 0.8], [9, 1]], np.float32)
    np.testing.assert_array_equal(alone, expected)
    monkeypatch.setattr(table_rows, "BATCH_ROWS", 1)
    np.testing.assert_array_equal(table_of(content).vectors, alone)


def test_comments_in_a_table(load):
    lines = text("a,b,c,d", *NUMBERS).splitlines()
    written = "\n".join(["# made 2020, n=6, d=4, by us", *lines[:3], "# second part", *lines[3:]])
    data = check(load("x.csv", written))
    assert any("1 comment line was left out: line 5." in note for note in data.notes)
    assert any("heading" in note for note in data.notes)


def test_names_of_columns_again_are_named_so(refusal):
    written = text("a,b,c,d", *NUMBERS) * 2
    assert "line 8, column “a”, holds the names of the columns again" in refusal("x.csv", written)
