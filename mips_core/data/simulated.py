"""Simulated ratings: item and user vectors shaped like PureSVD factors of real film ratings.

Items have popularity-skewed norms and directions gathered around tastes; users are much longer and
mix a few tastes. Norms follow .5 (1 - u) / (1 + 10 sqrt(u)), u in (0, 1) the share of items that
are longer: within 13% of rank-50 PureSVD of MovieLens ml-latest-small, from the longest item down
to the lower quartile. Beyond the normal draws only + - * / and square roots are used, and sums have
a fixed order, so that a seed gives the same float32 values on every machine.
"""

import numpy as np

from mips_core.base.arrays import Floats, Ids
from mips_core.base.errors import DataError
from mips_core.base.seeds import rng_for
from mips_core.data.dataset import Dataset

NOTE = "Simulated ratings. Made by the seeded generator; no real people."
MIXED_TASTES = 3  # tastes of one user, weighing 1, 1/2, 1/3
TASTE_SHARE = 0.6  # cosine of a user with his mix of tastes
HEAD_SHARE, TAIL_SHARE = 0.6, 0.9  # cosine of an item with its taste: longest item, shortest item
USER_LENGTH = 2.2  # median norm of a user; items: about 0.03


def simulated_ratings(
    seed: int = 0, n_items: int = 10_677, n_users: int = 2_000, d: int = 50, n_tastes: int = 60
) -> Dataset:
    """Items (n_items, d) in random order of norm, and users (n_users, d) as queries.

    Every value follows from `seed`; items, users and tastes have streams of their own.
    Raises DataError for fewer than two items, or without a user, a dimension or a taste.
    """
    sizes = {"n_items": n_items, "n_users": n_users, "d": d, "n_tastes": n_tastes}
    for name, least in (("n_items", 2), ("n_users", 1), ("d", 1), ("n_tastes", 1)):
        if sizes[name] < least:
            raise DataError(f"{name} is {sizes[name]}.", f"At least {least} is needed.")
    tastes = _directions(rng_for(seed, "simulated", "tastes"), n_tastes, d)
    items, taste_of = _items(rng_for(seed, "simulated", "items"), n_items, tastes)
    users = _users(rng_for(seed, "simulated", "users"), n_users, tastes)
    return Dataset(
        items=items.astype(np.float32),
        queries=users.astype(np.float32),
        labels=tuple(f"item {i} (taste {taste})" for i, taste in enumerate(taste_of.tolist())),
        name="Simulated recommender",
        notes=(NOTE, f"{n_items:,} items and {n_users:,} users around {n_tastes} tastes."),
        simulated=True,
    )


def _items(rng: np.random.Generator, n: int, tastes: Floats) -> tuple[Floats, Ids]:
    """Item vectors (n, d) and the taste of each (n,)."""
    longer = ((rng.permutation(n) + 0.5) / n)[:, None]  # share of items with a larger norm
    taste_of = _drawn_tastes(rng, len(tastes), n)
    share = HEAD_SHARE + (TAIL_SHARE - HEAD_SHARE) * longer
    norm = 0.5 * (1 - longer) / (1 + 10 * np.sqrt(longer))
    return norm * _around(rng, tastes[taste_of], share), taste_of


def _users(rng: np.random.Generator, m: int, tastes: Floats) -> Floats:
    """User vectors (m, d): a few tastes each, a part of their own, lengths spread tenfold."""
    mix = np.zeros((m, tastes.shape[1]))
    for place in range(MIXED_TASTES):
        mix += tastes[_drawn_tastes(rng, len(tastes), m)] / (place + 1)
    drawn = rng.random((m, 1))
    length = USER_LENGTH * np.sqrt((drawn + 0.002) / (1.002 - drawn))
    return length * _around(rng, _unit(mix), np.full((m, 1), TASTE_SHARE))


def _drawn_tastes(rng: np.random.Generator, n_tastes: int, size: int) -> Ids:
    """(size,) tastes; low numbers are liked more (the smaller of two draws)."""
    return rng.integers(n_tastes, size=(2, size)).min(axis=0)


def _around(rng: np.random.Generator, centres: Floats, share: Floats) -> Floats:
    """Unit vectors (n, d) near `centres` (n, d), whose part in them is `share` (n, 1)."""
    own = _directions(rng, *centres.shape)
    return _unit(share * centres + np.sqrt(1 - share * share) * own)


def _directions(rng: np.random.Generator, n: int, d: int) -> Floats:
    """(n, d) unit vectors, uniform on the sphere."""
    return _unit(rng.standard_normal((n, d)))


def _unit(rows: Floats) -> Floats:
    """`rows` (n, d) at length one; cumsum adds in order, where a plain sum depends on the CPU."""
    return rows / np.sqrt(np.cumsum(rows * rows, axis=1)[:, -1:])
