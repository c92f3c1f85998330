"""Reasons are sentences with numbers that were measured."""

from dataclasses import replace

import pytest

from mips_core.studies.paper.reasons import reason_for
from mips_core.studies.paper.run import view_of
from tests.mips_core.studies.paper.paper_cases import whole


@pytest.mark.parametrize("number", range(1, 18))
def test_every_claim_has_a_reason_on_any_data(number):
    for result in whole().sets:
        text = reason_for(number, result.facts)(view_of(result), "K = 10, 5×")
        assert text.endswith(".")
        assert any(sign.isdigit() for sign in text)
        assert "nan" not in text


def test_what_lies_behind_it_is_told():
    words, users = whole().sets
    facts = replace(words.facts, best_self=0.9)
    said = reason_for(1, facts)(view_of(words), "K = 1, precision 0.9")
    assert "90% of the queries are their own best answer" in said
    said = reason_for(2, users.facts)(view_of(users), "K = 10, 20×")
    assert "the longest items alone" in said
    assert "at 20×" in said


def test_the_growth_of_simulated_vectors_is_told_by_size():
    grown = whole().scale
    said = reason_for(12, replace(grown.facts, ks=(10,)))(view_of(grown), "1,000 items")
    assert said.startswith("At precision 0.9 flat and hierarchical clusters save ")
