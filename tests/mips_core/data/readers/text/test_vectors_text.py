"""Words and numbers, one vector a line: every way such files are written, and go wrong."""

import io

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from mips_core.base import limits
from mips_core.base.errors import Cancelled, DataError
from mips_core.data.readers import read
from mips_core.data.readers.choices import UnsettledError
from mips_core.data.readers.text import lines
from tests.mips_core.data.readers.tables import read_table
from tests.mips_core.data.readers.text.written import WORD, WORDS, X, check, faulty, note_of, rows


@pytest.mark.parametrize(
    "text",
    [
        rows(),
        "8 5\n" + rows(),
        "8 5\r\n" + rows(end=" \r\n"),
        "\ufeff" + rows(end="\r\n").rstrip(),
        rows(sep="  "),
        rows(sep="\t"),
        rows().replace("\n", "\n\n"),
        rows(end=" \t\n"),
        rows(end="\r"),
        rows().replace(" ", "\r", 3).replace(" ", "\v", 3).replace(" ", "\f", 2),
    ],
    ids=["glove", "word2vec", "fasttext", "bom", "wide", "tabs", "gaps", "tails", "cr", "odd"],
)
def test_every_layout_gives_the_same(load, text):
    assert check(load("words.txt", text)).name == "words"


@given(st.lists(WORD, min_size=8, max_size=8), st.booleans())
def test_any_words_come_back(tmp_path_factory, words, header):
    path = tmp_path_factory.mktemp("text") / "words.vec"
    words[0] = "first"  # a column of numbers alone would be numbers
    path.write_text("8 5\n" * header + rows(words), encoding="utf-8")
    check(read(path), words)


@pytest.mark.parametrize(
    "words",
    [
        ["nan", "null", "NA", "inf", '"', "#", "1e5", "007"],
        ["ice cream", ". . .", "catch 22", "10\u00a0000", "\u2009king", "</s>", ",", "a b c d"],
    ],
)
@pytest.mark.parametrize("header", ["", "8 5\n"])
def test_odd_words_stay_labels(load, words, header):
    check(load("odd.txt", header + rows(words)), words)


def test_blanks_and_tabs_may_mix(load):
    words = ["no 7", *WORDS[1:]]
    check(load("mixed.txt", rows(words).replace(" ", "\t", 6).replace("no\t7", "no 7")), words)


def test_a_word_of_one_blank_is_shown(load):
    data = load("blank.txt", "8 5\n" + rows([" ", *WORDS[1:]]))
    assert data.labels[0] == "␠"
    assert any("blank" in note for note in data.notes)


def test_repeated_words_are_kept_and_noted(load):
    data = load("twice.txt", rows([*WORDS[:6], "amber", "brook"]))
    assert data.n == 8
    assert "2 labels are repeated: “amber”, “brook”. All rows are kept." in data.notes


def test_bad_utf8_keeps_its_row(load):
    content = rows().encode().replace(b"cedar", b"ced\xff")
    data = load("bytes.txt", content)
    assert data.labels[2] == "ced\ufffd"
    assert "1 label is not UTF-8 (row 2)" in data.notes[0]


def test_a_typographic_minus_is_a_minus(load):
    check(load("minus.txt", rows().replace("-", "−")))


@pytest.mark.parametrize(
    ("text", "words"),
    [
        (faulty(4, "delta 1 2 3 4"), ["line 4 has 4 numbers", "have 5"]),
        (faulty(4, "delta 0.12345 0.12345 0.1 0.1 0.1 0.1"), ["line 4 has 6 numbers"]),
        (faulty(4, "1 2 3 4 5"), ["line 4 has 4 numbers"]),
        (faulty(4, "delta 1 2 x 4 5"), ["line 4", "“x”"]),
        (rows()[:-10], ["line 8", "have 5"]),
        (faulty(3, "cedar 1 NaN 3 4 5") + "\nx 1 2 3 -inf 5",
         ["2 rows", "NaN in line 3", "-inf in line 9"]),
        ("0 300\n", ["no vectors", "0 300"]),
        ("\n \n", ["no vectors"]),
        ("a 0 0\nb 0 0\n", ["all rows are zero"]),
        ("2 50\na 3:0.25 17:0.5\nb 3:0.25 17:0.5\n", ["sparse", "3:0.25", "line 2"]),
        ("This is a text.\nIt has no vectors.\n", ["no vectors", "line 1"]),
    ],
)  # fmt: skip
def test_faults_are_named_with_their_line(refusal, text, words):
    found = refusal("bad.txt", text)
    assert [word for word in words if word not in found] == []


def test_too_many_numbers_are_refused(refusal, monkeypatch):
    monkeypatch.setattr(limits, "MAX_VALUES", 30)
    assert "limit is 30" in refusal("many.txt", rows())


@pytest.mark.parametrize(
    ("row", "words"),
    [
        ("delta 1 2 3 4", "line 4 has 4 numbers, the others have 5"),
        ("delta 0.12345 0.12345 0.1 0.1 0.1 0.1", "line 4 has 6 numbers"),
        ("delta 1 2 x 4 5", "line 4 holds “x” where a number is needed"),
        ("delta 1 2 NaN 4 5", "NaN in line 4"),
        ("delta 1 2 1e300 4 5", "inf in line 4"),
        ("delta 1 2 1_0 4 5", "line 4 holds “1_0”"),
    ],
)
@pytest.mark.parametrize("block", [29, 2**20])
def test_bad_rows_are_left_out_if_asked(table_of, monkeypatch, block, row, words):
    monkeypatch.setattr(lines, "BLOCK", block)
    with pytest.raises(UnsettledError) as caught:
        table_of(faulty(4, row))
    assert words in caught.value.found
    assert caught.value.offers.bad_rows == 1
    found = table_of(faulty(4, row), skip_bad=True)
    np.testing.assert_allclose(found.vectors, np.delete(X, 3, axis=0), rtol=1e-6)
    assert found.labels == [word for word in WORDS if word != "delta"]
    assert words in found.notes[-1]


def test_bad_rows_do_not_count_as_missing(table_of):
    found = table_of("8 5\n" + faulty(4, "delta 1"), skip_bad=True)
    assert len(found.notes) == 1


def test_reading_can_be_stopped(tmp_path):
    def stop(share, message, partial=None):
        raise Cancelled

    with pytest.raises(Cancelled):
        read_table(tmp_path, "t.txt", rows(), progress=stop)


def test_labels_are_bounded(table_of, monkeypatch):
    monkeypatch.setattr(limits, "MAX_LABELS", 3)
    with pytest.raises(DataError, match="the limit is 3"):
        table_of(rows())


def test_words_that_begin_as_comments_are_words(load):
    words = ["#", "%", "//", "#tag", "%d", "//x", "# #", "b"]
    check(load("x.txt", rows(words)), words)


@pytest.mark.parametrize("header", ["", "a b c d e", "five numbers\nmade 2020\n8 5"])
@pytest.mark.parametrize("comments", ["# ", "% "])
def test_what_savetxt_writes(load, header, comments):
    file = io.StringIO()
    np.savetxt(file, X, header=header, footer="the end", comments=comments)
    data = check(load("x.txt", file.getvalue()), None)
    assert "line" in note_of(data, "1 comment line was left out")


def test_words_with_commas_are_words(load):
    words = [f"{i},{i + 1}" for i in range(8)]
    check(load("x.txt", rows(words)), words)
