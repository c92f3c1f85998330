"""The query chosen: by number, by label, and what a link names."""

import numpy as np
import pytest

from mips_core import Dataset
from pages._ui.parts.question import choice
from pages._ui.text.widgets import plain
from tests.pages.conftest import small_dataset
from tests.pages.search_page import search, tables, told, widget
from tests.pages.test_pages import session_of, texts


def test_a_query_is_chosen_by_number_and_the_link_has_it():
    at = search()
    widget(at.number_input, "Query, 0 to 399").set_value(7).run()
    first = tables(at)[0]["row"].tolist()
    assert at.query_params["query"] == "query 7"
    again = search(query="query 7")
    assert tables(again)[0]["row"].tolist() == first
    assert told(again)["name"].startswith("Query 7 ")


def test_an_item_is_found_by_its_label():
    at = search(query="item 0")
    widget(at.text_input, "Find by label").set_value("WORD 12").run()
    matches = widget(at.selectbox, "Matches")
    assert session_of(at).query == "item 12"
    assert matches.options[:2] == ["word 12 · 12", "word 120 · 120"]
    assert matches.label == "Matches, 11"
    matches.set_value(121).run()
    assert session_of(at).query == "item 121"
    assert told(at)["name"] == "Row 121 “word 121”"
    widget(at.number_input, "Row").set_value(5).run()
    assert session_of(at).query == "item 5"
    assert widget(at.selectbox, "Matches").value is None
    widget(at.text_input, "Find by label").set_value("word").run()
    assert widget(at.selectbox, "Matches").label == "Matches, first 50 of 400"


def test_an_unknown_label_is_said_and_the_query_stays():
    at = search(query="item 3")
    widget(at.text_input, "Find by label").set_value("<b>*none*</b>").run()
    tables(at)
    assert f"No label holds “{plain('<b>*none*</b>')}”" in texts(at)
    assert session_of(at).query == "item 3"


def test_changing_to_items_starts_at_the_first():
    at = search(query="query 9")
    widget(at.segmented_control, "Ask with").set_value("item").run()
    tables(at)
    assert session_of(at).query == "item 0"
    assert widget(at.number_input, "Row, 0 to 399").value == 0


@pytest.mark.parametrize("query", ["query 400", "item 4000", "item -1", "<script>", "item ٣"])
def test_a_link_to_what_is_not_there_says_so(query):
    at = search(query=query)
    tables(at)
    assert "is not there" in texts(at)
    assert "400 queries in use and 400 items" in texts(at)
    assert told(at)["name"].startswith("Query 0 ")


def test_users_are_found_by_their_label(use):
    rated = small_dataset(queries=small_dataset(n=30).items)
    use(Dataset(rated.items, rated.queries, name="rated",
                query_labels=[f"user {100 + i}" for i in range(30)]))  # fmt: skip
    at = search()
    widget(at.text_input, "Find by label").set_value("user 117").run()
    tables(at)
    position = int(session_of(at).query.split()[1])
    assert session_of(at).dataset.query_labels[position] == "user 117"
    assert (session_of(at).dataset.queries[position] == rated.queries[17]).all()
    assert "label" not in tables(at)[0]  # the items have none
    widget(at.segmented_control, "Ask with").set_value("item").run()
    assert not [box for box in at.text_input if box.label == "Find by label"]


def test_more_labels_than_can_be_listed_are_searched(use):
    labels = [f"label {i:06}" for i in range(100_000)]
    X = np.random.default_rng(0).normal(size=(100_000, 2)).astype(np.float32)
    use(Dataset(X, labels=labels, name="many"))
    at = search(query="item 0", index=["largest-norm"], queries="rows 5 0.1 no")
    widget(at.text_input, "Find by label").set_value("099").run()
    found = widget(at.selectbox, "Matches")
    assert len(found.options) == choice.LISTED
    assert session_of(at).query == f"item {next(i for i, w in enumerate(labels) if '099' in w)}"
