"""Tables of ratings, however they are written; by Arrow and line by line alike."""

import gzip

import pandas as pd
import pytest

from tests.mips_core.data.ratings.written import THREE, table


@pytest.mark.parametrize("sign", ["::", "\t", ",", ";", "|", " "])
@pytest.mark.parametrize("extra", ["", "880000000", "2005-03-12", "2005-03-12 10:11:12"])
def test_lines_without_header(triples, sign, extra):
    extra = extra.replace(" ", "T") if sign == " " else extra
    assert triples("any.name", table(sign, extra=sign * bool(extra) + extra)) == THREE


def test_ids_are_text(triples):
    ids = ["007", "7", "B0", "b0", "1e3", "1000", "é", "0x1", "-1", "NA", "nan", "None"]
    text = "user,item,rating\n" + "".join(f"{id},{id},{k % 2}\n" for k, id in enumerate(ids))
    assert [user for user, _, _ in triples("ids.csv", text)] == ids
    assert [item for _, item, _ in triples("ids.tsv", text.replace(",", "\t"))] == ids


@pytest.mark.parametrize(
    "change",
    [
        lambda t: t.replace("\n", "\r\n"),
        lambda t: "\ufeff" + t,
        lambda t: "".join(f'"{w}"' if w not in ",\n" else w for w in split(t)),
        lambda t: t.replace(",", " , "),
        lambda t: t.replace(",", ";").replace(".", ","),
        lambda t: t.replace("\n", "\n\n"),
        lambda t: t.replace("\n", ",\n"),
        lambda t: t.rstrip("\n"),
        lambda t: t.encode("utf-16"),
        lambda t: gzip.compress(t.encode()),
    ],
    ids=[
        "crlf",
        "bom",
        "quoted",
        "blanks",
        "decimal-comma",
        "blank-lines",
        "trailing",
        "no-end",
        "utf16",
        "gz",
    ],
)
def test_ways_of_writing(triples, change):
    assert triples("r.csv", change(table(",", "user,item,rating"))) == THREE


def split(text):
    return pd.Series(list(text.replace("\n", " \n ").replace(",", " , ").split(" "))).loc[
        lambda words: words != ""
    ]


def test_text_cut_within_a_letter_is_no_utf8(load, refusal):
    assert load("cut.csv", b"user,item,rating\na,x,1\nb,y,2\nc,z\xc3,3\n").item_names[-1] == "zÃ"
    assert "“3Ã” as rating in line 4" in refusal(
        "cut.csv", b"user,item,rating\na,x,1\nb,y,2\nc,z,3\xc3"
    )


def test_text_that_is_not_utf8_is_read_and_said(load):
    for byte, letter, name in ((b"\xe9", "é", "Latin-1"), (b"\x80", "€", "Windows-1252")):
        ratings = load("l.csv", b"user,item,rating\n" + byte + b",x,3\nb,y,4\n")
        assert ratings.user_names[0] == letter
        assert any(name in note for note in ratings.notes)
