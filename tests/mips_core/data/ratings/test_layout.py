"""How a table of ratings is laid out: lines before it, its header, and what a person says."""

from contextlib import suppress
from time import process_time

import pytest

from mips_core.base.errors import DataError, ParamError


def test_choices_override_the_layout(triples):
    text = "1,2,3\n4,5,6\n"
    assert triples("t.csv", text)[0] == ("1", "2", 3.0)
    assert triples("t.csv", text, user="2", item="1")[0] == ("2", "1", 3.0)
    assert triples("t.csv", text, layout="user")[0] == ("0", "0", 1.0)
    assert triples("t.csv", "user,item,rating\n" + text, header="names")[0] == ("1", "2", 3.0)
    with pytest.raises(ParamError, match="header"):
        triples("t.csv", text, header="maybe")


def test_preamble_lines_are_skipped_and_named(load):
    for preamble, said in (
        ("70\n150\n", "2 lines"),
        ("% a remark\n", "1 line"),
        ("sep=\t\n", "1 line"),
    ):
        ratings = load("p.dat", f"{preamble}3\t38\t847\n40\t4\t12\n")
        assert ratings.n_ratings == 2
        assert any(said in note and "skipped" in note for note in ratings.notes)


def test_a_header_that_repeats_itself_many_times_is_told_at_once(refusal):
    wide = ",".join(["user", "item", *["again"] * 60_000])
    began = process_time()
    assert "r.csv" in refusal("r.csv", f"{wide}\n1,2,3\n")
    assert process_time() - began < 60  # each of them beside each other: many minutes


HEADERS = ("\t\t\t\tuser\tmovie", "user\tmovie\t\t\t\t", "a\tb\tuser\tc\td\te\tmovie", "\t\t\t\t\t")
BODIES = ("", "1\t2\n" * 30, "1\t2\t3\n" * 30, "\t\t\t\t1\t2\n" * 30, "1\n1\t2\t3\t4\t5\t6\n" * 9)


@pytest.mark.parametrize("header", HEADERS)
@pytest.mark.parametrize("body", BODIES)
@pytest.mark.parametrize("named", ["auto", "names", "data"])
def test_a_first_line_of_another_width_is_read_or_refused(load, header, body, named):
    with suppress(DataError):
        assert load("ratings.tsv", f"{header}\n{body}", header=named).n_items
