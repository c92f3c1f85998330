"""Any files to a data set, whether they hold vectors or ratings: what pages and commands call."""

from dataclasses import dataclass
from typing import Literal

from mips_core.dataset import Dataset
from mips_core.progress import Progress, silent, span
from mips_core.ratings import RANK, Factored, Ratings, factored, read_ratings
from mips_core.ratings.choices import RatingChoices
from mips_core.readers.choices import Choices, Offers, RatingsFileError
from mips_core.readers.reading import Paths, understand

Kind = Literal["auto", "vectors", "ratings"]


@dataclass(frozen=True, eq=False)
class Opened:
    """What files were understood as, and what a person may choose otherwise."""

    dataset: Dataset
    offers: Offers = Offers()  # of vectors; those of ratings are with them
    factors: Factored | None = None  # of ratings
    stored: str = ""  # dtype of the vectors in the file; "" for ratings

    @property
    def ratings(self) -> Ratings | None:
        """The ratings whose factors are searched; None for vectors."""
        return self.factors.ratings if self.factors is not None else None

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
    progress: Progress = silent,
) -> Opened:
    """The data set of `paths`: vectors as they are, ratings as their PureSVD factors of `rank`.

    Raises DataError as `read` and `read_ratings` do.
    """
    if kind != "ratings":
        try:
            found = understand(paths, choices, progress=progress)
            return Opened(found.dataset, found.offers, stored=found.stored)
        except RatingsFileError:
            if kind == "vectors":
                raise
    ratings = read_ratings(paths, rating_choices, progress=span(progress, 0.0, 0.4))
    factors = factored(ratings, rank, progress=span(progress, 0.4, 1.0))
    return Opened(factors.dataset, factors=factors)
