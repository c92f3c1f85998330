"""Presets and their stand-ins; which part of a file is taken, and who asks."""

import pytest

from mips_core import ParamError
from mips_core.studies.paper.presets import PRESETS, preset_data, with_paper_queries
from tests.mips_core.studies.paper.paper_cases import N, data, users


def test_stand_ins_say_what_they_are_and_have_names_of_their_own():
    sets = [preset_data(name, quick=True) for name in PRESETS]
    assert [one.stands_for for one in sets] == [preset.paper for preset in PRESETS.values()]
    assert [one.own_queries for one in sets] == [True, True, False]
    assert len({one.searched.name for one in sets}) == 3
    assert {one.searched.m for one in sets} == {500}
    assert [one.searched.simulated for one in sets] == [True, True, False]
    with pytest.raises(ParamError, match="There is no preset"):
        preset_data("x", quick=True)


def test_the_first_vectors_of_a_larger_file_are_taken_and_the_name_says_so():
    words = data().searched
    plain = type(words)(words.items, name="Words", labels=tuple(map(str, range(N))))
    taken = with_paper_queries(plain, None, quick=False, n_queries=40, first=100)
    assert (taken.searched.n, taken.searched.m) == (100, 40)
    assert taken.searched.name == "Words (first 100)"
    assert taken.stands_for == "word2vec GoogleNews"
    own = with_paper_queries(users().searched, "", quick=True, n_queries=40, first=100)
    assert (own.searched.n, own.searched.m, own.stands_for) == (N, 40, "")
