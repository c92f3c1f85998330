"""From files to Ratings: each file is recognised and read, then they are joined and remarked on."""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from mips_core.base.errors import DataError
from mips_core.base.progress import Progress, silent
from mips_core.data.ratings import (
    arrow_tables,
    json_objects,
    matrices,
    matrix_market,
    netflix,
    remarks,
)
from mips_core.data.ratings.blocks import Block, FileRatings, Gathered, compacted, joined, latest
from mips_core.data.ratings.columns import assign
from mips_core.data.ratings.layout import FORM, RatingsLayout, layout_of
from mips_core.data.ratings.ratings import Ratings
from mips_core.data.ratings.table import read_triples
from mips_core.data.ratings.titles import (
    Titles,
    is_netflix,
    read_netflix,
    read_titles,
    title_columns,
)
from mips_core.data.readers.arrays.sparse_matrix import is_sparse_file, sparse_triples
from mips_core.data.readers.choices import Choices, RatingChoices, RatingOffers
from mips_core.data.readers.contract import Rank, Source, recognise
from mips_core.data.readers.foreign import kind_of
from mips_core.data.readers.ratings_signs import is_ratings
from mips_core.data.readers.text.lines import is_text
from mips_core.data.readers.understanding import Paths, paths_of
from mips_core.data.readers.unpack import unpacked

ARRAYS = ("npy", "npz")  # keys of readers that may hold a matrix of ratings
ABOUT_USERS = ("u.user", "users.dat", ".user")
EXPECTED = "Ratings have one line for each, with a user, an item and a number."


def read_ratings(
    paths: Paths, choices: RatingChoices = RatingChoices(), *, progress: Progress = silent
) -> Ratings:
    """The ratings of one or several files, with titles where a file of them is among those.

    Nothing in a file is executed. Raises DataError for whatever holds no ratings, saying what was
    found, where, and what to do; UnsettledRatingsError where a person must choose columns.
    """
    gathered = Gathered()
    with unpacked(paths_of(paths), progress) as sources:
        contents = [read_file(source, gathered, choices) for source in sources]
    return _ratings(gathered, contents, choices)


def _ratings(
    gathered: Gathered, contents: Sequence[FileRatings | Titles | DataError], choices: RatingChoices
) -> Ratings:
    ratings = [content for content in contents if isinstance(content, FileRatings)]
    title_files = [content for content in contents if isinstance(content, Titles)]
    others = [content for content in contents if isinstance(content, DataError)]
    if not ratings:
        titles_only = f"{title_files[0].name} holds titles and no ratings." if title_files else ""
        raise next(iter(others), DataError(titles_only, "Give the file of ratings with it."))
    parts, notes = _alike(ratings)
    notes += [f"Left out: {error.found}" for error in others]
    block, repeated = latest(_all_of(parts))
    notes += [note for part in parts for note in part.notes] + repeated
    if len(block.users) == 0:
        raise DataError(f"{parts[0].source.name} holds no ratings.", EXPECTED)
    users, user_names = compacted(block.users, list(gathered.users.code))
    items, item_names = compacted(block.items, list(gathered.items.code))
    implicit, log = block.values is None, False
    values = np.ones(len(users)) if block.values is None else block.values
    if implicit:
        notes.append(remarks.IMPLICIT)
    else:
        implicit, log, more = _judged(block, values, parts, choices)
        notes += more
        if choices.scale == "log":
            values = _logarithm(values, parts[0].source.name, notes)
    if not implicit:
        notes += remarks.about_apart(values)
        constant = remarks.constant_users(users, values, len(user_names))
        notes += remarks.about_constant(constant, user_names)
    titles, about_titles = _titles(title_files, item_names)
    return Ratings(
        user_codes=users,
        item_codes=items,
        values=values,
        user_names=user_names,
        item_names=item_names,
        implicit=implicit,
        titles=titles,
        notes=(*notes, *about_titles, *remarks.about_rank(len(user_names), len(item_names))),
        name=parts[0].source.stem,
        offers=_offers(parts, log),
    )


def _all_of(parts: Sequence[FileRatings]) -> Block:
    """The ratings of all parts; theirs are given up, for there may be a hundred million."""
    block = joined([block for part in parts for block in part.blocks])
    for part in parts:
        part.blocks.clear()
    return block


def _alike(parts: Sequence[FileRatings]) -> tuple[list[FileRatings], list[str]]:
    """The parts that have values where any has, and notes on those left out."""
    valued = [part for part in parts if all(block.values is not None for block in part.blocks)]
    if len(valued) in (0, len(parts)):
        return list(parts), []
    left = [part.source.name for part in parts if part not in valued]
    return valued, [f"Left out: {name} has users and items and no ratings." for name in left]


def _judged(
    block: Block, values: np.ndarray, parts: Sequence[FileRatings], choices: RatingChoices
) -> tuple[bool, bool, list[str]]:
    """Whether ratings are implicit, whether they look like counts, and notes."""
    if (values == 1).all():
        return True, False, [remarks.ALL_ONE]
    remarks.check_varied(values, parts[0].source.name, _offers(parts, log=False))
    log = remarks.look_like_counts(values)
    offered = log and choices.scale != "log"
    return False, log, [remarks.about_counts(values)] if offered else []


def _logarithm(values: np.ndarray, file: str, notes: list[str]) -> np.ndarray:
    if values.min() <= -1:
        raise DataError(
            f"{file} holds the rating {values.min():g}, which has no log(1 + x).",
            "The logarithm needs ratings above -1. Choose the scale as given.",
        )
    notes.append("Ratings are on a log scale: log(1 + x).")
    return np.log1p(values)


def _titles(files: Sequence[Titles], items: Sequence[str]) -> tuple[dict[str, str], list[str]]:
    """Titles of the items that have one, and notes."""
    titles: dict[str, str] = {}
    notes = []
    for file in files:
        own = {item: file.titles[item] for item in items if item in file.titles}
        notes += [f"Titles of {len(own):,} of {len(items):,} items come from {file.name}.",
                  *file.notes]  # fmt: skip
        titles = own | titles
    return titles, notes


def _offers(parts: Sequence[FileRatings], log: bool) -> RatingOffers:
    bad = sum(part.bad_lines for part in parts)
    return replace(parts[0].offers, log=log, bad_lines=bad)


def read_file(
    source: Source, gathered: Gathered, choices: RatingChoices
) -> FileRatings | Titles | DataError:
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
) -> FileRatings | Titles | DataError:
    if source.plain_name.endswith(ABOUT_USERS):
        return DataError(f"{source.name} describes users and holds no ratings.", FORM)
    if is_netflix(source):
        return read_netflix(source)
    try:
        layout = layout_of(source, choices)
    except DataError as error:
        return error
    columns = title_columns(source, layout)
    if columns is not None and not (choices.user or choices.item):
        return read_titles(source, layout, columns)
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
