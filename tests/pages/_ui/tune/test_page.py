"""Tune as one piece: it starts nothing by itself, and lasts."""

from pages._ui.work import jobs
from tests.pages.conftest import MAIN, session_of
from tests.pages.tune_page import known, opened, search, slide, sliders, words


def test_nothing_starts_without_the_button():
    at = opened()
    assert not at.exception
    assert "Nothing was tried yet" in words(at)
    assert not jobs.of(session_of(at).owner)
    assert not known(at)
    assert sliders(at) == {"Precision@10, at least": 0.95, "Sure of it": 0.95}


def test_leaving_and_returning_keeps_all_and_a_link_asks_the_same():
    at = search(slide(opened(), "precision", 0.8))
    said, link = at.success[0].value, dict(at.query_params)
    at.switch_page(str(MAIN.parents[1] / "home.py")).run()
    at.switch_page(str(MAIN.parents[1] / "tune.py")).run()
    assert at.success[0].value == said
    other = opened(**{name: value for name, value in link.items() if name != "method"})
    assert not other.success  # what is in is provisional until it is asked for
    assert search(other).success[0].value == said
    assert sliders(other)["Precision@10, at least"] == 0.8
