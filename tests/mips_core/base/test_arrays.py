"""Arrays where they enter: what is taken as it is, what is refused and where it stands."""

import numpy as np
import pytest

from mips_core.base.arrays import as_matrix, as_vectors, settled
from mips_core.base.errors import DataError


def test_a_float32_matrix_is_taken_as_it_is_and_others_are_converted():
    X = np.arange(6, dtype=np.float32).reshape(2, 3)
    assert np.shares_memory(as_matrix(X), X)
    assert as_matrix([[True, False]]).tolist() == [[1, 0]]
    assert as_matrix(X.T).flags.c_contiguous
    half = X.astype(">f2")
    assert as_vectors(half).dtype == np.dtype("=f2")
    np.testing.assert_array_equal(as_vectors(half), X)


@pytest.mark.parametrize(
    ("values", "words"),
    [
        ([1.0, 2.0], "has 1 dimension .shape 2"),
        (np.zeros((1, 2, 3)), "has 3 dimensions .shape 1 x 2 x 3"),
        (5.0, "has 0 dimensions .shape a single number"),
        ([["a"]], "holds str"),
        ([[0, 1], [np.nan, 2], [3, np.inf]], "holds nan in row 1, column 0, and 1 more rows"),
        ([[0.0, -1e16]], "holds -1.* in row 0, column 1[.]"),
    ],
)
def test_what_is_no_matrix_is_named_with_its_place(values, words):
    for take in (as_matrix, as_vectors):
        with pytest.raises(DataError, match=words):
            take(values)


def test_settled_factors_forget_the_last_bits():
    A = np.random.default_rng(0).normal(size=(20, 20))
    off = A * (1 + 2.0**-50 * np.random.default_rng(1).choice([-1, 1], A.shape))
    np.testing.assert_array_equal(settled(A), settled(off))
    assert np.abs(settled(A) - A).max() <= np.abs(A).max() * 2.0**-24
    assert settled(np.zeros((2, 2))).tolist() == [[0, 0], [0, 0]]
