"""What a map tells of each item, as files: coordinates, clusters, and what a search made of it.

CSV and Parquet have the same columns and are written in blocks, so that a million items take little
memory. Text is quoted in CSV and left as it is, whatever a spreadsheet might make of it.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, BinaryIO

import numpy as np

from mips_core.base.arrays import Floats, Ids, Mask, Matrix, Ranks
from mips_core.data.labels import in_cell
from mips_core.groups.clusters import GroupLevel
from mips_core.studies.misses import FollowedSearch

BLOCK = 65_536  # rows made and written at once

File = str | Path | BinaryIO  # a path, or a file open for writing


@dataclass(frozen=True, slots=True, eq=False)
class SearchMarks:
    """One search at one effort: what it made of n items, and of its K true answers.

    candidates (n,); true (K,) ids best first, found (K,) which of them are candidates.
    """

    name: str  # of the query
    place: tuple[float, float]  # where it stands on the map
    item: int  # the item that asks, or -1
    effort: str  # "10 probes"
    candidates: Mask
    true: Ids | Ranks
    found: Mask


@dataclass(frozen=True, slots=True, eq=False)
class MappedItems:
    """n items on a map, and what is told of each; None: not told.

    xy (n, 2), norms (n,), levels of clusters, coarsest first; answers and missed (n,): how often
    each item is a true answer, and how often it is missed then.
    """

    name: str  # of the data
    xy: Matrix
    norms: Floats
    labels: Sequence[str] | None
    levels: Sequence[GroupLevel]
    answers: Ids | None = None
    missed: Ids | None = None
    search: SearchMarks | None = None
    simulated: bool = False
    note: str = ""  # on the layout, in sentences

    @property
    def n(self) -> int:
        """Number of items."""
        return len(self.xy)


def marks_of(
    followed: FollowedSearch,
    position: int,
    *,
    name: str,
    place: tuple[float, float],
    effort: str,
    item: int = -1,
) -> SearchMarks:
    """What a followed search did at `position` of its efforts."""
    candidates = followed.opened <= position
    lost = slice(followed.lost_starts[position], followed.lost_starts[position + 1])
    candidates[followed.lost_ids[lost]] = False
    found = np.asarray(followed.found[position], bool)
    return SearchMarks(name, place, item, effort, candidates, followed.true, found)


def write_csv(file: File, mapped: MappedItems) -> None:
    """A line of column names, then a line for each item, in UTF-8."""
    import pyarrow.csv  # slow to import, and not needed by most commands

    with pyarrow.csv.CSVWriter(_sink(file), _schema(mapped)) as writer:
        for block in _blocks(mapped):
            writer.write(
                pyarrow.RecordBatch.from_arrays(list(map(_in_cells, block)), schema=block.schema)
            )


def write_parquet(file: File, mapped: MappedItems) -> None:
    """The same columns."""
    from pyarrow.parquet import ParquetWriter

    with ParquetWriter(_sink(file), _schema(mapped)) as writer:
        for block in _blocks(mapped):
            writer.write_batch(block)


def columns_of(mapped: MappedItems) -> dict[str, list[Any]]:
    """The same columns as plain values, for JSON."""
    columns: dict[str, list[Any]] = {name: [] for name in _schema(mapped).names}
    for block in _blocks(mapped):
        for name, values in block.to_pydict().items():
            columns[name] += values
    return columns


def level_names(levels: Sequence[GroupLevel]) -> list[str]:
    """How the column of each level is called: cluster, or level_1_cluster, the coarsest, and on."""
    nouns = [level.nouns[0].replace(" ", "_") for level in levels]
    if len(nouns) == 1:
        return nouns
    return [f"level_{number}_{noun}" for number, noun in enumerate(nouns, 1)]


def _sink(file: File) -> Any:
    return str(file) if isinstance(file, Path) else file


def _schema(mapped: MappedItems) -> Any:
    return _block(mapped, slice(0, 0)).schema


def _blocks(mapped: MappedItems) -> Iterator[Any]:
    for start in range(0, mapped.n, BLOCK):
        yield _block(mapped, slice(start, min(start + BLOCK, mapped.n)))


def _block(mapped: MappedItems, rows: slice) -> Any:
    """A pyarrow RecordBatch of these rows."""
    import pyarrow

    columns: dict[str, Any] = {"row": pyarrow.array(np.arange(rows.start, rows.stop))}
    if mapped.labels is not None:
        columns["label"] = _texts(mapped.labels[rows])
    columns["x"], columns["y"] = (pyarrow.array(side) for side in mapped.xy[rows].T)
    columns["norm"] = pyarrow.array(mapped.norms[rows])
    for name, level in zip(level_names(mapped.levels), mapped.levels, strict=True):
        columns[name] = pyarrow.array(level.of[rows])
        columns[f"{name}_name"] = _texts(level.names).take(columns[name])
    for name, counts in {"times_answer": mapped.answers, "times_missed": mapped.missed}.items():
        if counts is not None:
            columns[name] = pyarrow.array(counts[rows])
    if mapped.search is not None:
        columns |= _search_columns(mapped.search, rows)
    return pyarrow.RecordBatch.from_pydict(columns)


def _search_columns(search: SearchMarks, rows: slice) -> dict[str, Any]:
    """candidate; for a true answer its rank from 1, and found or missed; else nothing."""
    import pyarrow

    here = np.flatnonzero((search.true >= rows.start) & (search.true < rows.stop))
    places = search.true[here] - rows.start
    ranks = np.zeros(rows.stop - rows.start, np.int32)
    ranks[places] = here + 1
    answers = np.full(len(ranks), None, object)
    answers[places] = np.where(search.found[here], "found", "missed")
    return {
        "candidate": pyarrow.array(search.candidates[rows]),
        "true_rank": pyarrow.array(ranks, mask=ranks == 0),
        "answer": pyarrow.array(answers, pyarrow.string()),
    }


def _in_cells(column: Any) -> Any:
    """A column as spreadsheets may open it."""
    import pyarrow

    if not pyarrow.types.is_string(column.type):
        return column
    cells = (None if text is None else in_cell(text) for text in column.to_pylist())
    return pyarrow.array(cells, column.type)


def _texts(texts: Sequence[str]) -> Any:
    """Text as UTF-8; what has none there becomes a question mark."""
    import pyarrow

    try:
        return pyarrow.array(list(texts), pyarrow.string())
    except UnicodeEncodeError:
        return _texts([text.encode("utf-8", "replace").decode() for text in texts])
