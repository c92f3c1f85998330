"""Which of the parts of a JSON object are vectors, queries and labels."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from mips_core.base.errors import DataError
from mips_core.data.readers.arrays.array_roles import ArrayRoles, assign
from mips_core.data.readers.arrays.named_arrays import TEXT, NamedArray
from mips_core.data.readers.choices import NONE, Offer, Offers, UnsettledError
from mips_core.data.readers.contract import NONE_LEFT, Table
from mips_core.data.readers.csv.column_roles import KNOWN, NoNumbersError
from mips_core.data.readers.json.fields import dotted
from mips_core.data.readers.json.frames import frame_of
from mips_core.data.readers.json.parts import Flat, Parts, Path, add_all, batches_of
from mips_core.data.readers.json.rows import JsonRows, clean, text_of
from mips_core.data.readers.names import plain, quoted
from mips_core.data.readers.text.numbers import is_numbers

RECORDS = ("data", "records", "rows", "items")  # whose fields may be coordinates
OF_COLUMNS = ("columns", "column_names", "index_names")  # of a frame that pandas wrote by parts

WORDS = (
    10  # arrays of one length in an object that are words, although one is called as vectors are
)
MOSTLY = 0.9  # of named vectors have one length; the others are bad rows

_GEO = {"FeatureCollection", "Feature", "GeometryCollection", "Point", "Polygon", "LineString"}


def table_of(parts: Parts) -> Table:
    """The vectors in an object, with labels and queries.

    Raises DataError naming its keys where there are none, UnsettledError where several may be.
    """
    _refuse_known(parts)
    frame = frame_of(parts)
    if frame is not None:
        return frame
    parts.look_into_objects()
    tables = {path: rows for path, rows in parts.rows.items() if rows.fields is None or rows.names}
    records = {path: rows for path, rows in parts.rows.items() if path not in tables}
    records = {
        path: rows for path, rows in records.items()
        if rows.fields is not None and (rows.fields.lists or path[-1] in RECORDS)
    }  # fmt: skip
    if tables:
        return _arrays(parts, {dotted(path): rows for path, rows in tables.items()})
    if records:
        return _records(parts, {dotted(path): rows for path, rows in records.items()})
    for error in parts.errors.values():
        if not isinstance(error, NoNumbersError):
            raise error
    numbers = [path for path, flat in parts.flats if _is_numeric(flat)]
    if not numbers and parts.crowded:
        raise DataError(
            f"{parts.file} holds single values by name in objects, too many to be held at once.",
            "Write one row after another: as JSON Lines, or with orient=“values” in pandas.",
        )
    if not numbers:
        raise DataError(
            f"{parts.file} holds no vectors: it is an object with the keys {quoted(parts.keys)}."
            if parts.keys
            else f"{parts.file} holds no vectors, only an empty object.",
            NONE_LEFT,
        )
    return _flats(parts, numbers)


def _refuse_known(parts: Parts) -> None:
    """Raise DataError naming a document that holds numbers but never vectors."""
    schema = str(parts.scalars.get(("$schema",), ""))
    what = ""
    if parts.scalars.get(("type",)) in _GEO:
        what = "GeoJSON, a map"
    elif "vega" in schema:
        what = "a Vega chart"
    elif ("nbformat",) in parts.scalars:
        what = "a notebook"
    if what:
        raise DataError(
            f"{parts.file} is {what}, not vectors: its keys are {quoted(parts.keys)}.", NONE_LEFT
        )


def _arrays(parts: Parts, tables: dict[str, JsonRows]) -> Table:
    """Tables and the arrays beside them in their roles."""
    float32 = np.dtype(np.float32)
    arrays = {name: NamedArray((rows.taken, rows.d), float32) for name, rows in tables.items()}
    flats: dict[str, Flat] = {}
    named = any(rows.fields is not None and rows.fields.label for rows in tables.values())
    for path, flat in parts.flats:
        array = _known_flat(flat)
        if array is not None and not _is_of_frame(path, named, tables):
            flats[dotted(path)] = flat
            arrays[dotted(path)] = array
    roles = assign(arrays, parts.choices, parts.file)
    offers = replace(roles.offers, bad_rows=0)
    table = tables[roles.items].table(offers)
    table = replace(table, notes=[*roles.notes, *table.notes])
    if roles.transposed:
        table = replace(table, vectors=table.vectors.T)
    return _with_roles(table, roles, tables, flats)


def _is_of_frame(path: Path, named: bool, tables: Mapping[str, JsonRows]) -> bool:
    """Whether an array names the columns, or rows that have labels, of a frame of pandas."""
    if named and path[-1] in ("index", "columns"):
        return True
    return path[-1] in OF_COLUMNS and dotted((*path[:-1], "data")) in tables


def _with_roles(
    table: Table, roles: ArrayRoles, tables: dict[str, JsonRows], flats: dict[str, Flat]
) -> Table:
    """`table` with its labels, queries and bias."""
    items, notes = tables[roles.items], list(table.notes)
    labels, queries, bias = table.labels, None, None
    if roles.label:
        labels, more = clean([text_of(v) for v in items.without_dropped(list(flats[roles.label]))])
        notes += more
    if roles.queries:
        other = tables[roles.queries].table(Offers())
        queries = other.vectors
        notes += [f"Queries: {note}" for note in other.notes]
    if roles.bias:
        bias = np.array(items.without_dropped(list(flats[roles.bias])), np.float32)
    return replace(table, labels=labels, queries=queries, bias=bias, notes=notes)


def _known_flat(flat: Flat) -> NamedArray | None:
    """What is known of a plain array; None where it is mixed."""
    if isinstance(flat, np.ndarray):
        return NamedArray(flat.shape, flat.dtype)
    if is_numbers(flat):
        return NamedArray((len(flat),), np.dtype(np.int64))
    if flat and all(value is None or isinstance(value, str) for value in flat):
        return NamedArray((len(flat),), np.dtype(object), TEXT)
    return None


def _records(parts: Parts, records: dict[str, JsonRows]) -> Table:
    """The rows of the only array of objects with vectors, or of the one chosen."""
    if parts.choices.array in records:
        return records[parts.choices.array].table()
    likely = [name for name in records if plain(name.rsplit(".", 1)[-1]) in (*KNOWN, *RECORDS)]
    names = likely if len(likely) == 1 else list(records)
    if len(names) == 1:
        return records[names[0]].table()
    raise UnsettledError(
        f"{parts.file} holds several arrays of objects with vectors: {quoted(names)}.",
        "Choose one, or call the one to search “items”.",
        Offers(tuple(Offer(name, f"{rows.n:,} × {rows.d:,}") for name, rows in records.items())),
    )


def _is_numeric(flat: Flat) -> bool:
    return isinstance(flat, np.ndarray) or is_numbers(flat)


def _flats(parts: Parts, numbers: Sequence[Path]) -> Table:
    """Plain arrays only: columns beside one of text, one object, or one vector a name."""
    flats = parts.flats
    lengths = {len(flat) for _, flat in flats}
    lists = [flat for _, flat in flats if isinstance(flat, list)]
    texts = [flat for flat in lists if any(isinstance(value, str) for value in flat)]
    rows = JsonRows(parts.file, parts.choices, "row")
    if len(lengths) == 1 and texts and len(numbers) + len(texts) == len(flats):
        names = [dotted(path) for path, _ in flats]
        columns = [_as_list(flat) for _, flat in flats]
        values = (dict(zip(names, row, strict=True)) for row in zip(*columns, strict=True))
        add_all(rows, batches_of(values))
        return rows.table()
    known = [path for path in numbers if plain(path[-1]) in KNOWN]
    length = len(dict(flats)[known[0]]) if known else 0
    alike = sum(len(flat) == length for _, flat in flats)  # words, of which one is “x”, perhaps
    is_vector = len(known) == 1 and alike < WORDS
    if is_vector or (len(flats) == 1 and parts.scalars):  # one object, not a vector a name
        scalars = {dotted(path): value for path, value in parts.scalars.items()}
        arrays = {".".join(path): _as_list(flat) for path, flat in flats}
        add_all(rows, [[scalars | arrays]])
        return rows.table()
    vectors = [(path, flat) for path, flat in flats if _has_number(flat)]
    usual, count = Counter(len(flat) for _, flat in vectors).most_common(1)[0]
    if count < MOSTLY * len(vectors):  # to leave out the others could leave out the vectors
        raise DataError(
            f"{parts.file} holds arrays of numbers of different lengths under the keys "
            f"{quoted(dotted(path) for path, _ in vectors)}: {count:,} of {usual:,} numbers, the "
            "others of more or fewer.",
            "Call the one that is the vector “embedding”, or give vectors of one length.",
        )
    return _named_vectors(parts, vectors)


def _named_vectors(parts: Parts, flats: Sequence[tuple[Path, Flat]]) -> Table:
    """One vector a name: the part of each path in which they differ is the label."""
    rows = JsonRows(parts.file, replace(parts.choices, label="", array=""), "row")
    add_all(rows, batches_of(_as_list(flat) for _, flat in flats))
    table = rows.table()
    left_out = [dotted(path) for path, flat in parts.flats if not _has_number(flat)]
    if left_out:
        table = replace(table, notes=[*table.notes, f"Left out: {quoted(left_out)}."])
    if parts.choices.label == NONE:
        return table
    first, last = flats[0][0], flats[-1][0]
    start = end = 0
    while len(flats) > 1 and start < min(len(first), len(last)) - 1 and all(
        path[: start + 1] == first[: start + 1] for path, _ in flats
    ):  # fmt: skip
        start += 1
    while len(flats) > 1 and all(
        len(path) > start + end + 1 and path[-1 - end] == first[-1 - end] for path, _ in flats
    ):
        end += 1
    names = [".".join(path[start : len(path) - end]) for path, _ in flats]
    labels, notes = clean(rows.without_dropped(names))
    return replace(table, labels=labels, notes=[*table.notes, *notes])


def _has_number(flat: Flat) -> bool:
    return _is_numeric(flat) or any(type(value) in (int, float) for value in flat)


def _as_list(flat: Flat) -> list[Any]:
    return flat.tolist() if isinstance(flat, np.ndarray) else flat
