"""Verdicts as words, rows and plain values."""

import json
from math import log

from mips_core.studies.paper.jackknife import Estimate
from mips_core.studies.paper.wording import (
    as_dict,
    effect_in_words,
    family_in_words,
    rows,
    summary_in_words,
)
from tests.mips_core.studies.paper.paper_cases import whole


def test_effects_read_as_points_and_as_ratios():
    seen = Estimate(0.164, -0.147, 0.181, 0.01, 4)
    assert effect_in_words(seen, "precision") == "+16.4 points (−14.7 to +18.1)"
    seen = Estimate(log(2), log(0.5), log(4), 0.01, 4)
    assert effect_in_words(seen, "ratio") == "2× (0.5 to 4)"


def test_the_family_and_the_sums_of_verdicts_are_told():
    result = whole()
    assert f"{result.comparisons} comparisons were made" in family_in_words(result)
    first = summary_in_words(result)[0]
    assert first.startswith("Few words: of 17 claims ")
    assert sum(int(word) for word in first.split() if word.isdigit()) == 2 * 17


def test_rows_and_json_hold_every_verdict_and_every_condition():
    result = whole()
    told = json.loads(json.dumps(as_dict(result)))
    assert len(told["claims"]) == len(rows(result)) == 35
    for one, row in zip(told["claims"], rows(result), strict=True):
        assert one["verdict"] == row["verdict"]
        assert (one["why"] != "") == (one["verdict"] == "does not hold")
        for condition in one["conditions"]:
            assert condition["low_95"] <= condition["value"] <= condition["high_95"]
            assert condition["p_holm"] >= condition["p"]
            sure = condition["p_holm"] < told["family_level"]
            assert (condition["surely"] != "open") == sure
    assert told["claims"][-1]["figure"] == "scale-figure"
