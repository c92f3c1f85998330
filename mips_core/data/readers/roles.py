"""Several files together: which holds items, queries, labels, or the bias of a classifier layer."""

import re
from dataclasses import replace
from typing import Any

from numpy.typing import NDArray

from mips_core.base.errors import DataError
from mips_core.data.readers.arrays import npy
from mips_core.data.readers.choices import (
    NONE,
    Choices,
    Offer,
    Offers,
    RatingsFileError,
    UnsettledError,
)
from mips_core.data.readers.contract import Rank, Source, Table, recognise
from mips_core.data.readers.file_content import FileContent, table_of
from mips_core.data.readers.labels import read_labels
from mips_core.data.readers.names import BIASES, ITEMS, QUERIES, quoted
from mips_core.data.readers.ratings_signs import is_ratings
from mips_core.data.readers.shards import width_error, without_shards
from mips_core.data.readers.text.lines import is_text

LABEL_FILES = ("metadata", "meta", "labels", "label", "vocab", "words", "names", "titles")
ABOUT = ("readme", "license", "licence", "copying", "notice", "citation", "changelog")
OF_MODEL = ("config", "modules", "tokenizer")  # beside the weights of a model
BESIDE = ("links", "checksums", "manifest")  # which may label items, but are not meant to


def put_together(sources: list[Source], choices: Choices) -> tuple[Source, Table]:
    """The file of the items and all that was given with it, as one table.

    Raises DataError where a file is none of these, UnsettledError where several may be the items.
    """
    about_others = _explaining(sources) if len(sources) > 1 else []
    rest = [source for source in sources if source not in about_others]
    source, table = _together(rest, choices)
    if about_others:
        left_out = f"Left out: {quoted(other.name for other in about_others)}."
        table = replace(table, notes=[*table.notes, left_out])
    return source, table


def _explaining(sources: list[Source]) -> list[Source]:
    """Files told by their names to be about the others, READMEs and licences, without vectors.

    None where all are such: then there is nothing they could be about.
    """
    explaining = []
    for source in sources:
        named = FileContent(source)
        if named.says(LABEL_FILES):
            continue
        prose = named.says(ABOUT) and is_text(source.head)  # its last line may end in a number
        other = named.says((*ABOUT, *OF_MODEL))
        if prose or (other and _read(source, Choices(), len(sources)).table is None):
            explaining.append(source)
    return explaining if len(explaining) < len(sources) else []


def _together(sources: list[Source], choices: Choices) -> tuple[Source, Table]:
    """The same as `put_together`, of files that all belong to the data."""
    if len(sources) == 1:
        own = replace(choices, array="") if choices.array == sources[0].name else choices
        return sources[0], table_of(sources[0], own)
    for source in sources:
        if is_ratings(source.head) and not source.not_ratings:
            table_of(source)  # raises, naming what it is, before anything large is read
    files = [_read(source, choices, len(sources)) for source in sources]
    for file in files:
        if isinstance(file.error, RatingsFileError):  # known once it was read
            raise file.error
    files = without_shards(files)
    vectors = [file for file in files if file.table is not None and not file.holds_answers]
    if not vectors:
        raise next(file.error for file in files if file.error is not None)
    items, queries = _tables(vectors, choices)
    rest = [file for file in files if file not in (items, queries)]
    return items.source, _joined(items, queries, rest, vectors, choices)


def _read(source: Source, choices: Choices, count: int) -> FileContent:
    """One file of several: its table, unless its name says that it labels another."""
    named = FileContent(source)
    inner = replace(choices, array="", queries="", label="")
    if named.says(LABEL_FILES) and choices.array != source.name and count > 1:
        kind = recognise(source)
        if kind.rank != Rank.FOREIGN:
            labels_only = f"{source.name} holds labels only."
            error = DataError(labels_only, "Give the file of vectors with it.")
            return FileContent(source, None, error)
    try:
        return FileContent(source, table_of(source, inner))
    except DataError as error:
        return FileContent(source, None, error)


def _tables(vectors: list[FileContent], choices: Choices) -> tuple[FileContent, FileContent | None]:
    """The files of items and of queries."""
    offered = tuple(Offer(file.name, file.about) for file in vectors)
    for name in (choices.array, choices.queries):
        if name not in ("", NONE) and name not in [file.name for file in vectors]:
            raise DataError(
                f"No file “{name}” with vectors was given.",
                f"There are: {quoted(file.name for file in vectors)}.",
            )
    asked_items = [file for file in vectors if file.name == choices.array]
    asked_queries = [file for file in vectors if file.name == choices.queries]
    free = [file for file in vectors if file not in asked_queries]
    items = next(iter(asked_items or _items(free)), None)
    if items is None:
        listed = ", ".join(f"{offer.name} ({offer.about})" for offer in offered)
        raise UnsettledError(
            f"{len(vectors)} files hold vectors, and their names do not tell which to search: "
            f"{listed}.",
            "Choose one, or call the files “items” and “queries”.",
            Offers(offered),
        )
    if choices.queries == NONE:
        return items, None
    rest = asked_queries or [file for file in vectors if file is not items]
    named = [file for file in rest if file.says(QUERIES)] or rest
    fitting = [file for file in named if file.d == items.d]
    if asked_queries and not fitting:
        raise width_error(items, asked_queries[0])
    return items, fitting[0] if len(fitting) == 1 or asked_queries else None


