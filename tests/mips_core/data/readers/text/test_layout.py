"""How lines of words and numbers are made: header, heading, labels, and what a person says."""

import numpy as np
import pytest

from mips_core.base.errors import DataError
from mips_core.data.readers.choices import NONE
from tests.mips_core.data.readers.text.written import X, check, rows


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


def test_a_heading_is_noted(load):
    assert "heading" in check(load("r.txt", "# my model v\n" + rows())).notes[0]


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
