"""From files to Ratings: each file is read, then they are joined, cleaned and remarked on."""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace

import numpy as np

from mips_core.base.errors import DataError
from mips_core.base.progress import Progress, silent
from mips_core.data.ratings import remarks
from mips_core.data.ratings.blocks import Block, FileRatings, Gathered, compacted, joined, latest
from mips_core.data.ratings.files import read_file
from mips_core.data.ratings.ratings import Ratings
from mips_core.data.ratings.titles import Titles
from mips_core.data.readers.choices import RatingChoices, RatingOffers
from mips_core.data.readers.reading import Paths, paths_of
from mips_core.data.readers.unpack import unpacked

EXPECTED = "Ratings have one line for each, with a user, an item and a number."


@dataclass
class _Contents:
    """What the files hold."""

    parts: list[FileRatings] = field(default_factory=list)
    titles: list[Titles] = field(default_factory=list)
    others: list[DataError] = field(default_factory=list)  # files that hold neither


def read_ratings(
    paths: Paths, choices: RatingChoices = RatingChoices(), *, progress: Progress = silent
) -> Ratings:
    """The ratings of one or several files, with titles where a file of them is among those.

    Nothing in a file is executed. Raises DataError for whatever holds no ratings, saying what was
    contents, where, and what to do; UnsettledRatingsError where a person must choose columns.
    """
    gathered, contents = Gathered(), _Contents()
    with unpacked(paths_of(paths), progress) as sources:
        for source in sources:
            what = read_file(source, gathered, choices)
            if isinstance(what, FileRatings):
                contents.parts.append(what)
            elif isinstance(what, Titles):
                contents.titles.append(what)
            else:
                contents.others.append(what)
    return _ratings(gathered, contents, choices)


def _ratings(gathered: Gathered, contents: _Contents, choices: RatingChoices) -> Ratings:
    if not contents.parts:
        raise _nothing(contents)
    parts, notes = _alike(contents.parts)
    notes += [f"Left out: {error.found}" for error in contents.others]
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
    titles, about_titles = _titles(contents.titles, item_names)
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


def _nothing(contents: _Contents) -> DataError:
    """Why no file holds ratings."""
    if contents.others:
        return contents.others[0]
    return DataError(f"{contents.titles[0].name} holds titles and no ratings.",
                     "Give the file of ratings with it.")  # fmt: skip


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
