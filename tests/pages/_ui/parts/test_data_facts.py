"""What is said of a data set: facts found once, notes told once, text that stays text."""

import pytest

from pages._ui.parts import data_facts
from pages._ui.parts.data_facts import as_text, facts, megabytes
from tests.pages.conftest import small_dataset


def test_facts_are_found_once(monkeypatch):
    dataset, looked = small_dataset(n=30), []
    find = data_facts.facts_of
    monkeypatch.setattr(data_facts, "facts_of", lambda *known: looked.append(1) or find(*known))
    assert facts(dataset) is facts(dataset)
    assert len(looked) == 1


@pytest.mark.parametrize(
    ("size", "words"), [(12, "12 bytes"), (2048, "2.0 kB"), (3 * 2**20 + 2**19, "3.5 MB")]
)
def test_sizes_are_told_in_the_largest_unit_that_fits(size, words):
    assert megabytes(size) == words


def test_a_label_shows_its_length_and_turns_nothing():
    assert as_text("x" * 300) == "x" * 300
    assert as_text("x" * 301) == "x" * 300 + "…"
    assert "\u202e" not in as_text("\u202eabc")


def test_what_was_left_out_is_told_apart_from_other_notes():
    said = data_facts._notes(["Left out: 3 rows.", "Read as text."])
    assert said == {"Left out": "3 rows.", "Notes": "Read as text."}
