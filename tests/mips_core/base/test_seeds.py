"""Streams are named by what is drawn and do not disturb each other."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from mips_core.base.seeds import rng_for, row_hashes, sample_rows, stream


def test_a_stream_depends_on_names_not_on_what_was_drawn():
    root = rng_for(5)
    first = stream(root, "kmeans", 0).random()
    root.random(100)
    assert stream(root, "kmeans", 0).random() == first
    assert stream(root, "kmeans", 1).random() != first
    assert rng_for(5, "kmeans", 0).random() == first
    assert rng_for(6, "kmeans", 0).random() != first


def test_row_hashes_do_not_depend_on_how_many_rows_there_are():
    long, short = (row_hashes(rng_for(1, "x"), n) for n in (1000, 10))
    np.testing.assert_array_equal(long[:10], short)
    assert len(set(long)) == 1000


@given(st.integers(1, 300), st.integers(1, 400))
def test_sample_rows_are_distinct_and_sorted(n, size):
    rows = sample_rows(rng_for(0, "q"), n, size)
    assert len(rows) == min(n, size)
    assert (np.diff(rows) > 0).all()
    assert 0 <= rows.min() <= rows.max() < n


def test_a_generator_without_a_seed_sequence_is_refused():
    with pytest.raises(TypeError, match="SeedSequence"):
        stream(np.random.Generator(_Bare()), "x")


class _Bare(np.random.PCG64):
    @property
    def seed_seq(self):
        return None
