"""Words and vectors that are typed: what they ask."""

import numpy as np
import pytest

from mips_core import Dataset, exact_top_k
from mips_core.data.classifier import layer_items
from mips_core.data.metrics import searched_by
from pages._ui.parts.question.question import written
from pages._ui.state import session
from pages._ui.text.widgets import plain
from pages._ui.work import results
from tests.pages._ui.parts.question.question_page import SUM, captions, errors, true_rows
from tests.pages.conftest import session_of, small_dataset
from tests.pages.search_page import search, told, widget, words


def summed():
    X = small_dataset().items.astype(float)
    return (X[3] - X[5] + 0.5 * X[9]).astype(np.float32)[None]


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


def test_other_labels_of_the_same_vectors_are_not_mixed_up(use):
    at = search(query="words word 3", search="leave_out=no")
    results._forget(("shipped", session.DEFAULT_DATA))
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
