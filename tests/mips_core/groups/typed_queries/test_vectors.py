"""Which text is which vector, what is said where it is none, and how a vector is asked."""

from contextlib import suppress

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from mips_core import DataError, Dataset
from mips_core.data.metrics import conversion, searched_by
from mips_core.groups.typed_queries import query_length, question_of_vector, sum_of, vector_of_text
from mips_core.groups.typed_queries.one_query import question_of_item, true_answers
from tests import oracle
from tests.mips_core.groups.typed_queries.labelled_words import words

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


def test_a_sum_too_large_for_float32_is_refused():
    source = Dataset(np.full((2, 2), 1e15, np.float32), labels=["a", "b"])
    with pytest.raises(DataError, match="finite number"):
        question_of_vector(source, sum_of(source, "1e15*a").vector, 1)
