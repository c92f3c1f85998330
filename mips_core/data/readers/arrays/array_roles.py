"""Which of several named arrays holds items, queries, labels or the bias of a classifier layer."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from numpy.typing import NDArray

from mips_core.base.errors import DataError
from mips_core.base.text import counted
from mips_core.data.readers.arrays import npy
from mips_core.data.readers.arrays.named_arrays import (
    Arrays,
    first_called,
    is_called,
    is_one_of,
    parent,
    shown,
)
from mips_core.data.readers.choices import NONE, Choices, Offer, Offers, UnsettledError
from mips_core.data.readers.contract import Table
from mips_core.data.readers.names import (
    ANSWERS,
    BIASES,
    IDS,
    ITEMS,
    LABELS,
    QUERIES,
    VECTORS,
    WEIGHTS,
    is_id,
    quoted,
)

OWN_ITEMS = tuple(word for word in ITEMS if word not in WEIGHTS)  # names of items, of no layer
EMBEDDINGS = ("emb", "wte", "lm_head", "vectors")  # parts of the names of likely matrices
SHOWN = 8  # candidates named in a message


@dataclass(frozen=True)
class ArrayRoles:
    """Names of the arrays taken; "" for none. Notes say it in sentences."""

    items: str
    queries: str
    label: str
    bias: str  # one number an item: the items are the weights of a classifier layer
    transposed: bool  # the items are columns, as Keras stores a layer
    notes: tuple[str, ...]
    offers: Offers

    @property
    def numbers(self) -> dict[str, str]:
        """Names of the arrays of numbers, by what a Table calls them."""
        names = {"vectors": self.items, "queries": self.queries, "bias": self.bias}
        return {part: name for part, name in names.items() if name}

    @property
    def names(self) -> list[str]:
        """Names of the arrays taken, each once."""
        return [*dict.fromkeys([*self.numbers.values(), *([self.label] if self.label else [])])]

    def table(self, arrays: Mapping[str, NDArray[Any]], notes: Sequence[str]) -> Table:
        """The arrays of `names` as a Table; labels as text."""
        items = arrays[self.items]
        return Table(
            items.T if self.transposed else items,
            npy.strings(arrays[self.label]) if self.label else None,
            arrays.get(self.queries),
            notes,
            arrays.get(self.bias),
            self.offers,
        )


def assign(arrays: Arrays, choices: Choices, file: str) -> ArrayRoles:
    """Roles of `arrays`, by `choices`, then by names, then by shapes.

    Raises DataError where none is a table or a choice is none of them; UnsettledError listing the
    candidates where neither names nor shapes decide.
    """
    tables = {name: array for name, array in arrays.items() if array.is_table}
    if not tables:
        listed = _listed(arrays) or "it is empty"
        raise DataError(
            f"{file} holds no two-dimensional array of numbers: {listed}.",
            "Save the vectors as n rows × d columns.",
        )
    for name in (choices.array, choices.queries):
        if name not in tables and name != "" and (name != NONE or name == choices.array):
            raise DataError(
                f"{file} has no table {shown(name)}.",
                f"It has: {_listed(tables)}. Choose one of them.",
            )
    items = choices.array or _items(tables, choices, file)
    bias, transposed = _layer(arrays, items)
    n, d = tables[items].shape[::-1] if transposed else tables[items].shape
    queries = _queries(tables, items, d, choices, file)
    label, labels = _label(arrays, n, choices, file)
    offered = tuple(Offer(name, array.about) for name, array in tables.items())
    notes = _notes(arrays, items, queries, label, bias, transposed)
    offers = Offers(offered, labels, items, queries, label)
    return ArrayRoles(items, queries, label, bias, transposed, notes, offers)


def _items(tables: Arrays, choices: Choices, file: str) -> str:
    """The only table that can be the items. Raises UnsettledError where there are several."""
    queries = _query_tables(tables, choices)
    rest = [name for name in tables if name not in queries and not is_one_of(name, ANSWERS)]
    rest = rest or [name for name in tables if name not in queries[:1]] or list(tables)
    rest = first_called(rest, OWN_ITEMS) or rest
    if not any(is_one_of(name, WEIGHTS) for name in rest):
        rest = first_called(rest, VECTORS) or rest
    else:  # a layer beside a table of embeddings: either may be meant
        rest = [name for name in rest if is_one_of(name, WEIGHTS + VECTORS)]
    widths = {tables[name].shape[1] for name in queries}
    sure = is_one_of(rest[0], ITEMS + VECTORS) or len(tables) == 1
    if len(rest) == 1 and (sure or not queries or tables[rest[0]].shape[1] in widths):
        return rest[0]
    listed = {name: tables[name] for name in rest} if len(rest) > 1 else tables
    raise UnsettledError(
        f"{file} holds several tables, and their names do not tell which to search: "
        f"{_listed(listed)}.",
        "Choose one, or name them “items” and “queries”.",
        Offers(tuple(Offer(name, array.about) for name, array in tables.items())),
    )


def _query_tables(tables: Arrays, choices: Choices) -> list[str]:
    """Tables that may be queries, the likeliest first."""
    if choices.queries:
        return [] if choices.queries == NONE else [choices.queries]
    return [name for word in QUERIES for name in tables if is_called(name, word)]


def _queries(tables: Arrays, items: str, d: int, choices: Choices, file: str) -> str:
    """The table of queries of d dimensions, or "". Raises DataError where a choice does not fit."""
    fitting = [
        name
        for name in _query_tables(tables, choices)
        if name != items and tables[name].shape[1] == d
    ]
    if choices.queries in ("", NONE) or fitting:
        return next(iter(fitting), "")
    if choices.queries == items:
        raise DataError(
            f"{file}: {shown(items)} was chosen as items and as queries.",
            "Choose two arrays, or one.",
        )
    width = tables[choices.queries].shape[1]
    raise DataError(
        f"{file}: {shown(choices.queries)} has {counted(width, 'dimension', 'dimensions')}, "
        f"{shown(items)} has {d:,}.",
        "Items and queries need the same number.",
    )


def _layer(arrays: Arrays, items: str) -> tuple[str, bool]:
    """The bias of the classifier layer whose weights are `items`, "" where they are of none; and
    whether its items are columns. Keras calls weights kernel and stores them (d, n), others (n, d).
    """
    if not is_one_of(items, WEIGHTS):
        return "", False
    rows, columns = arrays[items].shape
    for name, array in arrays.items():
        if (
            is_one_of(name, BIASES)
            and parent(name) == parent(items)
            and array.dtype.kind == "f"
            and array.shape in ((rows,), (columns,))
        ):
            turned = array.shape != (rows,) or (rows == columns and is_called(items, "kernel"))
            return name, turned
    return "", False


def _label(arrays: Arrays, n: int, choices: Choices, file: str) -> tuple[str, tuple[Offer, ...]]:
    """The array that names n rows, or "": text before whole numbers, known names first."""
    fit = {name: array for name, array in arrays.items() if array.shape == (n,)}
    text = [name for name, array in fit.items() if array.is_text]
    whole = [name for name, array in fit.items() if array.dtype.kind in "iu"]
    offered = tuple(Offer(name, fit[name].about) for name in (*text, *whole))
    if choices.label == NONE:
        return "", offered
    if choices.label:
        if choices.label not in (*text, *whole):
            raise DataError(
                f"{file} has no array {shown(choices.label)} with {counted(n, 'label', 'labels')}.",
                f"It has: {quoted([*text, *whole]) or 'none'}.",
            )
        return choices.label, offered
    texts = [name for word in LABELS for name in text if is_called(name, word)] + text
    ids = [name for word in IDS if word for name in whole if is_called(name, word)]
    ids += [name for name in whole if is_id(name.rpartition("/")[2])]
    return (*texts, *ids, "")[0], offered


def _notes(
    arrays: Arrays, items: str, queries: str, label: str, bias: str, transposed: bool
) -> tuple[str, ...]:
    if len(arrays) == 1:
        return ()
    taken = {"items": items, "queries": queries, "labels": label, "bias": bias}
    notes = [
        f"{shown(name)} ({arrays[name].about}) is taken as {role}." if role in ("items", "queries")
        else f"{shown(name)} is taken as {role}."
        for role, name in taken.items()
        if name
    ]  # fmt: skip
    if transposed:
        notes.append(f"The columns of {shown(items)} are the items.")
    rows, columns = arrays[items].shape
    named = next((n for n, a in arrays.items() if a.is_text and a.shape == (columns,)), "")
    if named and not label and rows != columns and not transposed:
        notes.append(
            f"{shown(named)} has one text for each column of {shown(items)}, not for each row: if "
            "it names the items, save the array transposed."
        )
    unused = [
        f"{name}: Python objects, never opened"
        if array.dtype.kind == "O" and not array.stored
        else name
        for name, array in arrays.items()
        if name not in taken.values()
    ]
    if unused:
        notes.append(f"Left out: {quoted(unused)}.")
    return tuple(notes)


def _listed(arrays: Arrays) -> str:
    """The first few arrays with their sizes, those called embeddings first."""
    names = sorted(arrays, key=lambda name: not any(e in name.lower() for e in EMBEDDINGS))
    more = f" and {len(names) - SHOWN:,} more" if len(names) > SHOWN else ""
    return ", ".join(f"{shown(name)} ({arrays[name].about})" for name in names[:SHOWN]) + more
