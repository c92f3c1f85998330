"""Lines as bytes: blocks without a seam, lines that never end, remarks."""

import pytest

from mips_core.data.readers.text import lines
from tests.mips_core.data.readers.text.written import WORDS, X, check, faulty, note_of, rows


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


@pytest.mark.parametrize("mark", ["#", "# ", "%", "// "])
def test_comment_lines_are_no_rows(load, mark):
    first, *rest = rows().splitlines(keepends=True)
    text = f"{mark}made in 2020\n{mark}8 5\n{first}{mark}the others\n{''.join(rest)}{mark}end\n"
    data = check(load("x.txt", text))
    assert "line 4, 12" in note_of(data, "2 comment lines were left out")
    assert "Lines 1 to 2" in note_of(data, "heading")


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