def _items(free: list[FileContent]) -> list[FileContent]:
    """The file of items, if names or numbers tell: the first of two, where names say nothing."""
    named = [file for file in free if file.says(ITEMS) and not file.says(QUERIES)]
    others = [file for file in free if not file.says(QUERIES)]
    for likely in (named, others):
        if len(likely) == 1:
            return likely
    same = len(free) == 2 and (free[0].d == free[1].d or not free[0].source.archive)
    return free[:1] if same else []


def _joined(
    items: FileContent,
    queries: FileContent | None,
    rest: list[FileContent],
    vectors: list[FileContent],
    choices: Choices,
) -> Table:
    """One table of all files, each in its role. Raises DataError for a file that has none."""
    table = items.table
    assert table is not None  # it is among the files with vectors
    notes = list(table.notes)
    if queries is not None and queries.table is not None:
        notes.insert(0, f"{items.name} is taken as items, {queries.name} as queries.")
        notes += [n if queries.name in n else f"{queries.name}: {n}" for n in queries.table.notes]
        table = replace(table, queries=queries.table.vectors)
    offers = replace(
        table.offers,
        arrays=tuple(Offer(file.name, file.about) for file in vectors),
        array=items.name,
        queries=queries.name if queries is not None else "",
    )
    table = replace(table, notes=notes, offers=offers)
    left_out = []
    for file in rest:
        fitted = _beside(table, items, file, choices)
        if fitted is not None:
            table = fitted
        else:
            left_out.append(file.name)
    if left_out:
        table = replace(table, notes=[*table.notes, f"Left out: {quoted(left_out)}."])
    return table


def _beside(table: Table, items: FileContent, file: FileContent, choices: Choices) -> Table | None:
    """`table` with the bias or the labels that `file` holds; None where it may be left out."""
    n = len(table.vectors) if table.kept is None else len(table.vectors) + table.offers.bad_rows
    if file.holds_answers:
        note = (f"{file.name} holds ids of nearest neighbors and is not used: the true neighbors "
                "are computed here.")  # fmt: skip
        return replace(table, notes=[*table.notes, note])
    bias = _bias(file, n)
    if bias is not None:
        bias = bias if table.kept is None else bias[table.kept]
        return replace(table, bias=bias, notes=[*table.notes, f"{file.name} is taken as bias."])
    may_label = file.table is None or file.source.plain_name.endswith((".tsv", ".csv", ".txt"))
    by_choice = choices.array != "" or choices.queries != ""
    optional = bool(file.source.archive) or file.says(BESIDE)
    optional = optional or (by_choice and file.table is not None)
    if choices.label == NONE or (file.source.archive and file.says(BESIDE)):
        return None
    try:
        if not may_label:
            raise DataError(f"{file.name} holds no labels.", "Give text, one label a line.")
        labels = read_labels(file.source, n, choices)
    except DataError as refusal:
        if optional:
            return None
        raise _why(file, items, refusal) from None
    offers = replace(table.offers, labels=labels.offers, label=labels.taken)
    words = labels.labels
    words = words if table.kept is None else [words[int(row)] for row in table.kept]
    return replace(table, labels=words, notes=[*table.notes, *labels.notes], offers=offers)


def _why(file: FileContent, items: FileContent, refusal: DataError) -> DataError:
    """Of several reasons why a file has no role, the one that helps most."""
    if file.table is not None:
        return width_error(items, file) if file.d != items.d else DataError(
            f"{file.name} and {items.name} both hold vectors, and there are queries already.",
            "Give one file of items and one of queries.",
        )  # fmt: skip
    foreign = recognise(file.source).rank == Rank.FOREIGN
    if file.error is not None and (foreign or re.search(r"lines? for", refusal.found) is None):
        named = file.error.found.endswith("holds labels only.")
        return refusal if named else file.error
    return refusal


def _bias(file: FileContent, n: int) -> NDArray[Any] | None:
    """One number an item, from a one-dimensional .npy or a file so named with one column."""
    if file.table is None:
        bias = npy.read_list(file.source, "f") if file.source.head.startswith(npy.MAGIC) else None
    else:
        column = file.d == 1 and file.says(BIASES)
        bias = file.table.vectors[:, 0] if column else None
    return bias if bias is not None and bias.shape == (n,) else None
