"""Rows found by clusters: most of the nearest, all where clusters hold too few."""

import numpy as np
import pytest

from mips_core.groups.projection import nearest, neighbours
from mips_core.groups.projection.row_clusters import clustered
from tests.mips_core.groups.projection.nearness import assert_nearest, blobs, share_found


@pytest.mark.parametrize("offset", [0, 1000])
def test_clusters_find_most_and_say_that_they_may_miss(monkeypatch, offset):
    rows = blobs() + np.float32(offset)
    with monkeypatch.context() as patch:
        patch.setattr(neighbours, "EXACT_ROWS", 100)
        near = nearest(rows, 15)
    assert not near.exact
    assert share_found(rows, near) > 0.93
    assert (np.diff(near.distances, axis=1) >= 0).all()


def test_all_clusters_are_opened_where_few_hold_too_little(by_clusters):
    rows = blobs(300)
    assert_nearest(rows, nearest(rows, 200), 200)


def test_a_tight_group_beside_a_far_row_is_told_apart(monkeypatch):
    rows = blobs(3000) * np.float32(1e-4)
    rows[17] = 1e4
    with monkeypatch.context() as patch:
        patch.setattr(neighbours, "EXACT_ROWS", 100)
        near = nearest(rows, 10)
    assert share_found(rows, near) > 0.9


def test_half_of_the_rows_in_one_place_do_not_make_one_large_cluster():
    rows = blobs(4000)
    rows[::2] *= np.float32(1e-6)
    sizes = np.diff(clustered(rows).starts)
    assert sizes.sum() == 4000
    assert sizes.max() <= 4 * 4000 / 100
    assert sizes.min() > 0


def test_most_true_neighbours_of_real_words_are_found(shared):
    rows = np.load(shared / "data" / "words" / "glove-100d-100k.npy")[:24_000]
    near = nearest(rows, 15)
    assert not near.exact
    some = np.arange(0, len(rows), 80)
    wide = rows.astype(np.float64)
    apart = (wide**2).sum(axis=1) - 2 * wide[some] @ wide.T
    true = np.argpartition(apart, 15, axis=1)[:, :15]
    share = np.mean([np.isin(a, b).mean() for a, b in zip(true, near.ids[some], strict=True)])
    assert share > 0.95
