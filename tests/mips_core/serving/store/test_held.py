"""The vectors in an index file become the data set again on which its index was built."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from mips_core import DataError, Dataset, rng_for, searched_by
from mips_core.methods.kmeans.flat import FlatKMeans
from mips_core.serving.store import stored_index
from mips_core.serving.store.held import held_data

ENTRIES = st.floats(-1e6, 1e6, width=32)


def stored_of(X, metric="inner product", **known):
    data = searched_by(Dataset(X, **known), metric)
    index = FlatKMeans()
    return stored_index(data, index, 0, index.build(data.items, rng_for(0)))


@given(
    arrays(np.float32, st.tuples(st.integers(1, 9), st.integers(1, 4)), elements=ENTRIES),
    st.sampled_from([0, 7, 1e3, -123456.7]),
    st.sampled_from(["inner product", "cosine", "euclidean"]),
)
def test_they_are_searched_as_before(X, offset, metric):
    X = X + np.float32(offset)
    if not X.any():
        return
    stored = stored_of(X, metric)
    source, by = held_data(stored)
    assert searched_by(source, by).fingerprint == stored.fingerprint
    if metric != "cosine":
        np.testing.assert_array_equal(source.items, X)


def test_what_else_is_known_comes_along():
    X, labels = np.eye(3, dtype=np.float32), ["a", "b", "c"]
    stored = stored_of(X, labels=labels, name="mine", simulated=True, logits=True)
    source, metric = held_data(stored)
    assert (source.labels, source.name, source.simulated, source.logits) == (
        labels,
        "mine",
        True,
        True,
    )
    assert (source.m, metric) == (0, "inner product")


def test_an_index_without_items_holds_no_data():
    stored = stored_of(np.eye(3, dtype=np.float32), name="mine")
    object.__setattr__(stored, "items", None)
    with pytest.raises(DataError, match="index of mine was saved without its items"):
        held_data(stored)
