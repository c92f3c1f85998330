"""The largest eigenvalues and vectors against NumPy's, and the same bits whatever BLAS runs."""

import os
import subprocess
import sys

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from mips_core.base.eigenvectors import largest_eigenvectors

# What ratings become and what a PCA-tree is built from, hashed.
BITS = """
from hashlib import sha256
import numpy as np
from mips_core.base.progress import silent
from mips_core.base.seeds import rng_for
from mips_core.data.pure_svd import pure_svd
from mips_core.methods.trees.median_tree import principal_directions

rng = np.random.default_rng(7)
rated = np.argwhere(rng.random((300, 500)) < 0.1)
factors = pure_svd(rated[:, 0], rated[:, 1], rng.integers(1, 6, len(rated)).astype(float), 60)
directions = principal_directions(factors.items, 9, rng_for(0), silent)
parts = factors.users, factors.items, factors.singular, directions
print(*(sha256(part.tobytes()).hexdigest() for part in parts))
"""


def pairs(A, count):
    return largest_eigenvectors(lambda x: A @ x, len(A), count)


@given(st.integers(0, 999), st.integers(1, 70), st.integers(1, 70), st.floats(0.5, 1))
def test_they_are_those_of_the_definition(seed, size, count, fall):
    count = min(size, count)
    rng = np.random.default_rng(seed)
    B = rng.normal(size=(size, size)) * fall ** np.arange(size)
    values, vectors = pairs(B @ B.T, count)
    expected = np.linalg.eigvalsh(B @ B.T)[::-1]
    np.testing.assert_allclose(values, expected[:count], rtol=0, atol=1e-11 * expected[0])
    np.testing.assert_allclose(vectors @ vectors.T, np.eye(count), atol=1e-11)
    left = B @ (B.T @ vectors.T) - vectors.T * values
    np.testing.assert_allclose(left, 0, atol=1e-10 * expected[0])


@pytest.mark.parametrize(
    ("diagonal", "expected"),
    [
        ([3, 3, 3, 3], [3, 3, 3]),
        ([0, 2, 3, 3, 1, 0], [3, 3, 2]),
        ([0, 0, 0], [0, 0, 0]),
        ([5] * 60 + [1] * 60, [5, 5, 5]),
        ([1e-30, 4e-30, 2e-30], [4e-30, 2e-30, 1e-30]),
    ],
)
def test_equal_values_have_as_many_vectors(diagonal, expected):
    A = np.diag(np.array(diagonal, float))
    values, vectors = pairs(A, 3)
    np.testing.assert_allclose(values, expected, rtol=1e-12)
    np.testing.assert_allclose(vectors @ vectors.T, np.eye(3), atol=1e-12)
    np.testing.assert_allclose(A @ vectors.T, vectors.T * values, atol=1e-12 * max(expected))


def test_few_products_are_enough_where_few_values_are_large():
    A = np.diag(1.0 / np.arange(1, 801) ** 2)
    count = 0

    def product(x):
        nonlocal count
        count += 1
        return A @ x

    values, _ = largest_eigenvectors(product, 800, 10)
    np.testing.assert_allclose(values, 1.0 / np.arange(1, 11) ** 2, rtol=1e-12)
    assert count < 120


def test_ratings_and_trees_have_the_same_bits_whatever_kernels_blas_takes():
    bits = set()
    for kernel in ("Haswell", "Sandybridge"):
        env = os.environ | {"OPENBLAS_CORETYPE": kernel}
        ended = subprocess.run(
            [sys.executable, "-c", BITS], env=env, capture_output=True, text=True, check=True
        )
        bits.add(ended.stdout)
    assert len(bits) == 1
