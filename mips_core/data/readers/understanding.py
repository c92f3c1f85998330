"""From files to a Dataset: unpack, recognise, read, give each its role, remark."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np

from mips_core.base import limits
from mips_core.base.arrays import Matrix
from mips_core.base.errors import DataError
from mips_core.base.progress import Progress, silent
from mips_core.data.classifier import layer_items, layer_queries
from mips_core.data.dataset import Dataset
from mips_core.data.readers.bad_rows import settled_rows
from mips_core.data.readers.choices import Choices, Offers
from mips_core.data.readers.contract import Source, Table
from mips_core.data.readers.file_content import table_of
from mips_core.data.readers.names import tidy
from mips_core.data.readers.remarks import remarks
from mips_core.data.readers.roles import put_together
from mips_core.data.readers.unpack import unpacked

Paths = str | Path | Sequence[str | Path]


@dataclass(frozen=True, eq=False)
class Understanding:
    """What was made of files, and what a person may choose otherwise."""

    dataset: Dataset
    offers: Offers
    stored: str = ""  # dtype of the vectors in the file


def read(
    paths: Paths,
    choices: Choices = Choices(),
    *,
    keep_dtype: bool = False,
    progress: Progress = silent,
) -> Dataset:
    """The vectors of files: items, and queries, labels, or a classifier layer's W, b and H.

    float32 in C order, or with `keep_dtype` the dtype that is stored. Nothing in a file is
    executed. Raises DataError for whatever is not vectors, saying what was found, where, and what
    to do: RatingsFileError for ratings, UnsettledError where a person must choose.
    """
    return understand(paths, choices, keep_dtype=keep_dtype, progress=progress).dataset


def understand(
    paths: Paths,
    choices: Choices = Choices(),
    *,
    keep_dtype: bool = False,
    not_ratings: bool = False,
    lasting: bool = False,
    progress: Progress = silent,
) -> Understanding:
    """The same as `read`, with what else could have been chosen.

    `not_ratings` takes for vectors even tables whose columns look like users, items and ratings.
    `lasting` says that the files stay as they are while the data are used: float32 vectors of a
    large .npy or .fbin, and float16 that are kept, are then mapped and not copied.
    """
    files = paths_of(paths)
    with unpacked(files, progress) as opened:
        sources = [
            replace(source, not_ratings=not_ratings, lasting=lasting and source.path in files)
            for source in opened
        ]
        source, table = put_together(sources, choices)
        stored = table.vectors.dtype.name
        halves = stored == "float16" and table.bias is None  # a bias beside them may be no float16
        table = settled_rows(
            replace(table, offers=replace(table.offers, float16=halves)),
            source.name,
            skip=choices.skip_bad,
            keep_dtype=keep_dtype,
            keep_items=halves and choices.keep_float16,
            source=source,
        )
        keep_dtype = keep_dtype or (halves and choices.keep_float16)
        return Understanding(_dataset(source, table, keep_dtype), table.offers, stored)


def paths_of(paths: Paths) -> list[Path]:
    """The paths as a list. Raises DataError for none or too many."""
    files = [Path(paths)] if isinstance(paths, str | Path) else [Path(path) for path in paths]
    if not 1 <= len(files) <= limits.MAX_FILES:
        raise DataError(
            f"{len(files):,} files were given.",
            "Give one, or several that belong together: items and queries, vectors and labels.",
        )
    return files


def _dataset(source: Source, table: Table, keep_dtype: bool) -> Dataset:
    items = table.vectors
    _check(items, source.name)
    labels, notes = (None, []) if table.labels is None else tidy(table.labels)
    queries = np.empty((0, items.shape[1]), np.float32) if table.queries is None else table.queries
    if table.bias is not None:
        items, queries = layer_items(items, table.bias), layer_queries(queries)
        notes.append(
            "A classifier layer: items are its weights with the bias as last entry, queries hidden "
            "states with a 1. Inner products are the logits."
        )
    return Dataset(
        items=items,
        queries=queries,
        labels=labels,
        name=source.stem,
        notes=(*table.notes, *notes, *remarks(items, labels)),
        logits=table.bias is not None,
        keep_dtype=keep_dtype,
        rows=table.kept,
    )


def _check(items: np.ndarray, name: str) -> None:
    """Raise DataError for arrays that hold no vector to search."""
    if len(items) < 1:
        raise DataError(f"{name} holds no vectors.", "A search needs one or more.")
    if items.shape[1] == 0:
        raise DataError(f"{name} has rows without numbers.", "Give one column or more.")
    if not items.any():
        raise DataError(f"{name}: all rows are zero.", "There is nothing to rank.")


def read_queries(
    path: str | Path, choices: Choices = Choices(), progress: Progress = silent
) -> Matrix:
    """The vectors (m, d) of one file of queries; one is enough. Raises DataError as `read`."""
    with unpacked([Path(path)], progress) as sources:
        source, table = sources[0], table_of(sources[0], choices)
        if len(sources) > 1:
            source, table = put_together(sources, choices)
        skip = choices.skip_bad
        table = settled_rows(table, source.name, skip=skip, keep_dtype=False, source=source)
        if len(table.vectors) == 0:
            raise DataError(f"{source.name} holds no vectors.", "One query or more is needed.")
        return table.vectors
