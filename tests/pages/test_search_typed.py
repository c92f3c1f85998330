"""Search for what is typed, words and vectors: what is asked, said, kept and linked."""

import json
from io import BytesIO

import numpy as np
import pandas as pd
import pytest

from mips_core import Dataset, exact_top_k
from mips_core.data.classifier import layer_items
from mips_core.data.metrics import searched_by
from pages._ui.parts import result_table
from pages._ui.parts.question import question as query
from pages._ui.parts.question.typed import written
from pages._ui.search import answers, work
from pages._ui.state import links, session
from pages._ui.text.widgets import plain
from pages._ui.work import results
from tests.pages.conftest import small_dataset
from tests.pages.test_pages import session_of, texts
from tests.pages.test_search import search, told, widget, words

SUM = "word 3 - word 5 + 0.5*word 9"


def true_rows(at):
    said = told(at)
    return said["items"]["rows"][said["true"]].tolist()


def summed():
    X = small_dataset().items.astype(float)
    return (X[3] - X[5] + 0.5 * X[9]).astype(np.float32)[None]


def captions(at):
    return " ".join(caption.value for caption in at.caption)


def errors(at):
    return " ".join(error.value for error in at.error)


def test_words_are_added_and_those_named_left_out():
    at = search()
    widget(at.segmented_control, "Ask with").set_value("words").run()
    assert told(at) is None
    assert "Write labels with" in captions(at)
    widget(at.text_input, "Words").set_value(SUM).run()
    expected = exact_top_k(small_dataset().items, summed(), 13)[0]
    assert true_rows(at) == [row for row in expected if row not in (3, 5, 9)][:10]
    assert told(at)["name"] == "word 3 − word 5 + 0.5 word 9"
    assert "The 3 items named are left out of the answers." in captions(at)
    assert at.query_params["query"] == f"words {SUM}"
    widget(at.toggle, "Leave out").set_value(False).run()
    assert true_rows(at) == expected[:10].tolist()
    assert "left out of the answers" not in captions(at)
    again = search(query=f"words {SUM}", search="leave_out=no")
    assert true_rows(again) == expected[:10].tolist()


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


def test_other_labels_of_the_same_vectors_are_not_mixed_up(use):
    at = search(query="words word 3", search="leave_out=no")
    results._KEPT.pop(("shipped", session.DEFAULT_DATA))
    use(Dataset(small_dataset().items, labels=[f"word {399 - i}" for i in range(400)], name="o"))
    other = search(query="words word 3", search="leave_out=no")
    assert true_rows(at) != true_rows(other)


@pytest.mark.parametrize("metric", ["inner product", "cosine", "euclidean"])
def test_a_vector_is_pasted_and_its_link_has_it_to_the_bit(metric):
    vector = summed()[0]
    at = search(metric=metric)
    widget(at.segmented_control, "Ask with").set_value("vector").run()
    assert "Paste 6 numbers" in captions(at)
    widget(at.text_area, "Vector, 6 numbers").set_value(repr(vector)).run()
    asked = session_of(at).query
    read = np.array(widget(at.text_area, "Vector").value.split(", "), float).astype(np.float32)
    dataset = searched_by(Dataset(small_dataset().items, read[None]), metric)
    assert true_rows(at) == exact_top_k(dataset.items, dataset.queries, 10)[0].tolist()
    exact = search(query=f"vector {written(vector)}", metric=metric)
    again = search(query=asked, metric=metric)
    assert true_rows(again) == true_rows(at)
    assert widget(exact.text_area, "Vector").value == ", ".join(map(str, vector))


@pytest.mark.parametrize(
    ("typed", "said"),
    [
        ("1,2", "The vector has 2 numbers, a query here has 6 dimensions."),
        ("1 2 3 4 5 nan", "“nan” (character 11) is no number"),
        ("0,5 1,5 2,5 3,5 1,5 9,5", "looks like one number with a decimal comma."),
        (written(np.ones(5)), "The vector has 5 numbers"),
        (written(np.array([1, 2, 3, 4, 5, np.nan])), "is no number"),
        ("f32:AAA", "There are no numbers."),
        ("f32:é", "There are no numbers."),
    ],
)
def test_what_is_no_vector_is_said_and_stays(typed, said):
    at = search(query=f"vector {typed}")
    assert told(at) is None
    assert plain(said) in errors(at)
    assert session_of(at).query == f"vector {typed}"


def test_a_zero_vector_ranks_nothing():
    at = search(query="vector 0 0 0 0 0 0")
    assert "The vector typed is zero" in words(at)
    assert told(at) is None


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


def test_a_hidden_state_is_asked_of_a_layer(use):
    rng = np.random.default_rng(0)
    items = layer_items(rng.normal(size=(50, 3)).astype(np.float32), rng.normal(size=50))
    use(Dataset(items, name="layer", logits=True, labels=[f"class {i}" for i in range(50)]))
    at = search(query="vector 1 2 3")
    expected = np.argsort(-(items @ np.array([1, 2, 3, 1])))[:10]
    assert true_rows(at) == expected.tolist()
    assert true_rows(search(query="words class 7", search="leave_out=no")) != true_rows(at)


def test_all_items_may_be_named(use):
    use(Dataset(small_dataset().items[:2], labels=["a", "b"], name="two"))
    at = search(query="words a - b")
    assert "There is no other item" in words(at)
    assert told(at) is None


def test_the_file_holds_what_the_tables_show():
    at = search(query=f"words {SUM}", effort="1")
    chosen = session_of(at)
    measured = chosen.measurement_of(chosen.index)
    question = query.question_of(chosen, query.picked(chosen))
    asked = work.ask(chosen, measured, question)
    table = pd.read_csv(BytesIO(result_table.csv(answers.columns_of(asked, asked.answered, 1))))
    said = told(at)
    assert table["true row"].tolist() == true_rows(at)
    assert table["found"].tolist() == said["found"][0].astype(bool).tolist()
    assert table["lost"].sum() == pytest.approx(said["loss"][0])
    assert table["why"].tolist() == said["why"]
