"""CSV and TSV: every layout gives the same vectors, every fault is named with its place."""

import base64
import csv
import io

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from mips_core.base import limits
from mips_core.base.errors import Cancelled, DataError
from mips_core.data.readers import read
from mips_core.data.readers.choices import NONE, UnsettledError
from mips_core.data.readers.csv import reader
from mips_core.data.readers.csv import rows as table_rows
from mips_core.data.readers.text import lines
from mips_core.data.readers.text.numbers import matrix_of_cells
from tests.mips_core.data.readers.tables import read_table

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
    monkeypatch.setattr(reader, "read_well_formed", lambda *given: None)
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


@pytest.fixture
def table_of(tmp_path):
    def table_of(content, **choices):
        return read_table(tmp_path, "t.csv", content, **choices)

    return table_of


FILMS = frame(id=range(501, 507), title=TITLES).assign(genre=list("ababab")).to_csv(index=False)


@pytest.mark.parametrize(
    ("label", "labels"),
    [("genre", list("ababab")), ("id", [str(i) for i in range(501, 507)]), (NONE, None)],
)
def test_labels_are_chosen_by_the_name_of_their_column(table_of, label, labels):
    found = table_of(FILMS, label=label)
    np.testing.assert_allclose(found.vectors, X, rtol=1e-5)
    assert found.labels == labels
    assert [offer.name for offer in found.offers.labels] == ["id", "title", "genre"]
    assert found.offers.labels[2].about == "a, b, a …"
    assert found.offers.label == ("" if label == NONE else label)
    assert found.offers.header is True


def test_a_column_without_a_name_is_chosen_by_its_number(table_of):
    found = table_of(text("", PLAIN, list("654321"), *NUMBERS), label="2")
    assert found.labels == list("654321")
    assert found.vectors.shape == (6, 4)
    counted = text("", list("654321"), *NUMBERS)
    assert table_of(counted).labels == list("654321")
    assert table_of(counted, label=NONE).vectors.shape == (6, 5)
    assert table_of(text("0,1,2,3,4", list("654321"), *NUMBERS), label="0").labels[0] == "6"


@pytest.mark.parametrize("choice", [{"label": "nothing"}, {"array": "nothing"}])
def test_a_choice_that_is_not_there_is_refused(table_of, choice):
    with pytest.raises(DataError, match="nothing"):
        table_of(FILMS, **choice)


def test_a_column_of_lists_is_chosen(table_of):
    content = text("word;p;q", PLAIN, LISTS, LISTS[::-1], sep=";")
    with pytest.raises(UnsettledError) as caught:
        table_of(content)
    offers = caught.value.offers.arrays
    assert [(offer.name, offer.about) for offer in offers] == [
        ("p", "lists of 4 numbers"),
        ("q", "lists of 4 numbers"),
    ]
    found = table_of(content, array="p")
    np.testing.assert_allclose(found.vectors, X, rtol=1e-5)
    assert (found.labels, found.offers.array) == (PLAIN, "p")


def test_the_header_is_as_a_person_says(table_of):
    content = text("1,2,4,8", *NUMBERS)
    assert table_of(content).vectors.shape == (7, 4)
    found = table_of(content, header="names")
    assert found.vectors.shape == (6, 4)
    assert found.offers.header is True
    assert table_of(text("0,1,2,3", *NUMBERS), header="data").vectors.shape == (7, 4)
    with pytest.raises(UnsettledError, match="line 1, column 1, holds “a”"):
        table_of(text("a,b,c,d", *NUMBERS), header="data")


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


@pytest.mark.parametrize("cells", [["[1],[2]", "[3", "4]"], ["[[1]", "[2]]"], ["[1, true]"],
                                   ["[[1, 2]]"], ["[1, 2], 3"]])  # fmt: skip
def test_lists_that_only_look_right_together_are_none(cells):
    assert matrix_of_cells(cells, 1) is None
    assert matrix_of_cells(cells, 2) is None


def test_an_endless_line_is_refused(table_of, monkeypatch):
    monkeypatch.setattr(lines, "LINE_BYTES", 1000)
    monkeypatch.setattr(lines, "BLOCK", 256)
    with pytest.raises(DataError, match="line 502 is longer"):
        table_of("1,2\n" * 501 + "1," * 600)


def test_reading_can_be_stopped(tmp_path):
    def stop(share, message, partial=None):
        raise Cancelled

    for content in (FILMS, text("word;v", PLAIN * 400, LISTS * 400, sep=";")):
        with pytest.raises(Cancelled):
            read_table(tmp_path, "t.csv", content, progress=stop)


def test_a_price_beside_numbered_coordinates_is_left_out(table_of):
    found = table_of(frame(price=[f"${i}.50" for i in range(6)], word=PLAIN).to_csv(index=False))
    assert found.labels == PLAIN
    assert "Column left out: “price”." in found.notes


@pytest.mark.parametrize("heading", ["# made by a tool\n", "My vectors\n", "# a\n\n# b\n"])
@pytest.mark.parametrize("header", ["", "a,b,c,d"])
def test_a_heading_before_the_table_is_noted(table_of, heading, header):
    found = table_of(heading + text(header, *NUMBERS))
    np.testing.assert_allclose(found.vectors, X, rtol=1e-5)
    assert found.offers.header == bool(header)
    assert "taken as a heading" in found.notes[0]


