"""Labels that are added and subtracted: what they mean, and what is said where they are no sum."""

from contextlib import suppress
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from mips_core import DataError, Dataset
from mips_core.data.classifier import layer_items
from mips_core.groups.typed_queries import query_length, question_of_vector, sum_of
from tests.mips_core.groups.typed_queries.labelled_words import ROW, words


@pytest.mark.parametrize(
    ("text", "weights", "written"),
    [
        ("king", {"king": 1}, "king"),
        ("KING", {"king": 1}, "king"),
        ("King", {"King": 1}, "King"),
        ("king - man + woman", {"king": 1, "man": -1, "woman": 1}, "king − man + woman"),
        ("king-man+woman", {"king": 1, "man": -1, "woman": 1}, "king − man + woman"),
        ("king − man – woman", {"king": 1, "man": -1, "woman": -1}, "king − man − woman"),
        ("- man +king", {"man": -1, "king": 1}, "− man + king"),
        ("0.5*king - 2 × man", {"king": 0.5, "man": -2}, "0.5 king − 2 man"),
        ("2*king-.5*man", {"king": 2, "man": -0.5}, "2 king − 0.5 man"),
        ("king + king", {"king": 2}, "king + king"),
        ("new york - king", {"new york": 1, "king": -1}, "new york − king"),
        ("spider-man - man", {"spider-man": 1, "man": -1}, "spider-man − man"),
        ("rock + roll", {"rock + roll": 1}, "rock + roll"),
        ('"rock + roll" - man', {"rock + roll": 1, "man": -1}, "rock + roll − man"),
        ("2*“rock + roll”-man", {"rock + roll": 2, "man": -1}, "2 rock + roll − man"),
        ("0.5*x", {"0.5*x": 1}, "0.5*x"),
        ('0.5*"0.5*x"', {"0.5*x": 0.5}, "0.5 0.5*x"),
        ("C++ + man", {"C++": 1, "man": 1}, "C++ + man"),
        ("−", {"−": 1}, "−"),
        ("don't + man", {"don't": 1, "man": 1}, "don't + man"),
        ('the "best" one', {'the "best" one': 1}, 'the "best" one'),
    ],
)
def test_words_add_up(text, weights, written):
    source = words()
    total = sum_of(source, text)
    expected = sum(w * source.items[ROW[label]].astype(float) for label, w in weights.items())
    assert total.vector == pytest.approx(expected)
    assert total.written == written
    assert total.rows == tuple(sorted(ROW[label] for label in weights))
    assert total.notes == []


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("womann + king", "No label is “womann”. Near it: “woman”."),
        ("quen", "No label is “quen”. Near it: “queen”."),
        ("spider-mann", "No label is “spider-mann”. Near it: “spider-man”."),
        ("rock - man", "No label is “rock”. Near it: “rock + roll”."),
        (
            "king queen - man",
            "No label is “king queen”. Between two labels stands + or -: write “king + queen” to",
        ),
        (
            "new york  king Man",
            "No label is “new york king Man”. Between two labels stands + or -: "
            "write “new york + king + Man”",
        ),
        ("king nope", "No label is “king nope”. Labels that hold"),
        ("kin", "No label is “kin”. Near it: “king” or “King”."),
        ('king - "nope"', "No label is “nope”."),
        ("<b>*x*</b>", "No label is “<b>*x*</b>”."),
        ("", "A label is missing. Write"),
        ("king -", "A label is missing after the “-”."),
        ("king + - man", "A label is missing after the “+”."),
        ("1e99*king", "The factor 1e99 is too large."),
        ("z" * 500, f"No label is “{'z' * 59}…”."),
    ],
)
def test_text_that_is_no_sum_says_what_is_missing(text, said):
    with pytest.raises(DataError) as refused:
        sum_of(words(), text)
    assert str(refused.value).startswith(said)


def test_the_first_of_equal_labels_is_taken_and_said():
    total = sum_of(words(), "bank + bank - man")
    assert total.rows == (ROW["man"], ROW["bank"])
    assert total.notes == [
        f"“bank” is the label of 2 items; row {ROW['bank']}, the first, was taken."
    ]


def test_queries_are_named_where_no_item_is():
    Q = np.array([[1, 2, 3], [4, 5, 6]], np.float32)
    source = words(queries=Q, query_labels=["user 7", "king"], query_rows=np.array([4, -1]))
    assert sum_of(source, "user 7").vector.tolist() == [1, 2, 3]
    assert sum_of(source, "user 7 - king").rows == (ROW["king"], 4)  # its own row too
    assert sum_of(source, "king").vector == pytest.approx(source.items[0])
    with pytest.raises(DataError, match="words has no labels"):
        sum_of(replace(source, labels=None, query_labels=None), "king")


@given(st.text('ab+-−*"“” 0.5', max_size=12))
def test_any_words_add_up_or_are_refused(text):
    X = np.eye(4, dtype=np.float32)
    source = Dataset(X, labels=["a", "b", "a b", "a - b"])
    with suppress(DataError):
        total = sum_of(source, text)
        terms = [term.weight * X[term.row] for term in total.terms]
        assert total.vector.tolist() == sum(terms, np.zeros(4)).tolist()


def test_a_class_counts_without_its_bias_and_a_hidden_state_gets_its_one():
    W = np.arange(6, dtype=np.float32).reshape(2, 3)
    layer = Dataset(layer_items(W, np.array([9.0, 7.0])), labels=["a", "b"], logits=True)
    total = sum_of(layer, "b - a")
    assert total.vector.tolist() == [3, 3, 3]
    assert query_length(layer) == 3
    assert question_of_vector(layer, total.vector, 2).query.tolist() == [3, 3, 3, 1]
