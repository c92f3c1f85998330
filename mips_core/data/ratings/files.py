"""One file of ratings or titles: recognised by its content, read by the reader for it."""

from dataclasses import replace

from mips_core.base.errors import DataError
from mips_core.data.ratings import (
    arrow_tables,
    json_objects,
    matrices,
    matrix_market,
    netflix,
    titles,
)
from mips_core.data.ratings.blocks import FileRatings, Gathered
from mips_core.data.ratings.by_arrow import read_triples
from mips_core.data.ratings.columns import assign
from mips_core.data.ratings.layout import FORM, RatingsLayout, layout_of
from mips_core.data.readers.arrays.sparse_matrix import is_sparse_file, sparse_triples
from mips_core.data.readers.choices import Choices, RatingChoices
from mips_core.data.readers.contract import Rank, Source, recognise
from mips_core.data.readers.foreign import kind_of
from mips_core.data.readers.ratings_signs import is_ratings
from mips_core.data.readers.text.lines import is_text

ARRAYS = ("npy", "npz")  # keys of readers that may hold a matrix of ratings
ABOUT_USERS = ("u.user", "users.dat", ".user")


def read_file(
    source: Source, gathered: Gathered, choices: RatingChoices
) -> FileRatings | titles.Titles | DataError:
    """What `source` holds; a DataError, returned, where that is neither ratings nor titles.

    Raises DataError where ratings or titles are damaged.
    """
    if matrix_market.matches(source):
        return matrix_market.read(source, gathered, choices)
    if arrow_tables.matches(source):
        return arrow_tables.read(source, gathered, choices)
    if not is_text(source.head):
        return _array(source, gathered)
    if kind_of(source.head, source.plain_name) is not None and not is_ratings(source.head):
        return _foreign(source)
    if netflix.matches(source):
        return netflix.read(source, gathered, skip_bad=choices.skip_bad)
    if json_objects.matches(source):
        return json_objects.read(source, gathered, choices)
    return _table(source, gathered, choices)


def _array(source: Source, gathered: Gathered) -> FileRatings | DataError:
    try:
        reader = recognise(source)
    except DataError as error:
        return error
    if reader.rank == Rank.FOREIGN:
        return _foreign(source)
    if reader.key not in ARRAYS:
        return DataError(f"{source.name} is {reader.label}, which holds no ratings here.", FORM)
    if is_sparse_file(source):
        return matrices.of_sparse(source, *sparse_triples(source), gathered)
    table = reader.read(source, Choices())
    return matrices.of_array(source, table.vectors, gathered)


def _foreign(source: Source) -> DataError:
    """The refusal of a file that is known to be something else."""
    kind = kind_of(source.head, source.plain_name)
    what = "in no format known here" if kind is None else kind.what.replace(", not vectors", "")
    return DataError(f"{source.name} is {what}.", FORM)


def _table(
    source: Source, gathered: Gathered, choices: RatingChoices
) -> FileRatings | titles.Titles | DataError:
    if source.plain_name.endswith(ABOUT_USERS):
        return DataError(f"{source.name} describes users and holds no ratings.", FORM)
    if titles.is_netflix(source):
        return titles.read_netflix(source)
    try:
        layout = layout_of(source, choices)
    except DataError as error:
        return error
    columns = titles.columns_of(source, layout)
    if columns is not None and not (choices.user or choices.item):
        return titles.read_titles(source, layout, columns)
    if matrices.is_matrix(layout, choices):
        return matrices.read_table(source, layout, gathered, choices)
    return _triples(source, layout, gathered, choices)


def _triples(
    source: Source, layout: RatingsLayout, gathered: Gathered, choices: RatingChoices
) -> FileRatings | DataError:
    try:
        roles = assign(layout.columns, layout.header, choices, source.name)
    except DataError as error:
        return error
    ratings = read_triples(source, layout, roles, gathered, skip_bad=choices.skip_bad)
    notes = [*(f"{source.name}: {note}" for note in layout.notes), *roles.notes, *ratings.notes]
    return replace(ratings, notes=notes, offers=roles.offers(layout.columns, layout.header))
