"""Which parts of an object are vectors, queries, labels and bias, and which objects hold none."""

import numpy as np
import pytest

from mips_core.data.readers.choices import UnsettledError
from tests.mips_core.data.readers.json.json_writing import ROWS, WORDS, V, X, check, named


def test_named_arrays_have_roles(table):
    found = check(table(named(labels=WORDS, queries=V[:2], other="x")), WORDS)
    np.testing.assert_array_equal(found.queries, X[:2])
    assert found.offers.array == "embeddings"
    assert found.offers.queries == "queries"
    layer = table({"W": V, "b": [0.5, 1, 2, 3], "hidden": V[:1]})
    np.testing.assert_array_equal(layer.bias, [0.5, 1, 2, 3])
    assert layer.queries.shape == (1, 3)


def test_arrays_are_chosen_among_several(table, refused):
    content = {"a": V, "b": V[:2], "names": WORDS}
    offers = refused(content, UnsettledError).offers
    assert [offer.name for offer in offers.arrays] == ["a", "b"]
    found = check(table(content, array="a", queries="b", label="names"), WORDS)
    assert found.queries.shape == (2, 3)
    assert "“c”" in refused(content, array="c").found


def test_arrays_of_objects_are_chosen_among_several(table, refused):
    content = {"first": ROWS, "second": ROWS[:2]}
    assert len(refused(content, UnsettledError).offers.arrays) == 2
    check(table(content, array="first"), WORDS)


@pytest.mark.parametrize(
    ("content", "words"),
    [
        ("[]", "only an empty array"),
        ("{}", "only an empty object"),
        ('["a", "b"]', "an array of text"),
        ("[true, false]", "an array of true and false"),
        ({"name": "x", "deps": {"a": "1"}, "files": ["a"]}, "the keys “name”, “deps”, “files”"),
        ({"added_tokens": [{"id": 0, "content": "x"}], "model": {"vocab": {"a": 0}}},
         "the keys “added_tokens”, “model”"),
        ({"a": [{"price": 3, "year": 1999}]}, "the keys “a”"),
        ({"type": "FeatureCollection", "features": [{"geometry": {"coordinates": [1.5, 2]}}]},
         "GeoJSON"),
        ({"$schema": "https://vega.github.io/schema/vega-lite/v5.json", "data": {"values": ROWS}},
         "a Vega chart"),
        ({"cells": [], "nbformat": 4}, "a notebook"),
    ],
)  # fmt: skip
def test_what_holds_no_vectors_is_named(refused, content, words):
    assert words in refused(content).found
