"""Whole curves: precision and cost at every effort, K = 1, 10 and 100, from built indexes."""

from collections.abc import Callable
from itertools import cycle
from typing import Any

from benchmarks.pieces.exact import product
from benchmarks.sets import MANY_USERS, QUERIES, Measurable
from benchmarks.works import (
    CLOCK_MILLISECONDS,
    MILLISECONDS,
    TIMES_THE_COST,
    Comparison,
    Target,
    Work,
)
from mips_core import INDEXES, Curve, Evaluation, Index, Searcher, Truth, evaluate, rng_for
from mips_core.base.limits import MAX_K
from mips_core.methods.kmeans.flat import FlatKMeans
from mips_core.methods.kmeans.hierarchical import HierarchicalKMeans

KS = (1, 10, 100)
CLUSTERS = (1, 10**0.5)  # times the root of n: 316 and 1,000 of 100,000 items
LARGE = 100_000  # items of the set whose flat curve has a target in milliseconds
PCA_TREE = INDEXES["pca-tree"]


def searcher_of(index: Index, data: Measurable) -> Searcher:
    """`index`, built on the items."""
    return index.searcher(index.build(data.dataset.items, rng_for(0)))


def curves_of(index: Index, searcher: Searcher, truth: Truth) -> list[Curve]:
    """The whole curve at each K; candidates that depend on K are asked for each."""
    alone = [(K,) for K in KS] if index.depends_on_k else [KS]
    return [evaluate(index, searcher, truth, 0, K=ks[0]).curve(ks) for ks in alone]


def comparisons(data: Measurable, rounds: int) -> list[Comparison]:
    """Curves of k-means and of the PCA-tree, and what a change of p or K takes."""
    works, targets = [], []
    for factor in CLUSTERS:
        more, due = _flat(data, round(data.root * factor))
        works += more
        targets += due
    title = f"Whole curves of {data.truth.m:,} queries, K = 1, 10, 100"
    if data.dataset.m == MANY_USERS:  # the others would take minutes
        return [Comparison(title, works, targets, rounds)]
    more, due = _trees(data)
    works += more
    targets += due if data.dataset.m == QUERIES else []  # so many have targets in milliseconds
    return [Comparison(title, works, targets, rounds), _changes(data, rounds)]


def _flat(data: Measurable, k: int) -> tuple[list[Work], list[Target]]:
    index = FlatKMeans(n_clusters=k)
    searcher = searcher_of(index, data)
    centroids = searcher.tree.levels[-1].centroids[:, : data.dataset.d].copy()
    curve, floor = f"flat curve, {k:,} clusters", f"the product Q·C, {k:,} clusters"
    call = _call(index, searcher, data.truth)
    works = [Work(floor, product(centroids, data.truth.queries)), Work(curve, call)]
    targets = [Target(curve, curve, TIMES_THE_COST, 2.5, floor)]
    if data.dataset.n == LARGE:
        targets.append(Target(curve, curve, MILLISECONDS, 20))
    if data.dataset.m == MANY_USERS and k == data.root:
        both = f"{curve}, 2 threads"
        works.append(Work(both, call, threads=2))
        targets.append(Target(curve, curve, MILLISECONDS, 200))
        targets.append(Target(both, both, CLOCK_MILLISECONDS, 100))
    return works, targets


def _call(index: Index, searcher: Searcher, truth: Truth) -> Callable[[], list[Curve]]:
    return lambda: curves_of(index, searcher, truth)


def _trees(data: Measurable) -> tuple[list[Work], list[Target]]:
    works, targets = [], []
    for name, index, most in (
        ("hierarchical curve", HierarchicalKMeans(), 60),
        ("PCA-tree curve", PCA_TREE(), 20),
    ):
        call = _call(index, searcher_of(index, data), data.truth)
        works.append(Work(name, call, setting=index.setting(data.dataset.n)))
        targets.append(Target(name, name, MILLISECONDS, most))
    return works, targets


def _changes(data: Measurable, rounds: int) -> Comparison:
    """What a page asks after p or K was changed: nothing is searched again."""
    index = FlatKMeans()
    evaluation = evaluate(index, searcher_of(index, data), data.truth, 0)
    other_k, other_p = cycle(range(1, MAX_K + 1)), cycle(range(len(evaluation.efforts)))
    works = [
        Work("another K: its curve", lambda: _at_k(evaluation, next(other_k))),
        Work("another p: hits of each query", lambda: evaluation.hits(10, next(other_p))),
    ]
    targets = [Target(work.name, work.name, MILLISECONDS, 5) for work in works]
    return Comparison("A change of p or K on a built curve", works, targets, 4 * rounds)


def _at_k(evaluation: Evaluation, K: int) -> Any:
    curve = evaluation.curve((K,))
    return curve.speedup, curve.precision(K), curve.interval(K)
