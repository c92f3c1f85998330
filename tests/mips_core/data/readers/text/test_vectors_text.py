"""Words and numbers, one vector a line: every way such files are written, and go wrong."""

import io

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from mips_core.base import limits
from mips_core.base.errors import Cancelled, DataError
from mips_core.data.readers import read
from mips_core.data.readers.choices import NONE, UnsettledError
from mips_core.data.readers.text import lines
from tests.mips_core.data.readers.tables import read_table

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
    assert "line 7 has 1 number," in refusal("bad.txt", faulty(7, "grove 1"))


def test_an_endless_line_is_refused(refusal, monkeypatch):
    monkeypatch.setattr(lines, "LINE_BYTES", 1000)
    assert "line 1 is longer" in refusal("bomb.txt", "0 " * 5000)
    assert "line 2 is longer" in refusal("bomb.txt", "a 1 2\n" + "0 " * 5000)


def test_too_many_numbers_are_refused(refusal, monkeypatch):
    monkeypatch.setattr(limits, "MAX_VALUES", 30)
    assert "limit is 30" in refusal("many.txt", rows())


@pytest.fixture
def table_of(tmp_path):
    def table_of(content, **choices):
        return read_table(tmp_path, "t.vec", content, **choices)

    return table_of


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


def test_words_are_labels_unless_a_person_says_no(table_of):
    found = table_of(rows())
    assert (found.offers.label, found.offers.header) == ("1", False)
    assert found.offers.labels[0].about == "amber, brook, cedar …"
    assert table_of(rows(), label=NONE).labels is None
    assert table_of(rows(), label=NONE).vectors.shape == (8, 5)


def test_a_first_number_is_a_label_if_a_person_says_so(table_of):
    counted = rows([str(i) for i in range(8)])
    assert table_of(counted).labels == list("01234567")
    assert table_of(counted, label=NONE).vectors.shape == (8, 6)
    numbers = rows([f"{i}.5" for i in range(8)])
    assert table_of(numbers).vectors.shape == (8, 6)
    assert table_of(numbers, label="1").labels[0] == "0.5"


@pytest.mark.parametrize("choice", [{"label": "nothing"}, {"array": "nothing"}])
def test_a_choice_that_is_not_there_is_refused(table_of, choice):
    with pytest.raises(DataError, match="nothing"):
        table_of(rows(), **choice)


def test_the_header_is_as_a_person_says(table_of):
    assert table_of("8 5\n" + rows()).offers.header is True
    assert table_of("first 1 2 3 4 5\n" + rows(), header="names").vectors.shape == (8, 5)
    assert table_of("3 2\n1 5\n7 8\n9 1\n", header="data").vectors.shape == (4, 2)
    numbered = table_of("2 1\n0.5 1\n2.5 3\n", header="names")
    assert numbered.vectors.shape == (2, 1)


def test_all_lines_of_a_heading_are_left_out(tmp_path, table_of):
    np.savetxt(tmp_path / "x.txt", X, header="my model\nof words")
    found = table_of((tmp_path / "x.txt").read_bytes())
    np.testing.assert_allclose(found.vectors, X, rtol=1e-6)
    assert "Lines 1 to 2, from “# my model” on, are taken as a heading." in found.notes


def test_reading_can_be_stopped(tmp_path):
    def stop(share, message, partial=None):
        raise Cancelled

    with pytest.raises(Cancelled):
        read_table(tmp_path, "t.txt", rows(), progress=stop)


def test_labels_are_bounded(table_of, monkeypatch):
    monkeypatch.setattr(limits, "MAX_LABELS", 3)
    with pytest.raises(DataError, match="the limit is 3"):
        table_of(rows())


def note_of(data, *words):
    return next(note for note in data.notes if all(word in note for word in words))


@pytest.mark.parametrize("mark", ["#", "# ", "%", "// "])
def test_comment_lines_are_no_rows(load, mark):
    first, *rest = rows().splitlines(keepends=True)
    text = f"{mark}made in 2020\n{mark}8 5\n{first}{mark}the others\n{''.join(rest)}{mark}end\n"
    data = check(load("x.txt", text))
    assert "line 4, 12" in note_of(data, "2 comment lines were left out")
    assert "Lines 1 to 2" in note_of(data, "heading")


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


@pytest.mark.parametrize("before", ["", "8 5\n"])
def test_decimal_commas_between_blanks(load, before):
    data = check(load("x.txt", before + rows().replace(".", ",")))
    assert "Numbers have decimal commas." in data.notes
    numbers = "".join(" ".join(f"{v:.5f}" for v in row) + "\n" for row in X).replace(".", ",")
    check(load("y.txt", numbers), None)


@pytest.mark.parametrize("form", ["{} [{}]", "{}: [{}]", "{}\t[{}]", "{} = [{}]"])
def test_numbers_in_brackets_after_a_word(load, form):
    lines = [
        form.format(w, ", ".join(f"{v:.5f}" for v in row)) for w, row in zip(WORDS, X, strict=True)
    ]
    check(load("x.txt", "\n".join(lines)))


def test_words_with_commas_are_words(load):
    words = [f"{i},{i + 1}" for i in range(8)]
    check(load("x.txt", rows(words)), words)
