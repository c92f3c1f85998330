"""What a person may decide about files of ratings, and what there is to decide."""

from dataclasses import dataclass

from mips_core.base.errors import DataError
from mips_core.base.params import check, param
from mips_core.data.readers.choices import Offer


@dataclass(frozen=True)
class RatingChoices:
    """How files of ratings are to be understood; an empty name leaves it to the reader.

    A column goes by its name, or by its number from 1 where no line names the columns.
    """

    user: str = param("", "Users", "The column that says who rated.")
    item: str = param("", "Items", "The column that says what was rated.")
    value: str = param("", "Ratings", "The column that holds the ratings; “-” for none.")
    header: str = param(
        "auto",
        "First line of a table",
        "names: it names the columns. data: it is a rating. auto: told from its content.",
        choices=("auto", "names", "data"),
    )
    layout: str = param(
        "auto",
        "One line holds",
        "rating: one rating of one user. user: all ratings of one user, a column an item. auto: "
        "told from its content.",
        choices=("auto", "rating", "user"),
    )
    scale: str = param(
        "as given",
        "Scale of the ratings",
        "log: log(1 + x) in place of x, for counts of plays or visits.",
        choices=("as given", "log"),
    )
    skip_bad: bool = param(
        False,
        "Leave out bad lines",
        "Lines without a user, an item or a finite rating are left out and their places noted. "
        "Otherwise the file is refused.",
    )

    def __post_init__(self) -> None:
        check(self)


@dataclass(frozen=True)
class RatingOffers:
    """The columns of a table of ratings, and those taken; "" where none is."""

    columns: tuple[Offer, ...] = ()
    user: str = ""
    item: str = ""
    value: str = ""
    header: bool | None = None  # whether a line names the columns; None: no such question
    layout: str = ""  # as taken: a line holds one "rating" or a "user"; "": no such question
    log: bool = False  # whether the values look like counts, which `scale` log suits
    bad_lines: int = 0  # left out as asked, or the reason of a refusal


class UnsettledRatingsError(DataError):
    """Ratings that can be read once a person chooses among the columns of `offers`."""

    def __init__(self, found: str, remedy: str, offers: RatingOffers) -> None:
        super().__init__(found, remedy)
        self.offers = offers
