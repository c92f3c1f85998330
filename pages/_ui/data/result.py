"""What comes of reading files: a data set, or why there is none."""

from dataclasses import dataclass

from mips_core import Dataset, MipsError
from mips_core.data.open_files import Opened
from mips_core.data.ratings import RatingOffers, UnsettledRatingsError
from mips_core.data.readers import Offers, UnsettledError


@dataclass(frozen=True, eq=False)
class Reading:
    """What was made of files."""

    opened: Opened
    size: int  # bytes
    seconds: float

    @property
    def dataset(self) -> Dataset:
        """The vectors to search."""
        return self.opened.dataset


@dataclass(frozen=True, eq=False)
class Refused:
    """Why files were not read, and what a person may choose so that they are."""

    error: MipsError

    @property
    def may_be_settled(self) -> bool:
        """Whether there is such a choice."""
        return self.offers is not None or self.rating_offers is not None

    @property
    def is_question(self) -> bool:
        """Whether a choice is missing, and nothing is wrong with the files."""
        bad_rows = self.offers is not None and self.offers.bad_rows
        bad_lines = self.rating_offers is not None and self.rating_offers.bad_lines
        return self.may_be_settled and not (bad_rows or bad_lines)

    @property
    def offers(self) -> Offers | None:
        """The choice in files of vectors, if there is one."""
        return self.error.offers if isinstance(self.error, UnsettledError) else None

    @property
    def rating_offers(self) -> RatingOffers | None:
        """The choice in files of ratings, if there is one."""
        return self.error.offers if isinstance(self.error, UnsettledRatingsError) else None
