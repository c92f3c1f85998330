"""What a person may decide is checked where it is said."""

import pytest

from mips_core.base.errors import DataError, ParamError
from mips_core.data.readers.choices import (
    Choices,
    Offers,
    RatingChoices,
    RatingOffers,
    UnsettledError,
    UnsettledRatingsError,
)


@pytest.mark.parametrize("kind", [Choices, RatingChoices])
def test_a_header_is_names_data_or_told_from_the_content(kind):
    assert [kind(header=header).header for header in ("auto", "names", "data")]
    with pytest.raises(ParamError, match="header"):
        kind(header="maybe")


@pytest.mark.parametrize(
    ("kind", "offers"),
    [(UnsettledError, Offers(bad_rows=2)), (UnsettledRatingsError, RatingOffers(bad_lines=2))],
)
def test_what_is_not_settled_says_what_may_be_chosen(kind, offers):
    error = kind("Two columns.", "Choose one.", offers)
    assert isinstance(error, DataError)
    assert error.offers is offers
    assert (error.found, error.remedy) == ("Two columns.", "Choose one.")
