"""What is typed: said, kept, and in the link."""

import json

import numpy as np

from mips_core import Dataset, exact_top_k
from pages._ui.state import links
from pages._ui.text.widgets import plain
from tests.pages._ui.parts.question.typed_page import SUM, captions, errors, true_rows
from tests.pages.conftest import small_dataset
from tests.pages.search_page import search, told, widget, words
from tests.pages.test_pages import session_of, texts


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
    assert (efforts_alone(at)["at"], efforts_alone(at)["texts"][-1]) == (1, "20 of 20")
    at.session_state["search effort"] = {"choice": {"value": 5, "serial": 1}}
    at.run()
    assert at.query_params["effort"] == "5"
    assert efforts_alone(at)["at"] == 4
    assert "At 5 probes" in words(at).replace("\\", "")
    widget(at.text_input, "Words").set_value(SUM).run()
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
