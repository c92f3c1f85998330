"""The query chosen: by number, by label, and what a link names."""

import json

import numpy as np
import pytest

from mips_core import Dataset, exact_top_k
from pages._ui.parts.question import choice
from pages._ui.state import links
from pages._ui.text.widgets import plain
from tests.pages._ui.parts.question.question_page import SUM, captions, errors, true_rows
from tests.pages.conftest import session_of, small_dataset, texts
from tests.pages.search_page import search, tables, told, widget, words


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


def test_an_unknown_label_is_named_with_those_near_it_and_the_text_stays():
    at = search(query="words wrod 3 + <b>*x*</b>")
    assert told(at) is None
    assert f"{plain('No label is “wrod 3”.')}" in errors(at)
    assert "“word 3”" in errors(at)
    box = widget(at.text_input, "Words")
    assert box.value == "wrod 3 + <b>*x*</b>"
    box.set_value("word 3 + <b>*x*</b>").run()
    assert plain("No label is “<b>*x*</b>”.") in errors(at)
    assert session_of(at).query == "words word 3 + <b>*x*</b>"


def test_a_refused_query_leaves_the_effort_of_what_all_queries_tell():
    at = search(query="words nope", effort="2")
    assert efforts_alone(at) is None
    at.session_state["search tab"] = "All queries"
    at.run()
    assert (efforts_alone(at)["at"], efforts_alone(at)["texts"][-1]) == (1, "20 of 20")
    at.session_state["search effort"] = {"choice": {"value": 5, "serial": 1}}
    at.run()
    assert at.query_params["effort"] == "5"
    assert efforts_alone(at)["at"] == 4
    assert "At 5 probes" in words(at).replace("\\", "")
    widget(at.text_input, "Words").set_value(SUM).run()
    at.session_state["search tab"] = "One query"
    at.run()
    assert efforts_alone(at) is None
    assert told(at)["efforts"][told(at)["at"]] == 5


def efforts_alone(at):
    """What the slider without answers was given; None where there is none."""
    protos = [e.proto for e in at.get("bidi_component")]
    found = [json.loads(p.json) for p in protos if p.component_name == "mips_value"]
    return found[0] if found else None


def test_equal_labels_are_told_apart_and_hostile_ones_stay_text(use):
    label = "<script>*x*</script>"
    use(Dataset(small_dataset().items, labels=[label] * 400, name="equal"))
    at = search(query=f"words {label}")
    assert told(at)["name"] == label
    said = f"{plain(f'“{label}” is the label of 400 items; row 0, the first, was taken.')}"
    assert said in captions(at)
    assert label not in texts(at) + captions(at)


def test_words_need_labels(use):
    use(Dataset(small_dataset().items, name="bare"))
    at = search(query="words king")
    assert told(at) is None
    assert "bare has no labels" in errors(at)


def test_a_vector_too_long_for_a_link_is_not_put_in_it(use):
    d = links.LONGEST_QUERY // 5
    X = np.random.default_rng(0).normal(size=(20, d)).astype(np.float32)
    use(Dataset(X, name="long"))
    at = search(index=["largest-norm"])
    widget(at.segmented_control, "Ask with").set_value("vector").run()
    widget(at.text_area, "Vector").set_value(str(X[3].tolist())).run()
    assert true_rows(at)[0] == exact_top_k(X, X[3:4], 1)[0, 0]
    assert "too long for a link" in captions(at)
    assert "query" not in at.query_params
