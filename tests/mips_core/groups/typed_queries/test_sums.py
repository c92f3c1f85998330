"""Queries that are typed: which text is which vector, and what is said where it is none."""

from contextlib import suppress
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from mips_core import DataError, Dataset
from mips_core.data.classifier import layer_items
from mips_core.data.metrics import conversion, searched_by
from mips_core.evaluation.one_query import question_of_item, true_answers
from mips_core.groups.typed_queries import query_length, question_of_vector, sum_of, vector_of_text
from tests import oracle

LABELS = (
    "king man woman queen|new york|spider-man|rock + roll|bank|bank|King|0.5*x|C++|−|don't|"
    'the "best" one'
)
LABELS = [*LABELS.split("|")[0].split(), *LABELS.split("|")[1:]]
ROW = {label: row for row, label in reversed(list(enumerate(LABELS)))}


def words(**known):
    X = np.random.default_rng(0).normal(size=(len(LABELS), 3)).astype(np.float32)
    return Dataset(X, labels=LABELS, name="words", **known)


VECTORS = arrays(np.float32, 5, elements=st.floats(-1e6, 1e6, width=32))
FORMS = {
    "commas": lambda v: ",".join(map(str, v)),
    "blanks": lambda v: "  ".join(map(str, v)),
    "lines": lambda v: "\n".join(map(str, v)) + "\n",
    "semicolons": lambda v: "; ".join(map(str, v)),
    "rows": lambda v: ",".join(map(str, v[:3])) + ",\n" + ",".join(map(str, v[3:])),
    "list": lambda v: str(v.tolist()),
    "list of scalars": lambda v: repr(list(v)),
    "tuple": lambda v: str(tuple(v.tolist())),
    "array": repr,
    "two brackets": lambda v: repr(v[None]),
    "numpy's name": lambda v: f"np.{v!r}",
    "tensor": lambda v: f"tensor([{v.tolist()}], device='cuda:0', dtype=torch.float32)",
    "true minus": lambda v: " ".join(map(str, v)).replace("-", "−"),
}


@pytest.mark.parametrize("form", FORMS.values(), ids=FORMS)
@given(VECTORS)
def test_a_vector_is_read_as_it_was_written(form, vector):
    with np.printoptions(precision=9, floatmode="unique"):
        read = vector_of_text(form(vector), 5)
    assert read.dtype == np.float32
    assert read.tolist() == vector.tolist()


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "There are no numbers. Paste 3 numbers."),
        ("[ ]", "There are no numbers."),
        ("1,2", "The vector has 2 numbers, a query here has 3 dimensions."),
        ("1,2,3,4", "The vector has 4 numbers, a query here has 3 dimensions."),
        ("7", "The vector has 1 number, a query"),
        ("1 2 nan", "“nan” (character 5) is no number that can be searched with."),
        ("1\n2\n-inf", "“-inf” (line 3, character 1) is no number that can be searched with."),
        ("1e400 2 3", "“1e400” (character 1) is no number that can be searched with."),
        ("1 2 1e16", "“1e16” (character 5) is no number that can be searched with."),
        ("1 2 three", "“three” (character 5) is not a number."),
        ("king 1 2 3", "“king” (character 1) is not a number. Paste the numbers alone."),
        ("1 2 0x3", "“0x3” (character 5) is not a number."),
        ("1_0 2 3", "“1_0” (character 1) is not a number."),
        ("１ 2 3", "“１” (character 1) is not a number."),
        ("1,,3", "No number stands at the “,” (character 2)."),
        (",1,2,3", "No number stands at the “,” (character 1)."),
        ("0,1 0,2 0,3", "“0,1” (character 1) looks like one number with a decimal comma."),
        (
            "1\n0,5\n2\n3,5",
            "“0,5” (line 2, character 1) looks like one number with a decimal comma.",
        ),
        ("1; 0,25; 2", "“0,25” (character 4) looks like one number with a decimal comma."),
        ("[1 2 ... 3]", "The “...” (character 6) stands for numbers that were left out."),
        ("[[1 2 3]\n [4 5 6]]", "The brackets hold 2 vectors."),
        ("<script>", "“<script>” (character 1) is not a number."),
        ("x" * 100, f"“{'x' * 39}…” (character 1) is not a number."),
    ],
)
def test_text_that_is_no_vector_is_refused_with_the_place(text, said):
    with pytest.raises(DataError) as refused:
        vector_of_text(text, 3)
    assert str(refused.value).startswith(said)


