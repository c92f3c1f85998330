"""Rows in groups, and the definition of nearest rows, for tests of both."""

import numpy as np

from mips_core.groups.projection import nearest


def all_distances(rows):
    wide = rows.astype(np.float64)
    return np.sqrt(((wide[:, None] - wide[None]) ** 2).sum(axis=2))


def assert_nearest(rows, near, k):
    """The definition: the k least distances, each to the row named, itself first, no repeats."""
    apart = all_distances(rows)
    k = min(k, len(rows))
    assert near.ids.shape == near.distances.shape == (len(rows), k)
    assert (near.ids.dtype, near.distances.dtype) == (np.int32, np.float32)
    np.testing.assert_array_equal(near.ids[:, 0], np.arange(len(rows)))
    assert all(len(set(ids)) == k for ids in near.ids.tolist())
    np.testing.assert_allclose(near.distances, np.sort(apart, axis=1)[:, :k], rtol=1e-6)
    named = np.take_along_axis(apart, near.ids.astype(np.int64), axis=1)
    np.testing.assert_allclose(near.distances, named, rtol=1e-6)


def blobs(n=6000, d=16, seed=0):
    rng = np.random.default_rng(seed)
    centres = rng.normal(size=(40, d)) * 3
    return (centres[rng.integers(40, size=n)] + rng.normal(size=(n, d))).astype(np.float32)


def share_found(rows, near):
    exact = nearest(rows, near.ids.shape[1])
    return np.mean([np.isin(a, b).mean() for a, b in zip(exact.ids, near.ids, strict=True)])
