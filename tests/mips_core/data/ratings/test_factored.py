"""Ratings become users and items whose products estimate what was rated."""

import numpy as np
import pytest

from mips_core.base.errors import Cancelled, DataError, ParamError
from mips_core.data.ratings import Ratings, factored


def rated(shape=(30, 40), seed=0, **changes):
    """Ratings 1 to 5 of about half the pairs, each user and item with one at least."""
    rng = np.random.default_rng(seed)
    some = (rng.random(shape) < 0.5) | (
        np.arange(shape[0])[:, None] % shape[1] == np.arange(shape[1])
    )
    users, items = np.nonzero(
        some | (np.arange(shape[1]) % shape[0] == np.arange(shape[0])[:, None])
    )
    known = {
        "user_codes": users.astype(np.int32),
        "item_codes": items.astype(np.int32),
        "values": rng.integers(1, 6, len(users)).astype(float),
        "user_names": [f"u{k}" for k in range(shape[0])],
        "item_names": [f"i{k}" for k in range(shape[1])],
    }
    return Ratings(**known | changes)


def centred(ratings):
    """Z (users, items) by the definition."""
    Z = np.zeros((ratings.n_users, ratings.n_items))
    for user in range(ratings.n_users):
        own = ratings.user_codes == user
        Z[user, ratings.item_codes[own]] = ratings.values[own] - ratings.values[own].mean()
    return Z


def test_products_are_the_best_estimate_of_the_rank():
    ratings = rated()
    U, s, Vt = np.linalg.svd(centred(ratings))
    for rank in (1, 7, 29):
        found = factored(ratings, rank)
        best = (U[:, :rank] * s[:rank]) @ Vt[:rank]
        np.testing.assert_allclose(found.dataset.queries @ found.dataset.items.T, best, atol=1e-4)
        assert found.kept == pytest.approx((s[:rank] ** 2).sum() / (s**2).sum())
    np.testing.assert_allclose(found.singular, s[:29])


def test_lower_ranks_are_the_first_components_to_the_bit():
    whole = factored(rated())
    for rank in (1, 5, 20):
        alone, cut = factored(rated(), rank), whole.truncated(rank)
        assert alone.dataset.fingerprint == cut.dataset.fingerprint
        assert alone.dataset.query_fingerprint == cut.dataset.query_fingerprint
        np.testing.assert_array_equal(cut.dataset.items, whole.dataset.items[:, :rank])
        assert alone.dataset.notes == cut.dataset.notes


def test_titles_are_labels_and_users_who_rate_alike_are_not_asked():
    ratings = rated()
    values = np.where(ratings.user_codes == 3, 3.3, ratings.values)  # whose mean is not exact
    ratings = rated(values=values, titles={"i1": "One", "elsewhere": "No"}, notes=("Read so.",))
    data = factored(ratings, 5).dataset
    assert data.labels[:3] == ["i0", "One", "i2"]
    assert data.query_labels == [name for name in ratings.user_names if name != "u3"]
    assert data.m == 29
    assert data.notes[0] == "Read so."
    assert not factored(ratings).factors.users[3].any()


def test_implicit_feedback_is_not_centred():
    ratings = rated()
    ratings = rated(values=np.ones(ratings.n_ratings), implicit=True)
    Z = np.zeros((30, 40))
    Z[ratings.user_codes, ratings.item_codes] = 1
    found = factored(ratings)
    np.testing.assert_allclose(found.singular, np.linalg.svd(Z)[1][:29], rtol=1e-6)
    assert found.dataset.m == 30
    assert "of the ones" in found.dataset.notes[0]


def test_the_rank_is_clipped_and_both_are_named():
    found = factored(rated(), 40)
    assert (found.rank, found.dataset.d) == (29, 29)
    assert "Rank 40 was asked for, 29 is used" in found.dataset.notes[-1]
    assert found.truncated(12).dataset.d == 12
    two_kinds = rated(values=np.where(rated().item_codes % 2, 5.0, 1.0))
    assert factored(two_kinds).rank <= 29


@pytest.mark.parametrize("rank", [0, 30])
def test_ranks_beyond_what_was_computed_are_refused(rank):
    with pytest.raises(ParamError, match=f"Rank {rank} is outside 1 to 29"):
        factored(rated()).truncated(rank)
    with pytest.raises(ParamError, match="below 1"):
        factored(rated(), 0)


def test_one_user_or_one_item_is_refused():
    for shape in ((1, 5), (5, 1)):
        with pytest.raises(DataError, match="two or more of both"):
            factored(rated(shape))


def test_progress_grows_and_changes_nothing_and_cancel_stops():
    shares = []
    watched = factored(rated(), progress=lambda share, message, partial=None: shares.append(share))
    assert watched.dataset.fingerprint == factored(rated()).dataset.fingerprint
    assert shares == sorted(shares)
    assert 0 < shares[0] < shares[-1] < 1

    def cancel(share, message, partial=None):
        if share > 0.2:
            raise Cancelled

    with pytest.raises(Cancelled):
        factored(rated(), progress=cancel)
