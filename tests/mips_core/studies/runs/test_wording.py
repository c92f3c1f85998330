"""What comparing runs shows, in sentences."""

from dataclasses import replace

import pytest

from mips_core.studies.runs import difference_of
from mips_core.studies.runs.wording import in_words
from tests.mips_core.studies.runs.run_cases import DATA, run_made
from tests.mips_core.studies.runs.test_comparison import measure_like_exact


def test_a_clear_difference_is_named_with_its_interval():
    good = run_made("good", [100], [1.0], [[1] * 200], m=200)
    bad = run_made("bad", [100], [0.0], [[0] * 200], m=200)
    said = in_words(difference_of([bad, good], 1, 10, 0.5))
    assert said[0].startswith("At about 10×, “good” keeps 100.0 points more than “bad”")
    assert "200 queries" in said[0]
    assert "“bad” does not reach it, its best is 0.0%" in said[1]


@pytest.mark.parametrize(
    ("other", "said"),
    [
        (replace(DATA, fingerprint="others"), "different data"),
        (replace(DATA, query_fingerprint="others"), "different queries"),
    ],
)
def test_other_data_or_queries_stand_side_by_side_without_a_winner(other, said):
    runs = [run_made("a", [100, 50], [1, 0.5]), run_made("b", [90, 40], [1, 0.5], data=other)]
    compared = difference_of(runs, 1, 10, 0.9)
    assert compared.settled == ()
    (sentence,) = in_words(compared)
    assert said in sentence
    assert "no winner is named" in sentence
    assert None not in compared.at_speedup  # but their numbers are there


def test_a_k_that_not_all_were_measured_at_is_said_first(runs):
    compared = difference_of([runs[0], run_made("one", [100], [1])], 10, 5, 0.9)
    assert compared.at_speedup[1] is None
    assert "Not all of them were measured at K = 10, some only at 1." in in_words(compared)[0]
    none = difference_of([run_made("a", [9], [1]), run_made("b", [9], [1])], 7, 5, 0.9)
    assert "None of them was measured at K = 7, only at 1." in in_words(none)[0]


def test_a_speedup_that_is_not_reached_is_said_with_the_nearest(runs):
    compared = difference_of([*runs[:2], measure_like_exact(runs[0])], 10, 5, 0.9)
    assert compared.settled == ()
    assert "“exact” has no effort near it, the nearest is 1.0×" in in_words(compared)[0]


def test_a_precision_that_none_has_is_said_with_the_best():
    runs = [run_made("a", [100], [0.5]), run_made("b", [100], [0.25])]
    assert (
        "no run has it; the best is 50.0%, of “a”" in in_words(difference_of(runs, 1, 10, 0.9))[1]
    )
