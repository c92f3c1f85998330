"""The page of the course: what it opens, what it hears, and the door to one's own data."""

import pytest

from pages._ui.parts.lesson import screen
from tests.pages.conftest import session_of


@pytest.fixture
def sends(monkeypatch):
    """Let the browser send a choice."""
    serials = iter(range(1, 100))

    def send(at, **choice):
        sent = {**choice, "serial": next(serials)}
        monkeypatch.setattr(screen, "sent_choice", lambda key: sent)
        return at.run()

    return send


@pytest.fixture
def shown(monkeypatch):
    """What the element was drawn with, last."""
    drawn = []
    monkeypatch.setattr(screen, "lesson_element", lambda *told, key: drawn.append(told))
    return drawn


def test_a_link_opens_the_state_it_names(app, shown):
    app("course.py", settle=False, learn="5:q=112,p=3")
    _, name, place, _ = shown[-1]
    assert name == "open_clusters"
    assert place.state == {"q": 112, "p": 3, "rim": 0}


def test_what_the_browser_sends_is_kept_and_a_link_of_a_page_is_followed(app, shown, sends):
    at = app("course.py", settle=False)
    assert shown[-1][1] == ""
    sends(at, number=5, state={"q": 112, "p": 2}, step=0, way="")
    assert session_of(at).states["learn"].place == "5:q=112,p=2"
    assert at.query_params["learn"] in ("5:q=112,p=2", ["5:q=112,p=2"])
    at.query_params["learn"] = "5:p=8"
    at.run()
    assert session_of(at).states["learn"].place == "5:p=8"


def test_the_door_to_ones_own_data_takes_the_state_along(app, shown, sends):
    at = app("course.py", settle=False)
    sends(at, number=5, state={"q": 112, "p": 3}, step=0, way="", own=True)
    assert not at.exception
    assert session_of(at).efforts["flat-kmeans"] == 3
    assert at.title[0].value == "Search"


def test_numbers_that_are_missing_are_said_to_be(app, monkeypatch):
    from mips_core.base.errors import DataError

    def gone(name):
        raise DataError("one.bin is missing.", "Make it.")

    monkeypatch.setattr(screen, "message", gone)
    at = app("course.py", settle=False)
    assert "one" in at.error[0].value
