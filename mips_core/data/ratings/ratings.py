"""Who rated what: users, items and values, one entry a rating."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from mips_core.base.arrays import Floats
from mips_core.data.readers.choices import RatingOffers

Codes = NDArray[np.int32]  # position of a name in a list of names


@dataclass(frozen=True, eq=False)
class Ratings:
    """e ratings, at most one for a pair of user and item, in the order of the files.

    Names are the ids as text, in order of first appearance. Where the feedback is implicit, values
    are all 1: they say that a user met an item, not how it was liked.
    """

    user_codes: Codes  # (e,)
    item_codes: Codes  # (e,)
    values: Floats  # (e,)
    user_names: Sequence[str]
    item_names: Sequence[str]
    implicit: bool = False
    titles: Mapping[str, str] = field(default_factory=dict)  # by id of an item
    notes: Sequence[str] = ()  # what was left out, repaired or supposed, in sentences
    name: str = "ratings"
    offers: RatingOffers = RatingOffers()

    @property
    def users(self) -> list[str]:
        """The id of who gave each of the e ratings; made anew at each call."""
        return _texts(self.user_names, self.user_codes)

    @property
    def items(self) -> list[str]:
        """The id of what each of the e ratings is about; made anew at each call."""
        return _texts(self.item_names, self.item_codes)

    @property
    def n_ratings(self) -> int:
        """e, the number of ratings."""
        return len(self.values)

    @property
    def n_users(self) -> int:
        """Number of users with a rating."""
        return len(self.user_names)

    @property
    def n_items(self) -> int:
        """Number of items with a rating."""
        return len(self.item_names)

    def title_of(self, item: str) -> str:
        """The title of an item, or its id where no title is known."""
        return self.titles.get(item, item)


def _texts(names: Sequence[str], codes: Codes) -> list[str]:
    return np.array([*names, ""], object)[codes].tolist()
