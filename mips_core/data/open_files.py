"""Any files to a data set, whether they hold vectors or ratings: what pages and commands call."""

from dataclasses import dataclass
from typing import Literal

import numpy as np

from mips_core.base.progress import Progress, silent, span
from mips_core.data.dataset import Dataset
from mips_core.data.ratings import RANK, Factored, Ratings, factored, read_ratings
from mips_core.data.readers.choices import Choices, Offers, RatingChoices, RatingsFileError
from mips_core.data.readers.ratings_signs import named
from mips_core.data.readers.understanding import Paths, understand

FEW = 4  # columns of a table of ratings: user, item, rating, time
SAMPLE = 1000  # rows that are looked at

Kind = Literal["auto", "vectors", "ratings"]


@dataclass(frozen=True, eq=False)
class Opened:
    """What files were understood as, and what a person may choose otherwise."""

    dataset: Dataset
    offers: Offers = Offers()  # of vectors; those of ratings are with them
    factors: Factored | None = None  # of ratings
    stored: str = ""  # dtype of the vectors in the file; "" for ratings
    sure: bool = False  # that they are vectors: the file says so itself

    @property
    def ratings(self) -> Ratings | None:
        """The ratings whose factors are searched; None for vectors."""
        return self.factors.ratings if self.factors is not None else None

    @property
    def may_be_ratings(self) -> bool:
        """Whether vectors may be ratings after all: few columns, no labels, or counts and users."""
        if self.sure:
            return False
        data = self.dataset
        if data.labels is None or data.d <= FEW or named([self.offers.label], "user") is not None:
            return True
        halves = data.items[:SAMPLE].astype(np.float64) * 2
        return bool((halves == np.rint(halves)).all() and (halves >= 0).all())

    def truncated(self, rank: int) -> "Opened":
        """The same ratings at another rank. Raises ParamError for more than was computed."""
        assert self.factors is not None
        factors = self.factors.truncated(rank)
        return Opened(factors.dataset, self.offers, factors)


def open_files(
    paths: Paths,
    choices: Choices = Choices(),
    rating_choices: RatingChoices = RatingChoices(),
    *,
    kind: Kind = "auto",
    rank: int = RANK,
    lasting: bool = False,
    progress: Progress = silent,
) -> Opened:
    """The data set of `paths`: vectors as they are, ratings as their PureSVD factors of `rank`.

    A `kind` other than auto holds, whatever the files look like. `lasting` as `understand` has it:
    the files stay as they are while the data are used. Raises DataError as `read` and
    `read_ratings` do.
    """
    if kind != "ratings":
        try:
            sure = kind == "vectors"
            vectors = understand(
                paths, choices, not_ratings=sure, lasting=lasting, progress=progress
            )
            return Opened(vectors.dataset, vectors.offers, stored=vectors.stored)
        except RatingsFileError:
            if kind == "vectors":
                raise
    ratings = read_ratings(paths, rating_choices, progress=span(progress, 0.0, 0.4))
    factors = factored(ratings, rank, progress=span(progress, 0.4, 1.0))
    return Opened(factors.dataset, factors=factors)
