"""What a person may decide about a file instead of its reader, and what there is to decide."""

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
        "",
        "Vectors to search",
        "The array, the column of lists or the file that holds the items.",
    )
    queries: str = param(
        "",
        "Queries",
        "The array or the file that holds the queries; “-” for none.",
    )
    label: str = param(
        "",
        "Labels",
        "The column or array that names the items; “-” for none.",
    )
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


class UnsettledError(DataError):
    """Files that can be read once a person chooses among `offers`."""

    def __init__(self, found: str, remedy: str, offers: Offers) -> None:
        super().__init__(found, remedy)
        self.offers = offers


class RatingsFileError(DataError):
    """Files of ratings were given where vectors are read."""
