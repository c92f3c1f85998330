"""One run of the Map page: its slider is that of the other pages."""

from tests.pages.conftest import session_of
from tests.pages.map_page import a_map, do, message


def test_the_effort_is_shared_with_the_other_pages():
    at = a_map(map="follow=yes", effort="2", query="query 3")
    followed = message(at)["followed"]
    assert followed["efforts"][followed["chosen"]] == 2
    steps = followed["steps"]
    at = do(at, effort=6)
    assert session_of(at).effort == 7
    assert at.query_params["effort"] == "7"
    followed = message(at)["followed"]
    assert followed["chosen"] == 6
    assert len(followed["steps"][0]["kept"]) == 7 > len(steps[0]["kept"])
    session_of(at).effort = 3  # on another page
    assert message(at.run())["followed"]["chosen"] == 2