LONG = 20_000


@pytest.mark.parametrize(
    "text",
    ["1 " * LONG, "[1]" + " " * LONG, "1" * LONG + "x", "array([1]" + ", a=" * LONG, "(" * LONG],
    ids=["numbers", "blanks", "digits", "words", "brackets"],
)
def test_long_text_is_looked_at_once(text):
    """Minutes, where an expression starts anew at every character."""
    for ask in (lambda: vector_of_text(text, 3), lambda: sum_of(words(), f"king {text} - man")):
        with pytest.raises(DataError):
            ask()


def test_two_numbers_beside_a_comma_are_two_where_that_fits():
    assert vector_of_text("1,2\n3", 3).tolist() == [1, 2, 3]
    assert vector_of_text("0,5 1,5", 4).tolist() == [0, 5, 1, 5]


@given(st.text("0123456789.,;-+e []()naif\n", max_size=30))
def test_any_text_is_a_vector_or_refused(text):
    with suppress(DataError):
        assert np.isfinite(vector_of_text(text, 3)).all()


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
    found = sum_of(source, text)
    expected = sum(w * source.items[ROW[label]].astype(float) for label, w in weights.items())
    assert found.vector == pytest.approx(expected)
    assert found.written == written
    assert found.rows == tuple(sorted(ROW[label] for label in weights))
    assert found.notes == []


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
    found = sum_of(words(), "bank + bank - man")
    assert found.rows == (ROW["man"], ROW["bank"])
    assert found.notes == [
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
        found = sum_of(source, text)
        terms = [term.weight * X[term.row] for term in found.terms]
        assert found.vector.tolist() == sum(terms, np.zeros(4)).tolist()


@pytest.mark.parametrize("metric", ["inner product", "cosine", "euclidean"])
def test_a_vector_is_asked_in_the_metric(metric):
    source = words()
    dataset = searched_by(source, metric)
    vector = sum_of(source, "king - man + woman").vector
    question = question_of_vector(dataset, vector, 4, (0, 1, 2))
    assert len(vector) == query_length(source)
    expected = conversion(source.items, metric).queries(vector.astype(np.float32)[None])[0]
    assert question.query.tolist() == expected.tolist()
    ranking = oracle.ranking(dataset.items, question.query)
    true = true_answers(dataset.items, question)
    assert true.ids.tolist() == [row for row in ranking if row > 2][:4]
    same = question_of_vector(dataset, source.items[3], 4)
    assert true_answers(dataset.items, same).ids.tolist() == (
        true_answers(
            dataset.items, question_of_item(dataset, 3, 4, exclude_self=False)
        ).ids.tolist()
        if metric != "euclidean"
        else oracle.ranking(dataset.items, same.query)[:4]
    )


def test_all_items_may_be_named():
    dataset = words()
    everything = tuple(range(dataset.n))
    assert len(true_answers(dataset.items, question_of_vector(dataset, np.ones(3), 5,
                                                              everything)).ids) == 0  # fmt: skip


def test_a_class_counts_without_its_bias_and_a_hidden_state_gets_its_one():
    W = np.arange(6, dtype=np.float32).reshape(2, 3)
    layer = Dataset(layer_items(W, np.array([9.0, 7.0])), labels=["a", "b"], logits=True)
    found = sum_of(layer, "b - a")
    assert found.vector.tolist() == [3, 3, 3]
    assert query_length(layer) == 3
    assert question_of_vector(layer, found.vector, 2).query.tolist() == [3, 3, 3, 1]


def test_a_sum_too_large_for_float32_is_refused():
    source = Dataset(np.full((2, 2), 1e15, np.float32), labels=["a", "b"])
    with pytest.raises(DataError, match="finite number"):
        question_of_vector(source, sum_of(source, "1e15*a").vector, 1)
