"""Changed and new vectors join the clusters that are there: centroids and scale are frozen.

Auvolat et al. 2015, future work. A row that moved or is new costs one inner product for each
centroid of the finest level; coarser levels hold centroids, which do not move. The scale of the
reduction belongs to the longest item of the build: one that is longer would rescale every row. Such
a row is placed as if it were just as long, and counted: a rebuild, or a refresh, is due.
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from mips_core.base.arrays import Ids, Mask, Matrix, Ranks
from mips_core.base.errors import DataError, ParamError
from mips_core.base.kernels import order_of
from mips_core.base.text import counted
from mips_core.methods.clustering import assign
from mips_core.methods.indexes import INDEXES, Index
from mips_core.methods.kmeans.cluster_tree import KMeansParams, KMeansTree, tree_of
from mips_core.methods.kmeans.head import HeadKMeans
from mips_core.methods.kmeans.head_search import HeadAndClusters
from mips_core.methods.kmeans.multi_search import Clusterings, side_by_side
from mips_core.methods.kmeans.soft_lists import lists_of, second_best
from mips_core.methods.reductions import Lift, LiftedRows, Reduction, lengths_of
from mips_core.studies.drift.change import NEW, Change

ROUNDING = 1e-9  # relative: a length that differs by less is the same


@dataclass(frozen=True, slots=True, eq=False)
class Updated:
    """A structure that was kept fresh, and what that took.

    structure: as the index builds it. spent {part: inner products}; placed: items that moved or
    are new; longer: those of them longer than the scale was made for, of which the longest is
    `excess` times as long as that allows, 1 where none is.
    """

    structure: Any
    spent: Mapping[str, int]
    placed: int
    longer: int = 0
    excess: float = 1.0

    @property
    def inner_products(self) -> int:
        """All that was spent."""
        return sum(self.spent.values())

    @property
    def due(self) -> str:
        """Why a rebuild or a refresh is due whatever the precision; "" where none is."""
        return due_in_words(self.longer, self.excess)


def due_in_words(longer: int, excess: float) -> str:
    """What `longer` vectors, up to `excess` times too long, ask for; "" where there is none."""
    if not longer:
        return ""
    items = counted(longer, "vector is", "vectors are")
    return (
        f"{items} longer than any was when the index was built, up to {excess:.3g} times. The "
        "scale of the reduction belongs to the longest, and a longer one rescales every row: a "
        "rebuild or a refresh is due."
    )


def can_update(index: Index) -> bool:
    """Whether `index` has centroids to freeze."""
    return isinstance(index, KMeansParams)


def check_can_update(index: Index) -> None:
    """Raise ParamError, which names those that have, unless `index` has centroids to freeze."""
    if not can_update(index):
        able = ", ".join(kind.label for kind in INDEXES.values() if issubclass(kind, KMeansParams))
        raise ParamError(
            f"{index.label} cannot be updated: new and changed vectors join the nearest of the "
            "clusters that k-means has made, and it has none.",
            f"Rebuild it when vectors change. These can be updated: {able}.",
        )


def updated(index: Index, structure: Any, items: Matrix, change: Change) -> Updated:
    """`structure`, which `index` built, for the `items` (n', d) after `change`; n' x d float32.

    Rows that did not move keep their clusters, moved and new ones join that of largest inner
    product, removed ones leave; a cluster without items stays. Rows equal to those before stay
    where they were, except under fit=growing, which leaves rows beside nearer centroids. Raises
    ParamError for an index without centroids, DataError where change, items and structure do not
    fit together.
    """
    check_can_update(index)
    n = index.searcher(structure).n
    if change.n != n or len(items) != len(change.before):
        raise DataError(
            f"The change leads from {counted(change.n, 'item', 'items')} to "
            f"{len(change.before):,}; the index holds {n:,}, and items given: {len(items):,}.",
            "Give the items after the change, and what became of each row.",
        )
    assert isinstance(index, KMeansParams)
    if isinstance(index, HeadKMeans):
        return _head(index, structure, items, change)
    if isinstance(structure, Clusterings):
        return _clusterings(index.reduction, structure, items, change)
    return _tree(index.reduction, structure, items, change)


def longest_known(reduction: Reduction, lift: Lift) -> float:
    """The length of the longest item that `lift` was fitted to."""
    return reduction.fit(np.ones((1, 1), np.float32)).scale / lift.scale


def within(reduction: Reduction, lift: Lift, X: Matrix) -> tuple[LiftedRows, Mask, float]:
    """X (n, d), one row or more, lifted; rows longer than all known as if they were just as long.

    Also (n,) which those are, and by what factor the longest is too long; 1 where none is. Where
    the lift adds nothing, the scale changes no order, and no row is too long.
    """
    most = longest_known(reduction, lift)
    lengths = lengths_of(X) if lift.n_extra else np.zeros(len(X))
    longer = lengths > most * (1 + ROUNDING)
    if not longer.any():
        return lift.rows(X), longer, 1.0
    shorter = np.where(longer, most / np.where(longer, lengths, 1.0), 1.0)[:, None]
    return lift.rows((X * shorter).astype(np.float32)), longer, float(lengths.max() / most)


def _tree(reduction: Reduction, tree: KMeansTree, X: Matrix, change: Change) -> Updated:
    """A tree of one level or more; its centroids stay, at every level."""
    centroids, labels = tree.levels[-1].centroids, tree.levels[-1].labels
    placed = np.flatnonzero(change.placed)
    labels = np.where(change.before == NEW, 0, labels[change.before])
    longer, excess = 0, 1.0
    if len(placed):
        rows, too_long, excess = within(reduction, tree.lift, X[placed])
        labels[placed] = assign(rows, centroids, lengths_of(rows))
        longer = int(too_long.sum())
    spent = {"centroids": len(centroids) * len(placed)}
    return Updated(_relabelled(tree, labels), spent, len(placed), longer, excess)


def _relabelled(tree: KMeansTree, labels: Ids) -> KMeansTree:
    """`tree` with other items in its finest clusters."""
    *coarser, last = tree.histories
    return tree_of(tree.lift, [*coarser, replace(last, labels=labels)])


def _clusterings(reduction: Reduction, built: Clusterings, X: Matrix, change: Change) -> Updated:
    """Every clustering by itself."""
    parts = [_tree(reduction, tree, X, change) for tree in built.trees]
    spent = {"centroids": sum(part.inner_products for part in parts)}
    trees = side_by_side([part.structure for part in parts])
    return replace(parts[0], structure=trees, spent=spent)


def _head(index: HeadKMeans, built: HeadAndClusters, X: Matrix, change: Change) -> Updated:
    """Rows longer than all of the tail join the head while it has room; others are placed.

    A row of the head that moved stays there while it is as long as those. What clusters promise,
    the means of their items, is frozen with their centroids. A copy is chosen by the products that
    chose the cluster.
    """
    tree, before = built.tree, built.lists.labels
    labels = np.where(change.before == NEW, 1, before[:, change.before]).astype(np.int32)
    placed, longer, excess = np.flatnonzero(change.placed), 0, 1.0
    if built.lists.starts[1] and len(placed):
        stay = int(((labels[0] == 0) & ~change.placed).sum())
        room = max(index.head_size(len(X)) - stay, 0)
        most = longest_known(index.reduction, tree.lift)
        to_head = _head_of(most, X[placed], labels[0, placed], room)
        labels[:, placed[to_head]] = 0
        placed = np.delete(placed, to_head)
    centroids = tree.levels[0].centroids
    if len(placed):
        rows, too_long, excess = within(index.reduction, tree.lift, X[placed])
        best = assign(rows, centroids, lengths_of(rows))
        labels[0, placed] = best + 1
        longer = int(too_long.sum())
        if index.copies == 2:
            labels[1, placed] = second_best(rows[:], centroids, best) + 1
    of_tail = labels[0][labels[0] > 0].astype(np.int64) - 1
    return Updated(
        HeadAndClusters(
            _relabelled(tree, of_tail), lists_of(labels, len(centroids) + 1), built.means
        ),
        {"centroids": len(centroids) * len(placed)},
        int(change.placed.sum()),
        longer,
        excess,
    )


def _head_of(most: float, rows: Matrix, lists: Ranks, room: int) -> Ids:
    """Which rows (r, d) join a head that has room, and whose tail is no longer than `most`.

    The longest first; lists (r,) where each was, 0 in the head.
    """
    lengths = lengths_of(rows)
    longer = lengths > most * (1 + ROUNDING)
    able = np.flatnonzero(longer | ((lists == 0) & (lengths >= most * (1 - ROUNDING))))
    return able[order_of(lengths[able], able)[:room]]
