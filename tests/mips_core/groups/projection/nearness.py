"""Rows in groups, and the definition of nearest rows, for tests of both."""

import numpy as np

from mips_core.groups.projection import nearest


def all_distances(rows):
    wide = rows.astype(np.float64)
    return np.sqrt(((wide[:, None] - wide[None]) ** 2).sum(axis=2))


def assert_nearest(rows, found, k):
    """The definition: the k least distances, each to the row named, itself first, no repeats."""
    apart = all_distances(rows)
    k = min(k, len(rows))
    assert found.ids.shape == found.distances.shape == (len(rows), k)
    assert (found.ids.dtype, found.distances.dtype) == (np.int32, np.float32)
    np.testing.assert_array_equal(found.ids[:, 0], np.arange(len(rows)))
    assert all(len(set(ids)) == k for ids in found.ids.tolist())
    np.testing.assert_allclose(found.distances, np.sort(apart, axis=1)[:, :k], rtol=1e-6)
    named = np.take_along_axis(apart, found.ids.astype(np.int64), axis=1)
    np.testing.assert_allclose(found.distances, named, rtol=1e-6)


def blobs(n=6000, d=16, seed=0):
    rng = np.random.default_rng(seed)
    centres = rng.normal(size=(40, d)) * 3
    return (centres[rng.integers(40, size=n)] + rng.normal(size=(n, d))).astype(np.float32)


def share_found(rows, found):
    exact = nearest(rows, found.ids.shape[1])
    return np.mean([np.isin(a, b).mean() for a, b in zip(exact.ids, found.ids, strict=True)])
