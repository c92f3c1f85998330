"""When to rebuild, in words."""

from dataclasses import replace

import pytest

from mips_core.base.errors import ParamError
from mips_core.studies.drift import WAYS, advice
from mips_core.studies.drift.advice import in_words, in_words_of_one, verdict
from tests.mips_core.studies.drift.drift_cases import point


def test_the_advice_names_where_frozen_clusters_surely_fall_and_up_to_where_they_hold():
    points = [point(9, 9, 0.1), point(9, 9, 0.2), point(8.85, 9, 0.3), point(7, 9, 0.5)]
    found = advice(points, 0.01)
    assert [verdict(p, "frozen") for p in points] == ["holds", "holds", "cannot tell", "falls"]
    assert (found.holds, found.falls) == (points[1], points[3])
    words = found.in_words()
    assert words.startswith("**Refresh or rebuild before 50% of the items moved by 1 rms.**")
    assert (
        "There frozen clusters find 70.0% of the true answers. A rebuild finds 20.0 points more "
        "(95% interval" in words
    )
    assert "Up to 20% they stay within 1 point." in words
    assert advice(points, 0.5).falls is None
    assert advice(points, 0.5).holds is points[3]
    assert in_words([advice(points, 0.5)])[0].startswith("**No rebuild is needed for moves of 1")
    unsure = in_words([advice(points[:3], 0.01)])[0]
    assert unsure.startswith("**No need for a rebuild was seen for moves of 1 rms.**")
    with pytest.raises(ParamError, match="Nothing was measured"):
        advice([])


def test_searches_that_became_dear_are_a_reason_too():
    dear = point(9, 9, 0.3, cost=(30.0, 10.0))
    found = advice([point(9, 9, 0.1), dear])
    assert (found.due, found.dear, found.falls) == (dear, dear, None)
    words = found.in_words()
    assert words.startswith("**Refresh or rebuild before 30% of the items")
    assert "A search of frozen clusters costs 3 times as much as one of a rebuild." in words
    assert in_words_of_one(dear).startswith("**A search of frozen clusters costs 3 times")


def test_a_rebuild_is_earned_back_where_its_searches_are_cheaper():
    cheaper = point(9, 9, cost=(30.0, 10.0))
    spent = {"frozen": 1000, "refreshed": 2000, "rebuilt": 9000}
    outcomes = {
        way: tuple(replace(one, spent=spent[way]) for one in cheaper.ways[way]) for way in WAYS
    }
    cheaper = replace(cheaper, ways=outcomes)
    assert cheaper.paid_back("frozen") == 400
    assert "costs 20 inner products less" in advice([cheaper]).in_words()
    assert "after about 400 searches" in advice([cheaper]).in_words()
    assert point(9, 9).paid_back("frozen") is None


def test_a_rebuild_that_finds_fewer_says_why_where_that_is_known():
    fewer = point(9, 8, cost=(30.0, 10.0))
    words = advice([fewer]).in_words()
    assert "A rebuild finds 10.0 points fewer (95% interval " in words
    assert "): with the same effort it looks at fewer items." in words
    assert "fewer items" not in advice([point(9, 8)]).in_words()  # it looks at as many
    assert "A rebuild finds as many." in advice([point(9, 9)]).in_words()


def test_one_real_change_in_words():
    assert in_words_of_one(point(9, 9)).startswith("**No rebuild is needed")
    assert in_words_of_one(point(7, 9)).startswith("**Refresh.** Frozen clusters find 70.0%")
    nothing = replace(point(9, 9), changed=0)
    assert in_words_of_one(nothing) == "**Nothing is to be kept up with.**"
    assert "More queries would tell" in in_words_of_one(point(9.1, 9.2, m=20))
