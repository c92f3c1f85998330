"""Of structures made of clusters, and of codebooks."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from mips_core.methods.kmeans.cluster_tree import KMeansTree
from mips_core.methods.kmeans.head_search import HeadAndClusters
from mips_core.methods.kmeans.multi import Clusterings
from mips_core.methods.kmeans.soft_lists import Lists, lists_of
from mips_core.methods.quantization.codebooks import Codebooks
from mips_core.methods.quantization.product import Quantized
from mips_core.serving.store.soundness.rules import (
    LONGEST,
    check_ascending,
    check_lift,
    check_lists,
    check_permutation,
    check_shape,
    check_sound,
    check_unit,
    check_within,
    expect,
)


@check_sound.register
def _(tree: KMeansTree, n: int, d: int) -> None:
    check_lift(tree.lift)
    expect(tree.levels, "it has no level")
    below = n
    for level in reversed(tree.levels):
        k = len(level.centroids)
        check_unit(level.centroids, (k, d + tree.lift.n_extra), "centroids")
        check_shape(level.labels, (below,), "labels")
        check_lists(level.starts, level.members, level.labels, k)
        below = k
    expect(len(tree.histories) == len(tree.levels), "its rounds are of other levels")
    for fit, level in zip(tree.histories, tree.levels, strict=True):
        expect(fit.rounds, "no round led to a level")
        _expect_equal(fit.labels, level.labels, "labels after all rounds")
        _expect_equal(fit.centroids, level.centroids, "centroids after all rounds")


@check_sound.register
def _(built: Clusterings, n: int, d: int) -> None:
    expect(built.trees, "it has no clustering")
    for tree in built.trees:
        check_sound(tree, n, d)
        expect(len(tree.levels) == 1, "a clustering has more than one level")
    levels = [tree.levels[0] for tree in built.trees]
    starts = [level.starts[:-1] + r * n for r, level in enumerate(levels)]
    _expect_equal(built.labels, np.stack([level.labels for level in levels]), "labels")
    _expect_equal(built.live, np.array([len(level.centroids) for level in levels]), "live clusters")
    _expect_equal(built.starts, np.concatenate([*starts, [len(levels) * n]]), "starts")
    _expect_equal(built.members, np.concatenate([level.members for level in levels]), "members")


@check_sound.register
def _(built: HeadAndClusters, n: int, d: int) -> None:
    expect(len(built.tree.levels) == 1, "the tail is not of one level")
    labels, level = built.lists.labels, built.tree.levels[0]
    check_sound(built.tree, built.tree.n, d)
    check_unit(built.means, (len(level.centroids), d + 1), "means")
    expect(labels.shape in ((1, n), (2, n)), f"labels are {labels.shape} for {n} items")
    check_within(labels, len(level.centroids) + 1, "a label")
    tail = np.flatnonzero(labels[0])
    _expect_equal(labels[0, tail] - 1, level.labels, "the clusters of the tail")
    _check_soft(built.lists, lists_of(labels, len(level.centroids) + 1))


def _check_soft(lists: Lists, expected: Lists) -> None:
    for name in ("starts", "members", "pairs", "shared"):
        _expect_equal(getattr(lists, name), getattr(expected, name), name)


@check_sound.register
def _(built: Quantized, n: int, d: int) -> None:
    check_sound(built.books, n, d)
    k = built.books.codewords.shape[1]
    check_shape(built.codes, (n, len(built.books.metrics)), "codes")
    check_within(built.codes, k, "a code")


@check_sound.register
def _(books: Codebooks, n: int, d: int) -> None:
    S = len(books.metrics)
    expect(S >= 1 and books.codewords.ndim == 2, "there are no codebooks")
    check_permutation(books.dimensions, d, "dimensions")
    check_ascending(books.bounds, S, d, "bounds of subspaces")
    check_shape(books.codewords, (d, books.codewords.shape[1]), "codewords")
    expect((np.abs(books.codewords) <= LONGEST).all(), "codewords are longer than 1")
    for part, metric in zip(books.subspaces(), books.metrics, strict=True):
        width = part.stop - part.start
        check_shape(metric, (width, width), "a second moment")


def _expect_equal(found: NDArray[Any], expected: NDArray[Any], what: str) -> None:
    expect(np.array_equal(found, expected), f"{what} are not what follows from the other parts")
