"""The levels of an index, coarsest first: which group each item is in, and what people call it."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from mips_core.base.arrays import Ids, Matrix, Ranks
from mips_core.base.errors import DataError
from mips_core.base.progress import Progress, silent
from mips_core.base.text import counted
from mips_core.data.dataset import Dataset
from mips_core.groups.clusters.centres import centres, members_of
from mips_core.groups.clusters.colouring import Colours, colours_of
from mips_core.groups.clusters.naming import Namer
from mips_core.methods.indexes import Index, Searcher
from mips_core.methods.reductions import reduction_of

MOST_LEVELS = 30
"""Most levels described; of more, these are evenly spread from the coarsest to the finest."""

BETWEEN = " of one "  # group_nouns of levels side by side: "buckets of one table"
INNER = {"leaf": ("branch", "branches")}  # what the coarser groups above them are


@dataclass(frozen=True, slots=True, eq=False)
class GroupLevel:
    """One level of an index, its k groups numbered as searcher.groups() and the index's own lists.

    of (n,) int32 the group of each item. sizes (k,) int32: a group without items has 0 and is
    never shown. names: one a group, "" for one without items. central (k,) int32: the item that
    carries the name, -1 for none. colours (k,) uint8, below 12: groups near each other differ.
    parents (k,) int32: the group of the level before this one that holds each, -1 for one without
    items; None for the first level and where levels do not nest. centroid_rows (k, d') float32
    unit rows in the space of the index's reduction; None for an index without centroids.
    `number` is this level's position in searcher.groups().
    """

    label: str  # "141 clusters"
    nouns: tuple[str, str]  # ("cluster", "clusters")
    of: Ranks
    sizes: Ranks
    names: Sequence[str]
    central: Ranks
    colours: Colours
    parents: Ranks | None
    centroid_rows: Matrix | None
    number: int = 0


def describe(
    searcher: Searcher,
    index: Index,
    dataset: Dataset,
    rows: Matrix | None = None,
    progress: Progress = silent,
) -> tuple[GroupLevel, ...]:
    """The levels of `searcher`, built by `index` on the items of `dataset`; coarsest first.

    rows (n, d'): what nearness is measured on; by default the lifted items of the index's
    reduction, or the items where it has none. Raises DataError where they are not all of one data.
    """
    rows = _lifted(index, dataset) if rows is None else rows
    _check_counts(searcher.n, dataset.n, len(rows))
    groups = searcher.groups()
    centroids = searcher.centroids()
    shown = _spread(len(groups))
    nested = _parents(index, [groups[number] for number in shown])
    namer = Namer(dataset.labels)
    levels = []
    for at, number in enumerate(shown):
        progress(at / len(shown), f"level {at + 1} of {len(shown)}")
        nouns, owner = _nouns(index, number, len(groups))
        of = groups[number].astype(np.int32)
        near = None if centroids is None else centroids[number]
        members = members_of(of, int(of.max()) + 1)
        directions, central = centres(rows, members)
        live = members.sizes > 0
        levels.append(
            GroupLevel(
                label=level_label(int(live.sum()), nouns, owner),
                nouns=nouns,
                of=of,
                sizes=members.sizes.astype(np.int32),
                names=namer.names(of, members.sizes, central, nouns[0]),
                central=central[:, 0].astype(np.int32),
                colours=colours_of(directions if near is None else near, live),
                parents=nested[at],
                centroid_rows=near,
                number=number,
            )
        )
    progress(1.0, "described")
    return tuple(levels)


def _check_counts(indexed: int, items: int, rows: int) -> None:
    if not indexed == items == rows:
        raise DataError(
            f"The index holds {indexed:,} items, the data {items:,}; {rows:,} rows say what is "
            "near.",
            "All must be of the same data.",
        )


def _lifted(index: Index, dataset: Dataset) -> Matrix:
    items = dataset.float32().items
    reduction = reduction_of(index)
    return items if reduction is None else reduction.fit(items).items(items)


def level_label(count: int, nouns: tuple[str, str], owner: str = "") -> str:
    """How many groups there are, in words: "141 clusters", "12 buckets of table 3"."""
    return counted(count, *nouns) + (f" of {owner}" if owner else "")


def _nouns(index: Index, number: int, n_levels: int) -> tuple[tuple[str, str], str]:
    """One and many of what level `number` of `n_levels` holds, and of what they are, or ""."""
    one, many = index.group_nouns
    many, side_by_side, owner = many.partition(BETWEEN)
    if side_by_side:
        return (one, many), f"{owner} {number + 1}" if n_levels > 1 else ""
    finest = number == n_levels - 1
    return (one, many) if finest else INNER.get(one, (one, many)), ""


def _spread(count: int) -> list[int]:
    """The positions of at most MOST_LEVELS of `count` levels, the first and the last included."""
    return np.unique(
        np.linspace(0, count - 1, min(count, MOST_LEVELS)).round().astype(int)
    ).tolist()


def _parents(index: Index, levels: Sequence[Ids]) -> list[Ranks | None]:
    """For each level, coarsest first, the group of the one before that holds each of its groups.

    Levels nest where the items of every group are together in one group of the level before.
    Where any two levels do not, none has parents: then no level is coarser than another. Nor is
    one of levels side by side, however they fall.
    """
    if BETWEEN in index.group_nouns[1]:
        return [None] * len(levels)
    parents: list[Ranks | None] = [None]
    for above, of in pairwise(levels):
        holder = np.full(int(of.max()) + 1, -1, np.int32)
        holder[of] = above  # of one of its items
        if (holder[of] != above).any():
            return [None] * len(levels)
        parents.append(holder)
    return parents
