"""Files of titles beside ratings: MovieLens movies, Netflix movie_titles, RecBole items, HetRec."""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from mips_core.base import limits
from mips_core.base.errors import DataError
from mips_core.base.text import counted
from mips_core.data.ratings.layout import RatingsLayout, stripped
from mips_core.data.ratings.table import lines_of
from mips_core.data.readers.contract import Source
from mips_core.data.readers.csv.dialect import BrokenRowError, Row, bare
from mips_core.data.readers.ratings_signs import key_of, named
from mips_core.data.readers.text.lines import encoding_of

NAMES = re.compile(r"(^|[^a-z])(movies?|items?|titles?|artists?|books?|tracks?|songs?|products?)"
                   r"([^a-z]|$)")  # fmt: skip
NETFLIX = re.compile(r"(\d+),(\d{4}|NULL),[^a-z]*([a-z]?).*", re.I)
WORDY = 0.3  # share of titles of more than one word
NEED = "Titles are lines of an item's id and its title."

TitlePlaces = tuple[int, int]  # of ids and of titles


@dataclass(frozen=True, eq=False)
class Titles:
    """The titles of one file, by id of an item."""

    name: str
    titles: dict[str, str]
    notes: Sequence[str] = ()


def is_netflix(source: Source) -> bool:
    """Whether lines are an id, a year and a title, which may hold commas."""
    lines = source.head.decode("latin-1").splitlines()[:20]
    parts = [NETFLIX.fullmatch(line) for line in lines[: max(1, len(lines) - 1)] if line.strip()]
    cut = [part for part in parts if part is not None]
    ids = {part[1] for part in cut}
    return 0 < len(parts) == len(cut) == len(ids) and any(part[3] for part in cut)


def read_netflix(source: Source) -> Titles:
    """The titles."""
    encoding, notes = encoding_of(source)
    lines = enumerate(lines_of(source, encoding), 1)
    rows = ((at, [bare(cell) for cell in line.split(",", 2)]) for at, line in lines)
    return _gathered(rows, (0, 2), source, notes)


def title_columns(source: Source, layout: RatingsLayout) -> TitlePlaces | None:
    """Columns of ids and titles; None where the file holds no titles."""
    return _by_names(layout) if layout.header else _by_content(source, layout)


def _by_names(layout: RatingsLayout) -> TitlePlaces | None:
    if named(layout.names, "user") is not None:
        return None
    title, item = named(layout.names, "title"), named(layout.names, "item")
    if item is None or item == title:
        ids = (j for j, name in enumerate(layout.names) if key_of(name).endswith("id"))
        item = next(ids, None)
    return None if title is None or item is None or item == title else (item, title)


def _by_content(source: Source, layout: RatingsLayout) -> TitlePlaces | None:
    ids, *others = layout.columns
    if len(set(ids.cells)) < len(ids.cells):
        return None
    title = next((j for j, column in enumerate(others[:2], 1) if column.kind == "text"), None)
    if title is None:
        return None
    cells = layout.columns[title].cells
    wordy = sum(" " in cell for cell in cells) >= WORDY * len(cells)
    rated = any(column.kind in ("number", "stamp") for column in others[:3])
    so_named = NAMES.search(source.plain_name) is not None
    return (0, title) if wordy or (so_named and not rated) else None


def read_titles(source: Source, layout: RatingsLayout, places: TitlePlaces) -> Titles:
    """The titles."""
    encoding, notes = encoding_of(source)
    rows = stripped(lines_of(source, encoding), layout.dialect)
    try:
        return _gathered((row for row in rows if row[0] > layout.skip), places, source, notes)
    except BrokenRowError as error:
        raise DataError(f"{source.name} cannot be read: {error}.", NEED) from None


def _gathered(rows: Iterable[Row], places: TitlePlaces, source: Source, notes: list[str]) -> Titles:
    """Titles by id, the first where an id is repeated; lines without both are counted."""
    item, title = places
    titles: dict[str, str] = {}
    left = 0
    for _, cells in rows:
        if len(cells) <= max(places) or not cells[item] or not cells[title]:
            left += any(cells)
        else:
            titles.setdefault(cells[item], cells[title])
        if len(titles) > limits.MAX_NAMES:
            raise DataError(
                f"{source.name} has more than {limits.MAX_NAMES:,} titles.", "Give fewer."
            )
    if left:
        lines = counted(left, "line is", "lines are")
        notes.append(f"{source.name}: {lines} left out for want of an id or a title.")
    return Titles(source.name, titles, notes)
