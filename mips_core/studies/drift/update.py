"""Structures that keep up with a change: updated, then refreshed, where an index can do it.

Updated, changed and new vectors join the clusters that are there: centroids and scale are frozen.
Auvolat et al. 2015, future work. A row that moved or is new costs one inner product for each
centroid of the finest level; coarser levels hold centroids, which do not move. The scale of the
reduction belongs to the longest item of the build: one that is longer would rescale every row. Such
a row is placed as if it were just as long, and counted: a rebuild, or a refresh, is due.

Refreshed, spherical k-means goes on from where it stood, for a few rounds. The centroids turn to
the rows they have now, the rows are placed anew, and so on. The scale stays while no item is longer
than it allows, else it is fitted anew. Each round costs one inner product for each item and
centroid.
"""

from typing import Any

from mips_core.base.arrays import Matrix
from mips_core.base.errors import DataError, ParamError
from mips_core.base.progress import Progress, silent
from mips_core.base.text import counted
from mips_core.methods.capabilities import Updatable, Updated
from mips_core.methods.indexes import INDEXES, Index
from mips_core.studies.drift.changes import Change

ROUNDS = 3  # by default
MOST_ROUNDS = 1000


def can_update(index: Index) -> bool:
    """Whether `index` has centroids to freeze."""
    return isinstance(index, Updatable)


def check_can_update(index: Index) -> None:
    """Raise ParamError, which names those that have, unless `index` has centroids to freeze."""
    if not can_update(index):
        able = ", ".join(kind.label for kind in INDEXES.values() if issubclass(kind, Updatable))
        raise ParamError(
            f"{index.label} cannot be updated: new and changed vectors join the nearest of the "
            "clusters that k-means has made, and it has none.",
            f"Rebuild it when vectors change. These can be updated: {able}.",
        )


def updated(index: Index, structure: Any, items: Matrix, change: Change) -> Updated:
    """`structure`, which `index` built, for the `items` (n', d) after `change`; n' x d float32.

    Rows that did not move keep their clusters, moved and new ones join that of largest inner
    product, removed ones leave; a cluster without items stays. Rows equal to those before stay
    where they were, except under fit=growing and fit=grouped, which leave rows beside nearer
    centroids. Raises ParamError for an index without centroids, DataError where change, items and
    structure do not fit together.
    """
    check_can_update(index)
    n = index.searcher(structure).n
    if change.n != n or len(items) != len(change.before):
        raise DataError(
            f"The change leads from {counted(change.n, 'item', 'items')} to "
            f"{len(change.before):,}; the index holds {n:,}, and items given: {len(items):,}.",
            "Give the items after the change, and what became of each row.",
        )
    assert isinstance(index, Updatable)
    return index.update(structure, items, change.before, change.placed)


def refreshed(
    index: Index,
    structure: Any,
    items: Matrix,
    rounds: int = ROUNDS,
    progress: Progress = silent,
) -> Updated:
    """`structure`, as `updated` made it for `items` (n, d), after `rounds` of k-means at most.

    Fewer where no item moves. Clusters without items are dropped or start again, as the index
    says. At any fit these rounds look at all items too. Raises ParamError for an index without
    centroids and for rounds out of range.
    """
    check_can_update(index)
    check_rounds(rounds)
    assert isinstance(index, Updatable)
    return index.refresh(structure, items, rounds, progress)


def check_rounds(rounds: int) -> None:
    """Raise ParamError unless `rounds` is a number of rounds."""
    if not 1 <= rounds <= MOST_ROUNDS:
        raise ParamError(
            f"A refresh of {rounds} rounds was asked for.", f"Give 1 to {MOST_ROUNDS:,}."
        )


def build_cost(structure: Any) -> int:
    """Inner products of the rounds of k-means that led to `structure`, at every level."""
    return int(structure.build_cost)
