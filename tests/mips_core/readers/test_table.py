"""CSV and TSV: every layout gives the same vectors, every fault is named with its place."""

import csv
import io

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from mips_core import limits
from mips_core.errors import DataError
from mips_core.readers import read, table

X = np.random.default_rng(0).normal(size=(6, 4)).round(4).astype(np.float32)
TITLES = ["Amber, vol. 1", "b", "Señor", 'say "hi"', "nan", "6"]
PLAIN = ["amber", "brook", "cedar", "delta", "ember", "fjord"]


def frame(**first):
    return pd.DataFrame({**first, **{f"f{j}": X[:, j] for j in range(4)}})


def text(header, *columns, sep=",", end="\n"):
    """A table made of columns of text; `header` may be ""."""
    lines = [sep.join(row) for row in zip(*columns, strict=True)]
    return end.join([*([header] if header else []), *lines]) + end


NUMBERS = [[f"{v:.4f}" for v in column] for column in X.T]
COMMAS = [[cell.replace(".", ",") for cell in column] for column in NUMBERS]
LISTS = [str(row.tolist()) for row in X.astype(float).round(4)]


def check(data, labels=None):
    np.testing.assert_allclose(data.items, X, rtol=1e-5)
    assert data.labels == labels
    return data


@pytest.mark.parametrize(
    ("content", "labels"),
    [
        (text("", *NUMBERS), None),
        (text("a,b,c,d", *NUMBERS), None),
        (text("0,1,2,3", *NUMBERS), None),
        (text("a, b, c, d", *NUMBERS, sep=", "), None),
        (text("", *NUMBERS, sep="\t", end="\t\n") + "\n\n", None),
        (text("a,b,c,d,", *NUMBERS, end=",\n") + ",,,,\n", None),
        (text("id|a|b|c|d", PLAIN, *NUMBERS, sep="|"), PLAIN),
        ("\ufeff" + text("word;a;b;c;d", PLAIN, *COMMAS, sep=";", end="\r\n"), PLAIN),
        (text("", *COMMAS, sep=";"), None),
        (text("", PLAIN, *NUMBERS, sep="\t"), PLAIN),
        (text("", ['"', "'", "NA", "#", "a b", '"x'], *NUMBERS, sep="\t"),
         ['"', "'", "NA", "#", "a b", '"x']),
        (text('"V1","V2","V3","V4"', [f'"{w}"' for w in PLAIN], *NUMBERS), PLAIN),
        (text("", list("654321"), *NUMBERS), list("654321")),
        (text("item_id,price,dim_0,dim_1,dim_2,dim_3", list("123456"), list("987654"), *NUMBERS),
         list("123456")),
        (text("word\tvector", PLAIN, LISTS, sep="\t"), PLAIN),
        (text("word,vector", PLAIN, [f'"{v}"' for v in LISTS]), PLAIN),
        (text("word,vector", PLAIN, [f'"array({v}, dtype=float32)"' for v in LISTS]), PLAIN),
        (text("word,vector", PLAIN, [f'"{v}"'.replace(",", "\n") for v in LISTS]), PLAIN),
        (text("", LISTS), None),
    ],
)  # fmt: skip
def test_every_layout_gives_the_same(load, content, labels):
    check(load("table.csv", content), labels)


def test_pandas_default_index_is_no_coordinate(load):
    data = check(load("p.csv", pd.DataFrame(X).to_csv()), list("012345"))
    assert data.notes == ("Column 1, which has no name, is taken as labels.",)


def test_id_title_and_genre_are_no_coordinates(load):
    content = (
        frame(id=range(501, 507), title=TITLES).assign(genre=list("ababab")).to_csv(index=False)
    )
    data = check(load("p.csv", content), TITLES)
    assert "Column 2, “title”, is taken as labels." in data.notes
    assert "Columns left out: “id”, “genre”." in data.notes


@given(
    st.lists(
        st.text(st.characters(exclude_categories=["C"], exclude_characters="\u2028\u2029")),
        min_size=6,
        max_size=6,
        unique=True,
    ),
    st.sampled_from([csv.QUOTE_MINIMAL, csv.QUOTE_ALL, csv.QUOTE_NONNUMERIC]),
    st.sampled_from(",;\t"),
)
def test_any_labels_come_back(tmp_path_factory, labels, quoting, sep):
    labels = ["a b", *(f"w{label}".strip() for label in labels[1:])]
    file = io.StringIO()
    writer = csv.writer(file, delimiter=sep, quoting=quoting, lineterminator="\n")
    writer.writerow(["title", "a", "b", "c", "d"])
    writer.writerows([label, *map(float, row)] for label, row in zip(labels, X, strict=True))
    path = tmp_path_factory.mktemp("csv") / "t.csv"
    path.write_text(file.getvalue(), encoding="utf-8", newline="")
    check(read(path), labels)


def test_both_ways_of_reading_agree(load, monkeypatch):
    content = frame(title=TITLES).to_csv(index=False)
    fast = load("t.csv", content)
    monkeypatch.setattr(table, "read_well_formed", lambda *given: None)
    slow = load("t.csv", content)
    np.testing.assert_array_equal(fast.items, slow.items)
    assert (fast.labels, fast.notes) == (slow.labels, slow.notes)


@pytest.mark.parametrize("encoding", ["utf-16", "latin-1"])
def test_other_encodings_are_read(load, encoding):
    data = check(load("t.csv", frame(title=TITLES).to_csv(index=False).encode(encoding)), TITLES)
    assert any("Latin-1" in note for note in data.notes) == (encoding == "latin-1")


HEADED = text("a,b,c,d", *NUMBERS).splitlines()


def faulty(line, row):
    """The table with the line (from 1) replaced."""
    return "\n".join([*HEADED[: line - 1], row, *HEADED[line:]])


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
        ("1,2,3\n", ["one vector only"]),
        ("a,b\n0,0\n0,0\n", ["all rows are zero"]),
        ('id,v\na,"[0.1 0.2 ... 0.9]"\nb,"[0.1 0.2 ... 0.9]"\n', ["line 2", "shortened"]),
        ('id,v\na,"[1, 2, 3]"\nb,"[1, 2]"\n', ["line 3", "2 numbers", "have 3"]),
        ('id,v\na,"[1, 2, 3]"\nb,"[1, nan, 3]"\n', ["line 3", "not finite"]),
        ('id,v\na,"[1, 2]"\nb,\n', ["empty cell in line 3"]),
        ('v,w\n"[1, 2]","[1, 2]"\n"[1, 2]","[1, 2]"\n', ["2 columns of vectors", "“v”, “w”"]),
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


def test_too_many_numbers_are_refused(refusal, monkeypatch):
    monkeypatch.setattr(limits, "MAX_VALUES", 20)
    assert "limit is 20" in refusal("many.csv", "\n".join(HEADED))


@pytest.mark.parametrize(
    ("content", "words"),
    [("a,b\n1,2\n3\n", "line 3 has 1 cell"), ("1,2,3\n4,5\n6,7,8\n", "line 2 has 2 cells")],
)
def test_a_short_row_among_few_is_the_one_named(tmp_path, content, words):
    path = tmp_path / "few.csv"
    path.write_text(content)
    with pytest.raises(DataError, match=words):
        read(path)
