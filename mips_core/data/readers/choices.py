"""What a person may decide about files of vectors or ratings, and what there is to decide."""

from dataclasses import dataclass

from mips_core.base.errors import DataError
from mips_core.base.params import check, param

NONE = "-"
"""Chosen in place of a name: there are no queries, or no labels."""


@dataclass(frozen=True)
class Choices:
    """How files are to be understood; an empty name leaves it to the reader.

    A name is one of `Offers`: an array of a .npz, HDF5 or safetensors file, a column of a table,
    or, where several files are given, the name of a file.
    """

    array: str = param(
        "", "Vectors to search", "The array, the column of lists or the file that holds the items."
    )
    queries: str = param(
        "", "Queries", "The array or the file that holds the queries; “-” for none."
    )
    label: str = param("", "Labels", "The column or array that names the items; “-” for none.")
    header: str = param(
        "auto",
        "First line of a table",
        "names: it names the columns. data: it is the first row. auto: told from its content.",
        choices=("auto", "names", "data"),
    )
    skip_bad: bool = param(
        False,
        "Leave out bad rows",
        "Rows with a missing or not finite number, or of the wrong length, are left out and their "
        "places noted. Otherwise the file is refused.",
    )
    keep_float16: bool = param(
        False,
        "Keep float16",
        "Vectors that the file holds as float16 stay so, in half the memory; those of a large .npy "
        "in the data folder stay there and take none. Results have the same bits. What looks at "
        "all vectors takes a float32 copy of them for that long.",
    )

    def __post_init__(self) -> None:
        check(self)


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
class Offer:
    """Something that may be chosen by `name`; `about` says what it is: "20 × 9, float32"."""

    name: str
    about: str = ""


@dataclass(frozen=True)
class Offers:
    """What may be chosen in the files at hand, and what was taken."""

    arrays: tuple[Offer, ...] = ()  # that may be items or queries
    labels: tuple[Offer, ...] = ()  # that may name the items
    array: str = ""  # taken as items
    queries: str = ""  # taken as queries; "" where none is
    label: str = ""  # taken as labels; "" where none is
    header: bool | None = None  # whether the first line names columns; None: no such question
    alternatives: bool = False  # the arrays are ways to read one table: none can be queries
    bad_rows: int = 0  # left out as asked, or the reason of a refusal
    float16: bool = False  # whether the vectors are that in the file, and may stay so
    gaps: bool = False  # most rows lack a number: where that means “not rated”, these are ratings


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


class UnsettledError(DataError):
    """Files that can be read once a person chooses among `offers`."""

    def __init__(self, found: str, remedy: str, offers: Offers) -> None:
        super().__init__(found, remedy)
        self.offers = offers


class UnsettledRatingsError(DataError):
    """Ratings that can be read once a person chooses among the columns of `offers`."""

    def __init__(self, found: str, remedy: str, offers: RatingOffers) -> None:
        super().__init__(found, remedy)
        self.offers = offers


class RatingsFileError(DataError):
    """Files of ratings were given where vectors are read."""
