"""What is offered over the map, and what a visitor does on it, kept for other pages too."""

import pytest

from tests.pages.conftest import MAIN, session_of, small_dataset
from tests.pages.map_page import a_map, do, held, message, runs, settled, table, widget


def test_labels_that_are_all_different_are_no_colours():
    at = a_map(map="colour=label")
    assert "Label" not in widget(at.selectbox, "Colour by").options
    assert message(at)["colouring"]["kind"] == "groups"


def test_an_item_asks_from_its_card():
    at = a_map()
    assert message(at)["followed"] is None
    at = settled(do(at, follow="item 9"))
    assert session_of(at).query == "item 9"
    told = message(at)
    assert told["followed"]["item"] == 9
    places = held(told["layout"]["places"]).reshape(-1, 2)
    assert told["followed"]["place"] == pytest.approx(places[9].tolist())
    assert "Score for the query" in widget(at.selectbox, "Colour by").options
    again = a_map(map=at.query_params["map"], query=at.query_params["query"])
    assert message(again)["followed"]["item"] == 9


def test_a_selection_is_there_again_after_another_page_and_not_for_other_data(use):
    at = do(a_map(), selected=runs([3, 20, 31]), how="lasso")
    assert message(at)["chosen"] is None  # the browser knows
    at.switch_page(str(MAIN.parents[1] / "methods.py")).run()
    at.switch_page(str(MAIN.parents[1] / "map.py"))
    at = settled(at.run())
    assert message(at)["chosen"].tolist() == [3, 20, 31]
    at = do(at, focus=2)  # a click on another thing leaves it selected
    assert table(at)["row"].tolist() == [3, 20, 31]
    session = session_of(at)
    other = small_dataset(n=90, name="other")
    session.use(other, other.fingerprint, session.recipe)
    assert "items" in table(settled(at.run()))


def test_nonsense_from_a_browser_changes_nothing():
    at = a_map(map="follow=yes", effort="2")
    for nonsense in (
        {"effort": -1},
        {"effort": "x"},
        {"follow": "item 4000"},
        {"focus": 1e9},
        {"selected": "!!"},
        {"topic": "other", "effort": 3},
    ):
        at = do(at, **nonsense)
        assert not at.exception
        assert session_of(at).effort == 2
        assert session_of(at).query == ""
        assert message(at)["focus"] == -1
