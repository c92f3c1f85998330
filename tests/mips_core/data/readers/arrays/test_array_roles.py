"""Roles of named arrays: by choice, by name, by shape, and asked for where none of these decide."""

import numpy as np
import pytest

from mips_core.base.errors import DataError
from mips_core.data.readers.arrays.array_roles import assign
from mips_core.data.readers.arrays.named_arrays import TEXT, NamedArray
from mips_core.data.readers.choices import NONE, Choices, UnsettledError

F4, I8, U5, OBJECT = (np.dtype(name) for name in ("f4", "i8", "U5", "O"))


def of(**shapes):
    """Arrays by name; floats of that shape, or (shape, dtype)."""
    return {
        name: NamedArray(*value) if isinstance(value[0], tuple) else NamedArray(value, F4)
        for name, value in shapes.items()
    }


def named(*pairs):
    return {name: NamedArray(shape, F4) for name, shape in pairs}


def roles(arrays, **choices):
    found = assign(arrays, Choices(**choices), "file.x")
    return found.items, found.queries, found.label, found.bias, found.transposed


TOLD = [
    (of(whatever=(6, 4)), ("whatever", "", "", "", False)),
    (of(queries=(6, 4)), ("queries", "", "", "", False)),
    (of(user_factors=(9, 4), item_factors=(6, 4)),
     ("item_factors", "user_factors", "", "", False)),
    (of(x_train=(9, 4), x_test=(6, 4)), ("x_train", "x_test", "", "", False)),
    (of(U=(9, 4), V=(6, 4)), ("V", "U", "", "", False)),
    (of(train=(6, 4), test=(9, 4), neighbors=((9, 3), I8), distances=(9, 3)),
     ("train", "test", "", "", False)),
    (of(foo=(6, 4), queries=(9, 4)), ("foo", "queries", "", "", False)),
    (of(items=(6, 4), queries=(9, 5)), ("items", "", "", "", False)),
    (of(other=(6, 4), embeddings=(9, 4)), ("embeddings", "", "", "", False)),
    (of(ids=((6,), I8), embeddings=(6, 4)), ("embeddings", "", "ids", "", False)),
    (of(ids=((6,), I8), x=(6, 4), labels=((6,), U5)), ("x", "", "labels", "", False)),
    (of(words=((6,), OBJECT, TEXT), x=(6, 4)), ("x", "", "words", "", False)),
    (of(words=((5,), U5), x=(6, 4)), ("x", "", "", "", False)),
    (of(W=(6, 4), b=(6,)), ("W", "", "", "b", False)),
    (of(W=(6, 4), b=(6,), H=(9, 4)), ("W", "H", "", "b", False)),
    (of(W=(4, 6), b=(6,), H=(9, 4)), ("W", "H", "", "b", True)),
    (of(W=(6, 6), b=(6,)), ("W", "", "", "b", False)),
    (of(kernel=(6, 6), bias=(6,)), ("kernel", "", "", "bias", True)),
    (of(coef_=(6, 4), intercept_=(6,), classes=((6,), U5)),
     ("coef_", "", "classes", "intercept_", False)),
    (of(W=(6, 4), b=((6,), I8)), ("W", "", "", "", False)),
    (of(W=(6, 4), b=(5,)), ("W", "", "", "", False)),
    (of(embeddings=(6, 4), bias=(6,)), ("embeddings", "", "", "", False)),
    (of(item_embeddings=(6, 4), user_embeddings=(9, 4), item_biases=(6,), user_biases=(9,)),
     ("item_embeddings", "user_embeddings", "", "", False)),
    (named(("fc.weight", (6, 4)), ("fc.bias", (6,)), ("hidden", (9, 4))),
     ("fc.weight", "hidden", "", "fc.bias", False)),
    (named(("dense/dense/kernel:0", (4, 6)), ("dense/dense/bias:0", (6,))),
     ("dense/dense/kernel:0", "", "", "dense/dense/bias:0", True)),
    (named(("fc.weight", (6, 4)), ("norm.bias", (6,))), ("fc.weight", "", "", "", False)),
    (named(("user_embedding.weight", (9, 4)), ("item_embedding.weight", (6, 4)),
           ("user_bias.weight", (9, 1)), ("item_bias.weight", (6, 1))),
     ("item_embedding.weight", "user_embedding.weight", "", "", False)),
    (of(model=(6, 4), empty=(0, 4), flat=(4,), deep=(2, 3, 4), words=((6, 4), U5)),
     ("model", "", "", "", False)),
]  # fmt: skip


@pytest.mark.parametrize(("arrays", "expected"), TOLD, ids=["-".join(told[0]) for told in TOLD])
def test_told_by_names_and_shapes(arrays, expected):
    assert roles(arrays) == expected


ASKED = [
    of(a=(6, 4), b=(9, 4)),
    of(U=(9, 4), s=(4,), Vt=(4, 6)),
    of(foo=(6, 5), queries=(9, 4)),
    of(embeddings=(6, 4), W=(3, 4), b=(3,)),
    named(("encoder.embed_tokens.weight", (22, 6)), ("encoder.embed_positions.weight", (16, 6))),
    named(("fc1.weight", (8, 4)), ("fc1.bias", (8,)), ("fc2.weight", (6, 8)), ("fc2.bias", (6,))),
    named(("embeddings.weight", (50, 4)), ("attention.query.weight", (4, 4)),
          ("attention.key.weight", (4, 4))),
]  # fmt: skip


