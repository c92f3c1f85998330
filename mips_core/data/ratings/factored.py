"""Ratings as a data set: users' vectors are the queries, items' vectors the database."""

from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from mips_core.base.arrays import Floats
from mips_core.base.errors import DataError, ParamError
from mips_core.base.progress import Progress, silent
from mips_core.base.text import counted
from mips_core.data.dataset import Dataset
from mips_core.data.pure_svd import RANK, RatingFactors, pure_svd
from mips_core.data.ratings.ratings import Ratings


@dataclass(frozen=True, eq=False)
class Factored:
    """Ratings with their factors, of which the first `rank` components are in use.

    Up to the number of `singular` values, another rank costs nothing and gives the same bits.
    """

    ratings: Ratings
    factors: RatingFactors  # all that were computed
    rank: int
    requested: int  # the rank asked for, which the ratings may not have

    @property
    def singular(self) -> Floats:
        """All singular values computed, descending."""
        return self.factors.singular

    @property
    def kept(self) -> float:
        """Share of the sum of squares of the ratings, as they were factored, that is kept."""
        return float(self.factors.kept[self.rank - 1])

    def truncated(self, rank: int) -> "Factored":
        """The same with another rank. Raises ParamError for more than was computed."""
        if not 1 <= rank <= self.factors.rank:
            raise ParamError(
                f"Rank {rank} is outside 1 to {self.factors.rank}.", "Choose one in that range."
            )
        return replace(self, rank=rank, requested=rank)

    @cached_property
    def dataset(self) -> Dataset:
        """Items (n_items, rank) labelled by titles; users whose vector is not zero as queries."""
        factors = self.factors.truncated(self.rank)
        ratings = self.ratings
        users = np.flatnonzero(self.factors.users.any(axis=1))
        return Dataset(
            items=factors.items,
            queries=factors.users[users],
            labels=[ratings.title_of(item) for item in ratings.item_names],
            name=ratings.name,
            notes=(*ratings.notes, *self._notes()),
            query_labels=[ratings.user_names[int(user)] for user in users],
        )

    def _notes(self) -> list[str]:
        ratings = self.ratings
        of = "the ones" if ratings.implicit else "the ratings less the users' means"
        notes = [
            f"PureSVD of rank {self.rank:,} keeps {percent(self.kept)} of the squares of {of}. "
            f"Users ({ratings.n_users:,}) are the queries, items ({ratings.n_items:,}) the "
            "database."
        ]
        remarked = self.requested == RANK and self.rank == _highest(ratings)
        if self.rank < self.requested and not remarked:  # already when the ratings were read
            notes.append(
                f"Rank {self.requested:,} was asked for, {self.rank:,} is used: "
                f"{ratings.n_users:,} users, {ratings.n_items:,} items and their ratings allow no "
                "more."
            )
        return notes


def percent(share: float) -> str:
    """A share in [0, 1] as whole percent, rounded down: 100% is all."""
    return f"{int(share * 100 + 1e-9)}%"


def _highest(ratings: Ratings) -> int:
    """The highest rank that numbers of users and items allow."""
    return min(ratings.n_users, ratings.n_items) - 1


def factored(ratings: Ratings, rank: int = RANK, *, progress: Progress = silent) -> Factored:
    """PureSVD of `ratings` at `rank`, or at the highest that users, items and ratings allow.

    At least the usual rank is computed, so that lower ranks need no second factoring. Implicit
    feedback is factored as ones, without subtracting means. Raises ParamError for a rank below 1,
    DataError for ratings that tell no items apart.
    """
    if rank < 1:
        raise ParamError(f"Rank {rank} is below 1.", "Give a whole number from 1.")
    most = _highest(ratings)
    if most < 1:
        users = counted(ratings.n_users, "user", "users")
        items = counted(ratings.n_items, "item", "items")
        raise DataError(
            f"{ratings.name} has {users} and {items}.", "PureSVD needs two or more of both."
        )
    factors = pure_svd(
        ratings.user_codes,
        ratings.item_codes,
        ratings.values,
        min(max(RANK, rank), most),
        centre=not ratings.implicit,
        progress=progress,
    )
    return Factored(ratings, factors, min(rank, factors.rank), rank)
