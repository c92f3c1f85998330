"""CSV and TSV: every layout gives the same vectors, every fault is named with its place."""

import csv
import io

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mips_core.base import limits
from mips_core.base.errors import Cancelled, DataError
from mips_core.data.readers import read
from mips_core.data.readers.text import lines
from tests.mips_core.data.readers.csv.written import (
    COMMAS,
    FILMS,
    HEADED,
    LISTS,
    NUMBERS,
    PLAIN,
    TITLES,
    X,
    check,
    frame,
    text,
)
from tests.mips_core.data.readers.tables import read_table


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


@pytest.mark.parametrize("encoding", ["utf-16", "latin-1"])
def test_other_encodings_are_read(load, encoding):
    data = check(load("t.csv", frame(title=TITLES).to_csv(index=False).encode(encoding)), TITLES)
    assert any("Latin-1" in note for note in data.notes) == (encoding == "latin-1")


def test_too_many_numbers_are_refused(refusal, monkeypatch):
    monkeypatch.setattr(limits, "MAX_VALUES", 20)
    assert "limit is 20" in refusal("many.csv", "\n".join(HEADED))


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


def test_labels_are_bounded(table_of, monkeypatch):
    monkeypatch.setattr(limits, "MAX_LABELS", 3)
    with pytest.raises(DataError, match="the limit is 3"):
        table_of(FILMS)


@pytest.mark.parametrize(("encoding", "name"), [("cp1252", "Windows-1252"), ("latin-1", "Latin-1")])
def test_text_of_older_programs(load, encoding, name):
    words = ["“é”" if encoding == "cp1252" else "é", "ñ", *PLAIN[2:]]
    written = frame(größe=words).to_csv(index=False).encode(encoding)
    data = check(load("x.csv", written), words)
    assert f"x.csv is not UTF-8; it is read as {name}." in " ".join(data.notes)
    assert "“größe”" in " ".join(data.notes)


@pytest.mark.parametrize("sign", [",", " "])
def test_more_columns_than_text_may_have_are_refused(refusal, monkeypatch, sign):
    monkeypatch.setattr("mips_core.data.readers.names.MAX_TABLE_COLUMNS", 200)
    rows = "\n".join(sign.join(["0.5"] * 201) for _ in range(3))
    assert "201 columns; the limit for text is 200" in refusal("wide.txt", rows.encode())