def test_the_header_of_savetxt_names_columns(tmp_path, table_of):
    np.savetxt(tmp_path / "x.csv", X, delimiter=",", header="a,b,c,id")
    found = table_of((tmp_path / "x.csv").read_bytes())
    np.testing.assert_allclose(found.vectors, X[:, :3], rtol=1e-6)
    assert [offer.name for offer in found.offers.labels] == ["id"]
    assert table_of((tmp_path / "x.csv").read_bytes(), label="a").vectors.shape == (6, 2)


def test_labels_are_bounded(table_of, monkeypatch):
    monkeypatch.setattr(limits, "MAX_LABELS", 3)
    with pytest.raises(DataError, match="the limit is 3"):
        table_of(FILMS)


@pytest.mark.parametrize(
    "form",
    ["[{}]", "[[{}]]", "array([{}])", "tensor([{}], device='cuda:0')", "{{{}}}", "{}"],
)
@pytest.mark.parametrize("between", [", ", " ", ";", "|"])
def test_lists_in_cells_are_told_however_they_are_written(load, form, between):
    cells = [form.format(between.join(row)) for row in zip(*NUMBERS, strict=True)]
    written = pd.DataFrame({"word": PLAIN, "embedding": cells}).to_csv(index=False)
    check(load("x.csv", written), PLAIN)


@pytest.mark.parametrize("name", ["tuples.txt", "tuples.csv"])
def test_lines_that_are_tuples_are_not_cut_at_their_commas(load, name):
    rows = X.astype(float).round(4).tolist()
    check(load(name, "\n".join(str(tuple(row)) for row in rows) + "\n"))


@pytest.mark.parametrize("wrap", ["np.float32({})", "np.float64({})", "tensor({})"])
def test_lists_of_numbers_with_their_type(load, wrap):
    cells = [f"[{', '.join(map(wrap.format, row))}]" for row in zip(*NUMBERS, strict=True)]
    check(load("x.csv", pd.DataFrame({"word": PLAIN, "v": cells}).to_csv(index=False)), PLAIN)


@pytest.mark.parametrize(
    ("cells", "words"),
    [
        ([f"[{row}, {row}]" for row in LISTS], "several lists a cell"),
        ([base64.b64encode(row.tobytes()).decode() for row in X], "base64"),
        ([repr(row.tobytes()) for row in X], "raw bytes"),
        ([f"{row[0]:.3f}+{abs(row[1]):.3f}j" for row in X], "complex numbers"),
        (["1,234.5"] * 6, "thousands"),
        (["12 %"] * 6, "percent"),
    ],
    ids=["lists", "base64", "bytes", "complex", "thousands", "percent"],
)
@pytest.mark.parametrize("index", [True, False])
def test_what_is_no_vector_is_named(refusal, cells, words, index):
    frame = pd.DataFrame({"word": PLAIN, "embedding": cells})
    found = refusal("x.csv", frame.to_csv(index=index))
    assert words in found
    assert "embedding" in found or "column" in found


def test_thousands_with_points_between_semicolons_are_not_cut_at_the_commas(refusal):
    assert "“1.234,5”" in refusal("x.csv", "a;b\n" + "1.234,5;2.345,6\n" * 4)


@pytest.mark.parametrize("sign", [",", ";"])
def test_the_line_that_tells_excel_the_separator(load, sign):
    written = f"sep={sign}\n" + text(sign.join("abcd"), *NUMBERS, sep=sign)
    check(load("x.csv", written))


def test_comments_in_a_table(load):
    lines = text("a,b,c,d", *NUMBERS).splitlines()
    written = "\n".join(["# made 2020, n=6, d=4, by us", *lines[:3], "# second part", *lines[3:]])
    data = check(load("x.csv", written))
    assert any("1 comment line was left out: line 5." in note for note in data.notes)
    assert any("heading" in note for note in data.notes)


def test_names_of_columns_again_are_named_so(refusal):
    written = text("a,b,c,d", *NUMBERS) * 2
    assert "line 8, column “a”, holds the names of the columns again" in refusal("x.csv", written)


@pytest.mark.parametrize(("encoding", "name"), [("cp1252", "Windows-1252"), ("latin-1", "Latin-1")])
def test_text_of_older_programs(load, encoding, name):
    words = ["“é”" if encoding == "cp1252" else "é", "ñ", *PLAIN[2:]]
    written = frame(größe=words).to_csv(index=False).encode(encoding)
    data = check(load("x.csv", written), words)
    assert f"x.csv is not UTF-8; it is read as {name}." in " ".join(data.notes)
    assert "“größe”" in " ".join(data.notes)


@pytest.mark.parametrize("corner", ["idx", "id", ""])
def test_an_index_beside_columns_named_by_numbers(load, corner):
    check(load("x.csv", pd.DataFrame(X).to_csv(index_label=corner)), list("012345"))


def test_fewer_names_than_columns_are_refused_where_rows_have_no_names(refusal):
    assert "3 columns in its header, the rows have 4 cells" in refusal(
        "x.csv", text("a,b,c", *NUMBERS)
    )


def test_a_very_wide_table(load):
    wide = np.random.default_rng(0).normal(size=(4, 20_000)).round(2)
    file = io.StringIO()
    np.savetxt(file, wide, fmt="%.2f", delimiter=",")
    np.testing.assert_allclose(load("x.csv", file.getvalue()).items, wide, rtol=1e-6)


@pytest.mark.parametrize("sign", [",", " "])
def test_more_columns_than_text_may_have_are_refused(refusal, monkeypatch, sign):
    monkeypatch.setattr("mips_core.data.readers.names.MAX_TABLE_COLUMNS", 200)
    rows = "\n".join(sign.join(["0.5"] * 201) for _ in range(3))
    assert "201 columns; the limit for text is 200" in refusal("wide.txt", rows.encode())
