"""Words and numbers, one vector a line: every way such files are written, and go wrong."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from mips_core import limits
from mips_core.readers import lines, read

X = np.random.default_rng(0).normal(size=(8, 5)).round(5).astype(np.float32)
WORDS = ["amber", "brook", "cedar", "delta", "ember", "fjord", "grove", "haven"]
WORD = st.text(
    st.characters(exclude_categories=["C", "Z"], exclude_characters='"'), min_size=1, max_size=6
).filter(lambda word: not word.startswith(("{", "[", "<", "#", "%")) and ":" not in word)


def rows(words=WORDS, X=X, sep=" ", end="\n"):
    lines = [
        sep.join([word, *(f"{v:.5f}" for v in row)]) for word, row in zip(words, X, strict=True)
    ]
    return "".join(line + end for line in lines)


def check(data, words=WORDS):
    np.testing.assert_allclose(data.items, X, rtol=1e-6)
    assert data.labels == (None if words is None else list(words))
    return data


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
    ],
    ids=["glove", "word2vec", "fasttext", "bom", "wide", "tabs", "gaps", "tails", "cr"],
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


@pytest.mark.parametrize("promised", [7, 9])
def test_a_wrong_count_is_noted(load, promised):
    note = check(load("count.vec", f"{promised} 5\n" + rows())).notes[0]
    assert f"promises {promised} rows, the file holds 8" in note


def test_a_wrong_width_is_noted(load):
    assert "says 6 dimensions, the rows have 5" in check(load("d.vec", "8 6\n" + rows())).notes[0]


def test_numbers_alone_have_no_labels(load, tmp_path):
    np.savetxt(tmp_path / "x.txt", X)
    check(load("x.txt", (tmp_path / "x.txt").read_bytes()), None)


def test_numbers_as_words(load):
    words = [str(i) for i in range(100, 108)]
    assert not check(load("node2vec.txt", "8 5\n" + rows(words)), words).notes
    assert "Column 1" in check(load("ids.txt", rows(words)), words).notes[0]


def test_a_typographic_minus_is_a_minus(load):
    check(load("minus.txt", rows().replace("-", "−")))


def test_a_heading_is_noted(load):
    assert "heading" in check(load("r.txt", "# my model v\n" + rows())).notes[0]


def faulty(line, text):
    """The rows with the one at `line` (from 1) replaced."""
    lines = rows().splitlines()
    return "\n".join([*lines[: line - 1], text, *lines[line:]])


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
        ("a 1 2 3\n", ["one vector only"]),
        ("a 0 0\nb 0 0\n", ["all rows are zero"]),
        ("2 50\na 3:0.25 17:0.5\nb 3:0.25 17:0.5\n", ["sparse", "3:0.25", "line 2"]),
        ("This is a text.\nIt has no vectors.\n", ["no vectors", "line 1"]),
    ],
)  # fmt: skip
def test_faults_are_named_with_their_line(refusal, text, words):
    found = refusal("bad.txt", text)
    assert [word for word in words if word not in found] == []


def test_blocks_join_without_a_seam(load, monkeypatch):
    monkeypatch.setattr(lines, "BLOCK", 37)
    check(load("words.txt", "8 5\n" + rows(end="\r\n")))


def test_line_numbers_hold_across_blocks(refusal, monkeypatch):
    monkeypatch.setattr(lines, "BLOCK", 37)
    assert "line 7 has 1 numbers" in refusal("bad.txt", faulty(7, "grove 1"))


def test_an_endless_line_is_refused(refusal, monkeypatch):
    monkeypatch.setattr(lines, "LINE_BYTES", 1000)
    assert "line 1 is longer" in refusal("bomb.txt", "0 " * 5000)
    assert "line 2 is longer" in refusal("bomb.txt", "a 1 2\n" + "0 " * 5000)


def test_too_many_numbers_are_refused(refusal, monkeypatch):
    monkeypatch.setattr(limits, "MAX_VALUES", 30)
    assert "limit is 30" in refusal("many.txt", rows())
