import numpy as np
import pytest

from mips_core.base.errors import DataError
from mips_core.data.simulated import simulated_ratings

REAL_NORMS = {  # rank-50 PureSVD of MovieLens ml-latest-small: percentile of items -> norm
    100: 0.4616,
    99.9: 0.3549,
    99: 0.2319,
    95: 0.1519,
    90: 0.1173,
    75: 0.0708,
    50: 0.0347,
    25: 0.0129,
}


@pytest.fixture(scope="module")
def made():
    return simulated_ratings(0)


@pytest.fixture(scope="module")
def scores(made):
    return made.queries.astype(np.float64) @ made.items.astype(np.float64).T


def share_of_top_among_longest(made, scores, K, speedup):
    norms = np.linalg.norm(made.items, axis=1)
    longest = np.argsort(-norms, kind="stable")[: made.n // speedup]
    top = np.argsort(-scores, axis=1, kind="stable")[:, :K]
    return np.isin(top, longest).mean()


def test_it_says_that_it_is_simulated(made):
    assert made.simulated
    assert made.name == "Simulated recommender"
    assert made.notes[0] == "Simulated ratings. Made by the seeded generator; no real people."


def test_shapes_labels_and_dtypes(made):
    assert made.items.shape == (10_677, 50)
    assert made.queries.shape == (2_000, 50)
    assert made.items.dtype == made.queries.dtype == np.float32
    assert made.labels[17].startswith("item 17 (taste ")
    assert len(set(made.labels)) == made.n


def test_every_machine_makes_the_same_bits(made):
    assert made.fingerprint == "a308f78a6598d9c6dd554c9e0688228f"
    assert made.query_fingerprint == "c5916ffd51ead86f25a0a90466ac03fd"


def test_another_seed_makes_other_vectors():
    first, second = (simulated_ratings(seed, n_items=50, n_users=5) for seed in (0, 1))
    assert not np.isclose(first.items, second.items).any()
    assert not np.isclose(first.queries, second.queries).any()


def test_more_users_leave_items_and_tastes_as_they_are():
    few, many = (simulated_ratings(3, n_items=100, n_users=m) for m in (5, 50))
    np.testing.assert_array_equal(few.items, many.items)
    assert few.labels == many.labels


def test_norms_spread_as_real_ones_do(made):
    norms = np.linalg.norm(made.items, axis=1)
    for percentile, real in REAL_NORMS.items():
        assert np.percentile(norms, percentile) == pytest.approx(real, rel=0.13)


def test_users_are_much_longer_than_items(made):
    user, item = (np.median(np.linalg.norm(x, axis=1)) for x in (made.queries, made.items))
    assert 50 < user / item < 100


@pytest.mark.parametrize(("speedup", "low", "high"), [(30, 0.90, 0.97), (100, 0.60, 0.80)])
def test_largest_norms_are_a_strong_baseline(made, scores, speedup, low, high):
    assert low < share_of_top_among_longest(made, scores, 10, speedup) < high


def test_norm_says_nothing_about_the_number_of_an_item(made):
    norms = np.linalg.norm(made.items, axis=1)
    assert abs(np.corrcoef(norms, np.arange(made.n))[0, 1]) < 0.05


def test_items_of_one_taste_point_the_same_way(made):
    unit = made.items / np.linalg.norm(made.items, axis=1, keepdims=True)
    taste = np.array([int(label.split("taste ")[1].rstrip(")")) for label in made.labels])
    sample = np.random.default_rng(0).permutation(made.n)[:2_000]
    cosines = unit[sample] @ unit[sample].T
    same = taste[sample][:, None] == taste[sample][None, :]
    np.fill_diagonal(same, False)
    assert cosines[same].mean() > 0.4
    assert abs(cosines[~same].mean()) < 0.1
    assert len(np.unique(taste)) == 60


@pytest.mark.parametrize(
    ("sizes", "named"),
    [
        ({"n_items": 1}, "n_items is 1"),
        ({"n_users": 0}, "n_users is 0"),
        ({"d": 0}, "d is 0"),
        ({"n_tastes": 0}, "n_tastes is 0"),
    ],
)
def test_impossible_sizes_are_refused(sizes, named):
    with pytest.raises(DataError, match=named):
        simulated_ratings(0, **sizes)


def test_the_smallest_sizes_work():
    made = simulated_ratings(0, n_items=2, n_users=1, d=1, n_tastes=1)
    assert (made.n, made.m, made.d) == (2, 1, 1)
