"""Ratings of items by users, and the vectors that PureSVD makes of them."""

from mips_core.data.pure_svd import RANK
from mips_core.data.ratings.factored import Factored, factored
from mips_core.data.ratings.ratings import Ratings
from mips_core.data.ratings.understanding import read_ratings
from mips_core.data.readers.choices import RatingChoices, RatingOffers, UnsettledRatingsError
