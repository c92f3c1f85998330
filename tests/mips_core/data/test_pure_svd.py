"""Ratings to vectors: the worked example, reconstruction, and what becomes zero."""

import numpy as np
import pytest

from mips_core.base.errors import DataError, ParamError
from mips_core.data.pure_svd import pure_svd


def factors(triples, rank):
    users, items, values = (np.array(column) for column in zip(*triples, strict=True))
    return pure_svd(users, items, values.astype(float), rank)


def test_worked_example():
    # user 0 rated 5 and 3, user 1 rated item 0 with 4; a third item makes rank 1 possible
    found = factors([(0, 0, 5), (0, 1, 3), (1, 0, 4)], 1)
    assert found.singular == pytest.approx([np.sqrt(2)])
    assert np.abs(found.users[0]) == pytest.approx(np.sqrt(2))
    assert np.abs(found.items[:, 0]) == pytest.approx([np.sqrt(0.5)] * 2)
    assert found.users @ found.items.T == pytest.approx(np.array([[1, -1], [0, 0]]), abs=1e-6)


def test_full_rank_gives_the_centred_ratings_back_and_rows_of_items_are_not_unit():
    rng = np.random.default_rng(1)
    rated = np.argwhere(rng.random((9, 14)) < 0.6)
    values = rng.integers(1, 6, len(rated)).astype(float)
    Z = np.zeros((9, 14))
    for (u, i), value in zip(rated, values, strict=True):
        Z[u, i] = value - values[rated[:, 0] == u].mean()
    found = pure_svd(rated[:, 0], rated[:, 1], values, 8)
    best = np.linalg.svd(Z)
    expected = (best.U[:, :8] * best.S[:8]) @ best.Vh[:8]
    np.testing.assert_allclose(found.users @ found.items.T, expected, atol=1e-5)
    np.testing.assert_allclose(found.singular, best.S[:8], rtol=1e-9)
    np.testing.assert_allclose(found.items.T @ found.items, np.eye(8), atol=1e-5)
    assert np.ptp(np.linalg.norm(found.items, axis=1)) > 0.1


def test_a_user_of_equal_ratings_is_a_zero_query():
    found = factors([(0, 0, 5), (0, 1, 3), (1, 0, 4), (1, 2, 4), (2, 1, 2), (2, 2, 1)], 2)
    assert np.abs(found.users[1]).max() < 1e-6


def test_signs_are_fixed():
    rng = np.random.default_rng(2)
    rated = np.argwhere(rng.random((9, 14)) < 0.6)
    found = pure_svd(rated[:, 0], rated[:, 1], rng.random(len(rated)), 4)
    largest = np.abs(found.items).argmax(axis=0)
    assert (found.items[largest, np.arange(4)] > 0).all()


@pytest.mark.parametrize("rank", [0, 2, 5])
def test_a_rank_that_cannot_be_is_refused(rank):
    with pytest.raises(ParamError, match=f"Rank {rank} is outside 1 to 1"):
        factors([(0, 0, 5), (0, 1, 3), (1, 0, 4)], rank)


def test_ratings_of_a_lower_rank_have_fewer_components():
    found = factors([(0, 0, 5), (0, 1, 3), (1, 0, 5), (1, 1, 3), (2, 2, 4)], 2)
    assert (found.rank, found.users.shape, found.items.shape) == (1, (3, 1), (3, 1))
    assert found.kept == pytest.approx([1])
    assert not found.users[2].any()
    assert not found.items[2].any()


def test_equal_ratings_are_refused_though_their_mean_is_rounded():
    for value in (3, 3.3, 0.1):
        with pytest.raises(DataError, match="equal ratings"):
            factors([(u, i, value) for u in range(4) for i in range(3)], 1)


def test_the_share_kept_and_truncation():
    rng = np.random.default_rng(3)
    rated = np.argwhere(rng.random((9, 14)) < 0.6)
    found = pure_svd(rated[:, 0], rated[:, 1], rng.random(len(rated)), 8)
    assert found.total > (found.singular**2).sum()  # of all nine components
    np.testing.assert_allclose(found.kept, np.cumsum(found.singular**2) / found.total)
    few = found.truncated(3)
    np.testing.assert_array_equal(few.items, found.items[:, :3])
    np.testing.assert_array_equal(few.kept, found.kept[:3])
    with pytest.raises(ParamError, match="Rank 9 is outside 1 to 8"):
        found.truncated(9)


def test_no_ratings_are_refused():
    with pytest.raises(DataError, match="no ratings"):
        pure_svd(np.empty(0, int), np.empty(0, int), np.empty(0), 1)