@pytest.mark.parametrize("arrays", ASKED, ids=["-".join(arrays) for arrays in ASKED])
def test_asked_where_names_do_not_tell(arrays):
    with pytest.raises(UnsettledError, match="names do not tell") as caught:
        roles(arrays)
    tables = {name: array.about for name, array in arrays.items() if array.is_table}
    assert {offer.name: offer.about for offer in caught.value.offers.arrays} == tables
    assert all(f"“{name}”" in str(caught.value) for name in list(tables)[:2])


def test_a_large_model_is_listed_in_part_embeddings_first():
    layers = [(f"layer.{i}.weight", (4, 4)) for i in range(300)]
    with pytest.raises(UnsettledError) as caught:
        roles(named(*layers, ("embed_tokens.weight", (50, 4))))
    assert "search: “embed_tokens.weight” (50 × 4, float32), “layer.0.weight”" in str(caught.value)
    assert "and 293 more" in str(caught.value)
    assert len(caught.value.offers.arrays) == 301


def test_choices_come_before_names():
    arrays = of(items=(6, 4), queries=(9, 4), other=(7, 4), ids=((6,), I8), words=((6,), U5))
    assert roles(arrays) == ("items", "queries", "words", "", False)
    assert roles(arrays, array="other") == ("other", "queries", "", "", False)
    assert roles(arrays, array="other", queries=NONE) == ("other", "", "", "", False)
    assert roles(arrays, queries="other", label="ids") == ("items", "other", "ids", "", False)
    assert roles(arrays, label=NONE) == ("items", "queries", "", "", False)
    assert roles(of(a=(6, 4), b=(9, 4)), queries="a") == ("b", "a", "", "", False)


def test_a_chosen_layer_brings_its_bias_and_order():
    arrays = named(("a/kernel", (4, 8)), ("a/bias", (8,)), ("b/kernel", (8, 6)), ("b/bias", (6,)))
    assert roles(arrays, array="b/kernel") == ("b/kernel", "", "", "b/bias", True)


@pytest.mark.parametrize(
    ("choices", "words"),
    [
        ({"array": "none"}, r"no table “none”. It has: “items” \(6 × 4, float32\), “narrow”"),
        ({"array": NONE}, "no table “-”"),
        ({"array": "ids"}, "no table “ids”"),
        ({"queries": "none"}, "no table “none”"),
        ({"queries": "narrow"}, "“narrow” has 3 dimensions, “items” has 4"),
        ({"array": "items", "queries": "items"}, "chosen as items and as queries"),
        ({"label": "none"}, "no array “none” with 6 labels. It has: “ids”"),
    ],
)
def test_choices_that_do_not_fit_are_refused(choices, words):
    with pytest.raises(DataError, match=words):
        roles(of(items=(6, 4), narrow=(9, 3), ids=((6,), I8)), **choices)


@pytest.mark.parametrize(
    ("arrays", "words"),
    [
        ({}, "it is empty"),
        (of(x=(4,), y=((6,), U5)), "“x” (4, float32), “y” (6, text"),
        (of(x=(0, 4)), "“x” (0 × 4, float32)"),
        ({"x": NamedArray((), F4)}, "“x” (a single value, float32)"),
        ({"x": NamedArray((6, 4), np.dtype("V1"), "F4")}, "“x” (6 × 4, F4)"),
    ],
    ids=["none", "flat", "no rows", "single", "unknown numbers"],
)
def test_no_table_at_all(arrays, words):
    with pytest.raises(DataError) as caught:
        roles(arrays)
    assert words in str(caught.value)


def test_what_was_taken_is_said():
    arrays = of(W=(4, 6), b=(6,), H=(9, 4), objects=((6,), OBJECT), other=(2, 2))
    found = assign(arrays, Choices(), "file.x")
    assert found.notes == (
        "“W” (4 × 6, float32) is taken as items.",
        "“H” (9 × 4, float32) is taken as queries.",
        "“b” is taken as bias.",
        "The columns of “W” are the items.",
        "Left out: “objects: Python objects, never opened”, “other”.",
    )
    assert (found.offers.array, found.offers.queries, found.offers.label) == ("W", "H", "")
    assert [offer.name for offer in found.offers.arrays] == ["W", "H", "other"]


def test_one_array_alone_needs_no_words():
    assert assign(of(x=(6, 4)), Choices(), "file.x").notes == ()


def test_texts_for_the_columns_are_remarked_on():
    arrays = of(vectors=(4, 6), words=((6,), U5))
    assert any("“words” has one text for each column" in note
               for note in assign(arrays, Choices(), "file.x").notes)  # fmt: skip
    arrays = of(vectors=(6, 4), words=((6,), U5), names=((4,), U5))
    assert not any("each column" in note for note in assign(arrays, Choices(), "file.x").notes)
