"""Principal directions are eigenvectors, of a sample where rows are many."""

import numpy as np

from mips_core import rng_for
from mips_core.base.progress import silent
from mips_core.methods.trees import pca_directions
from mips_core.methods.trees.pca import PCATree
from mips_core.methods.trees.pca_directions import principal_directions


def test_directions_are_eigenvectors_of_the_centred_covariance():
    rng = np.random.default_rng(3)
    rows = (rng.normal(size=(500, 5)) * [1, 4, 0.5, 2, 3] + 10).astype(np.float32)
    found = principal_directions(rows, 4, rng_for(0), silent)
    covariance = np.cov(rows.astype(float), rowvar=False)
    variances = np.einsum("ij,jk,ik->i", found, covariance, found)
    np.testing.assert_allclose(variances, np.linalg.eigvalsh(covariance)[:0:-1])
    np.testing.assert_allclose(found @ covariance, variances[:, None] * found, atol=1e-5)
    np.testing.assert_allclose(found @ found.T, np.eye(4), atol=1e-6)
    assert (found.max(axis=1) == np.abs(found).max(axis=1)).all()


def test_a_sample_of_many_rows_gives_nearly_the_same_directions(monkeypatch):
    rng = np.random.default_rng(3)
    rows = (rng.normal(size=(4000, 3)) * [1, 9, 3]).astype(np.float32)
    every = principal_directions(rows, 3, rng_for(0), silent)
    monkeypatch.setattr(pca_directions, "MOST_ROWS", 1000)
    sampled = principal_directions(rows, 3, rng_for(0), silent)
    assert (every != sampled).any()
    np.testing.assert_allclose(every, sampled, atol=0.05)
    np.testing.assert_array_equal(sampled, principal_directions(rows, 3, rng_for(0), silent))


def test_directions_without_variance_are_left_out():
    flat = np.random.default_rng(0).normal(size=(300, 2)) @ np.ones((2, 6))
    assert len(principal_directions(flat.astype(np.float32), 6, rng_for(0), silent)) == 1
    same = np.ones((300, 6), np.float32)
    assert len(principal_directions(same, 6, rng_for(0), silent)) == 1
    tree = PCATree().build(same, rng_for(0))  # one level, split by id
    np.testing.assert_array_equal(tree.addresses, np.arange(300) >= 150)
