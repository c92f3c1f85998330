"""Report as one piece: the setting to run."""

import re

from tests.pages.conftest import session_of, texts
from tests.pages.report_page import look, opened, report_on


def test_the_setting_to_run_is_chosen_and_in_the_address(app):
    at = opened(app)
    at.selectbox(key="report point").set_value("slider").run()
    at = look(at)
    report, chosen = report_on(at), session_of(at)
    assert report.point.measured.effort == chosen.effort
    assert report.point.chosen == "It was set by hand."
    assert at.query_params["report"] == "point=slider"
    at.selectbox(key="report point").set_value("target").run()
    report = report_on(look(at))
    assert report.point.target == 0.95
    assert "cheapest setting measured that finds 0.95 or more" in report.point.chosen


def test_where_tune_has_no_answer_the_best_stands_in_its_place_and_it_is_said(app):
    at = opened(app, queries="rows 12 0.1 no")
    assert not at.exception
    assert "Tune has no answer for what is measured" in texts(at)
    assert report_on(at).split is False
    assert "on the same queries" in texts(at)


def test_before_tune_was_asked_nothing_is_called_its_answer(app):
    at = opened(app)
    report = report_on(at)
    assert "**Not tuned yet.**" in texts(at)
    assert report.point.provisional
    assert "nothing is promised yet" in report.point.chosen
    assert not at.success
    assert any(one.value.startswith(":gray[Flat k") for one in at.markdown)
    assert "– **What to run, and what a query costs**" in texts(at)
    assert re.search(r"the best of 1 of \d+ settings so far", texts(at))
    at.button(key="report tune").click().run()
    assert "Find the cheapest setting" in {button.label for button in at.button}
