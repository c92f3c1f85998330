"""What a person should know of ratings before they become vectors, in sentences."""

from collections.abc import Sequence

import numpy as np

from mips_core.base.arrays import Floats, Mask
from mips_core.base.text import counted
from mips_core.data.pure_svd import RANK
from mips_core.data.ratings.ratings import Codes
from mips_core.data.readers.choices import RatingOffers, UnsettledRatingsError
from mips_core.data.readers.names import quoted

COUNTS_FROM = 100  # ratings end here; whole numbers beyond are counts
HEAVY = 10  # times the median
SHOWN = 5
FEWEST_KNOWN, MOST_KNOWN = 3, 10_000  # different values among which one may stand apart
UNRATED = 0.4  # share of zeros from which on they are hardly all the lowest rating
SCALE_END = 20  # of scales on which 99 is no rating
IMPLICIT = (
    "There are no ratings, only pairs of user and item: each counts as 1, and the users' means are "
    "not subtracted (implicit feedback)."
)
ALL_ONE = (
    "Every rating is 1: they are taken as implicit feedback, and the users' means are not "
    "subtracted."
)


def constant_users(users: Codes, values: Floats, n_users: int) -> Mask:
    """(n_users,) whether all values (e,) of a user are equal; one value alone is."""
    first = np.zeros(n_users)
    first[users[::-1]] = values[::-1]
    varied = np.zeros(n_users, bool)
    varied[users[values != first[users]]] = True
    return ~varied


def check_varied(values: Floats, file: str, offers: RatingOffers) -> None:
    """Raise UnsettledRatingsError where every rating is the same, which leaves nothing to learn."""
    if len(values) and (values == values[0]).all():
        raise UnsettledRatingsError(
            f"{file}: every rating is the same, {values[0]:g}.",
            "After the users' means are subtracted all are zero. Give ratings that differ, or "
            "choose none (“-”) as the column of ratings to read them as implicit feedback.",
            offers,
        )


def look_like_counts(values: Floats) -> bool:
    """Whether the values are whole, without an upper end, and a few are far above the others."""
    if len(values) == 0 or values.min() < 0 or values.max() <= COUNTS_FROM:
        return False
    heavy = values.max() > HEAVY * max(1.0, float(np.median(values)))
    return bool(heavy or values.max() > HEAVY * COUNTS_FROM) and bool((values % 1 == 0).all())


def about_counts(values: Floats) -> str:
    """The note that offers the logarithm."""
    return (
        f"The ratings look like counts, from {values.min():,.0f} to {values.max():,.0f} (median "
        f"{np.median(values):,.0f}): the largest decide almost alone. The scale log(1 + x) is "
        "offered."
    )


def about_apart(values: Floats) -> list[str]:
    """The note on a value far from all others, which often stands for “not rated”."""
    distinct, counts = np.unique(values, return_counts=True)
    if not FEWEST_KNOWN <= len(distinct) <= MOST_KNOWN:
        return []
    often = distinct[0] == 0 and distinct[1] >= 1 and counts[0] > UNRATED * len(values)
    if often or (distinct[0] == -1 and distinct[1] >= 0):
        odd = 0
    elif distinct[-1] in (99, 999) and distinct[-2] <= SCALE_END:
        odd = len(distinct) - 1
    else:
        return []
    rest = np.delete(distinct, odd)
    times = counted(counts[odd], "time", "times")
    return [f"The value {distinct[odd]:g} occurs {times}; all others are from "
            f"{rest.min():g} to {rest.max():g}. It often stands for “not rated”: if it does here, "
            "leave those ratings out of the file."]  # fmt: skip


def about_constant(constant: Mask, names: Sequence[str]) -> list[str]:
    """The note on users whose vectors will be zero."""
    who = [names[int(user)] for user in np.flatnonzero(constant)]
    if not who:
        return []
    listed = quoted(who, most=SHOWN)
    if len(who) == 1:
        return [f"1 user gave equal ratings to all they rated ({listed}): the query vector is zero "
                "and is not asked."]  # fmt: skip
    return [f"{len(who):,} users gave equal ratings to all they rated ({listed}): their query "
            "vectors are zero and are not asked."]  # fmt: skip


def about_rank(n_users: int, n_items: int) -> list[str]:
    """The note where the usual rank is too high."""
    most = min(n_users, n_items) - 1
    if most >= RANK:
        return []
    users, items = counted(n_users, "user", "users"), counted(n_items, "item", "items")
    return [f"{users} and {items}: PureSVD's usual rank of {RANK} does not fit, the rank can "
            f"be at most {most:,}."]  # fmt: skip
