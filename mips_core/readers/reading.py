"""From one file or two to a Dataset: recognise, read, fit together, remark."""

from collections.abc import Sequence
from contextlib import ExitStack
from pathlib import Path

import numpy as np

from mips_core.arrays import Matrix, as_matrix
from mips_core.dataset import Dataset
from mips_core.errors import DataError
from mips_core.readers.base import Rank, Source, Table, recognise
from mips_core.readers.labels import read_labels
from mips_core.readers.remarks import remarks
from mips_core.readers.unpack import unpacked
from mips_core.readers.words import ITEMS, QUERIES, plain, tidy

LABEL_FILES = ("metadata", "meta", "labels", "label", "vocab", "words", "names", "titles")


def read(paths: str | Path | Sequence[str | Path]) -> Dataset:
    """The vectors of one file; or of two: items and queries, or vectors and labels.

    Nothing in a file is executed. Raises DataError for whatever is not vectors, saying what was
    found, where, and what to do.
    """
    given = [Path(paths)] if isinstance(paths, str | Path) else [Path(path) for path in paths]
    if not 1 <= len(given) <= 2:
        raise DataError(
            f"{len(given)} files were given.",
            "Give one, or two: items and queries, or vectors and labels.",
        )
    with ExitStack() as stack:
        sources = [stack.enter_context(unpacked(path)) for path in given]
        if len(sources) == 1:
            return _dataset(sources[0], _table(sources[0]))
        return _pair(*sources)


def _table(source: Source) -> Table:
    """The content of one file; any failure as DataError."""
    reader = recognise(source)
    try:
        return reader.read(source)
    except DataError:
        raise
    except MemoryError:
        raise DataError(
            f"{source.name} does not fit into memory.", "Give its first rows only."
        ) from None
    except Exception as error:
        raise DataError(
            f"{source.name} cannot be read as {reader.label}: {error}.",
            "It may be damaged. Save or download it again.",
        ) from error


def _pair(first: Source, second: Source) -> Dataset:
    """Two files, told apart by their names, or else by their content; the first is items."""
    if _says(first, LABEL_FILES) and not _says(second, LABEL_FILES):
        first, second = second, first
    if _says(second, LABEL_FILES):
        return _labelled(first, _table(first), second)
    try:
        table = _table(first)
    except DataError as error:
        return _turned(first, second, error)
    d = table.vectors.shape[1]
    try:
        other = _table(second)
    except DataError as error:
        return _labelled(first, table, second, error)
    if other.vectors.shape[1] != d and second.plain_name.endswith((".tsv", ".csv", ".txt")):
        try:
            return _labelled(first, table, second)
        except DataError:
            pass  # two files of vectors that do not fit
    if _says(first, QUERIES) or (_says(second, ITEMS) and not _says(second, QUERIES)):
        first, second, table, other = second, first, other, table
    if other.vectors.shape[1] != table.vectors.shape[1]:
        raise DataError(
            f"The queries ({second.name}) have {other.vectors.shape[1]:,} dimensions, the items "
            f"({first.name}) {table.vectors.shape[1]:,}.",
            "Both must come from the same model.",
        )
    notes = [f"{first.name} is taken as items, {second.name} as queries."]
    notes += [note if second.name in note else f"{second.name}: {note}" for note in other.notes]
    queries = as_matrix(other.vectors, second.name)
    return _dataset(first, Table(table.vectors, table.labels, queries, [*notes, *table.notes]))


def _turned(first: Source, second: Source, error: DataError) -> Dataset:
    """The first file holds no vectors: perhaps it labels those of the second."""
    try:
        table = _table(second)
    except DataError:
        raise error from None
    return _labelled(second, table, first, error)


def _labelled(
    source: Source, table: Table, beside: Source, error: DataError | None = None
) -> Dataset:
    """`error` says why `beside` holds no vectors; raised where it is not text either."""
    try:
        labels, notes = read_labels(beside, len(table.vectors))
    except DataError as refusal:
        if (reader := recognise(beside)).rank == Rank.FOREIGN:
            reader.read(beside)  # raises, naming what it is
        raise (
            error if error is not None and "lines for" not in refusal.found else refusal
        ) from None
    return _dataset(source, Table(table.vectors, labels, table.queries, [*table.notes, *notes]))


def _says(source: Source, names: Sequence[str]) -> bool:
    """Whether a word of the file's name is one of `names`."""
    stem = plain(Path(source.plain_name).stem)
    return stem in names or any(len(word) > 2 and word in names for word in stem.split("_"))


def _dataset(source: Source, table: Table) -> Dataset:
    items = as_matrix(table.vectors, source.name)
    if len(items) < 2:
        held = "holds one vector only" if len(items) else "holds no vectors"
        raise DataError(f"{source.name} {held}.", "A search needs two or more.")
    if items.shape[1] == 0:
        raise DataError(f"{source.name} has rows without numbers.", "Give one column or more.")
    if not items.any():
        raise DataError(f"{source.name}: all rows are zero.", "There is nothing to rank.")
    labels, notes = (None, []) if table.labels is None else tidy(table.labels)
    queries = np.empty((0, items.shape[1]), np.float32)
    if table.queries is not None:
        queries = as_matrix(table.queries, f"{source.name} (queries)")
    return Dataset(
        items=items,
        queries=queries,
        labels=labels,
        name=source.stem,
        notes=(*table.notes, *notes, *remarks(items, labels)),
    )


def read_queries(path: str | Path) -> Matrix:
    """The vectors (m, d) of one file of queries; one is enough. Raises DataError as `read`."""
    with unpacked(Path(path)) as source:
        table = _table(source)
        queries = as_matrix(table.vectors, source.name)
    if len(queries) == 0:
        raise DataError(f"{source.name} holds no vectors.", "One query or more is needed.")
    return queries
