"""What a report says in words."""

from dataclasses import replace

import pytest

from mips_core.base.text import times
from mips_core.report import html_of
from mips_core.report.sentences import finding
from tests.mips_core.report.reports import Page, data, measured, reported


def test_the_first_sentence_says_what_to_run_and_what_it_gives(made):
    measured_, told = made.point.measured, " ".join(Page(html_of(made)).text)
    assert f"finds {100 * measured_.precision:.1f}% of the true top 10" in told
    low, high = 100 * measured_.low, 100 * measured_.high
    assert f"(95% interval {low:.1f} to {high:.1f}, over 60 queries)" in told
    assert f"{times(measured_.speedup)} fewer inner products" in told
    assert made.point.chosen in told
    assert "chosen on 60 queries and scored on the other 60" in told
    assert "28 November 2026, 22:45 UTC" in told
    assert told.count("Not measured for this report") == 2


@pytest.mark.parametrize("n", [1, 5])
def test_few_items_and_one_query(n):
    raw, searched = data(n=n)
    raw, searched = (replace(one, queries=one.queries[:1], query_labels=None, query_rows=None)
                     for one in (raw, searched))  # fmt: skip
    keys = ["flat-kmeans", "exact", "ip-tree"]
    report = reported(raw, searched, measured(searched, keys, grid=1), recipe=None)
    assert (report.answers, report.m_scoring, report.split) == (n, 1, False)
    text = " ".join(Page(html_of(report)).text)
    assert "With 1 query, settings are chosen and scored on the same" in text
    assert f"true top {n}, which is certain" in text  # exact search is the cheapest here
    assert {curve.K for curve in report.curves} == {10, 1}


def test_exact_search_is_certain_and_simulated_data_is_told():
    raw, searched = data(simulated=True)
    exact = measured(searched, ["exact"])
    report = reported(raw, searched, exact)
    text = " ".join(Page(html_of(report)).text)
    assert "finds 100.0% of the true top 10, which is certain, with as many" in text
    assert text.count("Simulated data") == 1 + 4  # a box, and every picture
    assert "Simulated data" not in html_of(reported(*data(), exact))


@pytest.mark.parametrize(
    ("split", "words"),
    [(True, "On these queries, which did not choose it, that is below"), (False, "That is below")],
)
def test_what_finds_less_than_was_asked_for_says_so_and_on_which_queries(made, split, words):
    precision = made.point.measured.precision
    for target, short in ((precision + 1e-6, True), (precision, False), (None, False)):
        point = replace(made.point, target=target)
        said = finding(replace(made, point=point, split=split))
        assert (words in said) == short
        assert ("below" in said) == short
