"""Ratings as objects of JSON, one a line or in an array: reviews of Amazon, Yelp, Goodreads."""

import json
import re
from collections.abc import Iterator, Mapping
from itertools import chain, islice
from typing import Any

from mips_core.base.errors import DataError
from mips_core.data.ratings.blocks import Entry, FileRatings, Gathered, RatingFaults
from mips_core.data.ratings.columns import RatingColumn, RatingRoles, assign
from mips_core.data.ratings.table import SHOWN_CHARACTERS, lines_of, time_of, usable_rating
from mips_core.data.readers.choices import RatingChoices
from mips_core.data.readers.contract import Source
from mips_core.data.readers.json.stream import JsonStream
from mips_core.data.readers.text.lines import BOM, encoding_of, is_text

SAMPLE = 100
MOST_FIELDS = 100
BEGIN = re.compile(rb"\s*(\[\s*)?\{")


def matches(source: Source) -> bool:
    """Whether the file begins with an object, or an array of objects."""
    return is_text(source.head) and BEGIN.match(source.head.removeprefix(BOM)) is not None


def _is_array(source: Source) -> bool:
    return source.head.removeprefix(BOM).lstrip().startswith(b"[")


def read(source: Source, gathered: Gathered, choices: RatingChoices) -> FileRatings:
    """The ratings. Raises DataError as tables of text do."""
    array = _is_array(source)
    encoding, notes = ("", []) if array else encoding_of(source)
    columns = _columns(source, encoding)
    roles = assign(columns, True, choices, source.name)
    names = [column.name for column in columns]
    faults = RatingFaults(source.name, choices.skip_bad, unit="row" if array else "line")
    entries = _entries(source, encoding, names, roles, faults)
    blocks = gathered.blocks(entries, valued=roles.value is not None)
    notes += [*roles.notes, *faults.notes()]
    return FileRatings(source, blocks, notes, roles.offers(columns, None), faults.rows)


def _columns(source: Source, encoding: str) -> list[RatingColumn]:
    """The fields of the first objects, with the beginnings of their values."""
    rows = [
        {name: _text(value)[:SHOWN_CHARACTERS] for name, value in islice(row.items(), MOST_FIELDS)}
        for _, row in islice(_objects(source, encoding), SAMPLE)
        if row is not None
    ]
    names = islice(dict.fromkeys(name for row in rows for name in row), MOST_FIELDS)
    if not rows:
        raise DataError(f"{source.name} holds no ratings.", "Give one object for each rating.")
    return [RatingColumn(name, tuple(row.get(name, "") for row in rows), name) for name in names]


def _objects(source: Source, encoding: str) -> Iterator[tuple[int, Mapping[str, Any] | None]]:
    """(line, object) of each line; None for what is no object. Numbers stay text."""
    if _is_array(source):
        yield from _elements(source)
        return
    for at, line in enumerate(lines_of(source, encoding), 1):
        if not line.strip():
            continue
        try:
            row = json.loads(line, parse_int=str, parse_float=str, parse_constant=str)
        except (ValueError, RecursionError):
            row = None
        yield at, row if isinstance(row, dict) else None


def _elements(source: Source) -> Iterator[tuple[int, Mapping[str, Any] | None]]:
    """(row, object) of an array, read piece by piece."""
    with source.path.open("rb") as file:
        stream = JsonStream(file, source)
        stream.peek()
        for at, row in enumerate(chain.from_iterable(stream.batches())):
            yield at, row if isinstance(row, dict) else None
        stream.end()


def _text(value: Any) -> str:
    """A JSON value as the text of a cell; lists and objects are none."""
    if isinstance(value, bool):
        return str(int(value))
    if isinstance(value, int | float):
        return str(value)
    return value.strip() if isinstance(value, str) else ""


def _entries(
    source: Source, encoding: str, names: list[str], roles: RatingRoles, faults: RatingFaults
) -> Iterator[Entry]:
    """The rating in each good line; it is 1 where there are none."""
    for at, row in _objects(source, encoding):
        if row is None:
            faults.add("no object", at)
            continue
        user, item = (_text(row.get(names[j])) for j in (roles.user, roles.item))
        cell = "1" if roles.value is None else _text(row.get(names[roles.value]))
        value = usable_rating(user, item, cell, at, faults)
        if value is not None:
            time = "" if roles.time is None else _text(row.get(names[roles.time]))
            yield user, item, value, time_of(time)
