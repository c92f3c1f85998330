"""Whether the best of our k-means is ahead: `python -m benchmarks.better_curves`.

Inner products are all that is counted, as in the paper. On each data set every method is set to
10, 30 and 100 times fewer of them than exact search takes, by `solving.at_speedup` on the queries
of even number. Against each stands the most precise of our k-means that is no dearer on those
queries. Both are then scored on the queries of odd number, where intervals are of the paired
differences between queries. Settings of ours were not looked for here: they are those of `field`.
"""

import json
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path

import click
import numpy as np

from benchmarks.machine import machine, versions
from benchmarks.pages import FILE, held_table, precision_page
from benchmarks.sets import LOADERS, Measurable
from mips_core import INDEXES, Evaluation, Index
from mips_core.evaluation.builder import Builder
from mips_core.evaluation.evaluate import folds_of
from mips_core.evaluation.setting import index_in_words
from mips_core.methods.kmeans.hierarchical import HierarchicalKMeans
from mips_core.methods.reductions import Plain
from mips_core.studies.comparison import difference
from mips_core.studies.operating_point import at_speedup

KS = (1, 10, 100)
SPEEDUPS = (10, 30, 100)
MOST_QUERIES = 4000
ROUNDS = 40
OURS = ("flat-kmeans", "hierarchical-kmeans", "multi-kmeans", "top-down-kmeans", "head-kmeans")
BEYOND = "Hierarchical k-means beyond the paper"
NEW = (BEYOND, INDEXES["head-kmeans"].label)  # ours alone: held against nothing


@dataclass(frozen=True)
class Chosen:
    """A setting, with its precision and speedup on the queries that score."""

    method: str
    setting: str
    effort: int
    speedup: float
    precision: float


@dataclass(frozen=True)
class Held:
    """The best of ours beside one method set to about `target` times fewer inner products.

    difference: precision@K of ours less that of the other, with its interval over queries.
    """

    K: int
    target: float
    other: Chosen
    ours: Chosen
    difference: float
    low: float
    high: float

    @property
    def verdict(self) -> str:
        """ahead, level or behind: by the interval."""
        return "ahead" if self.low > 0 else "behind" if self.high < 0 else "level"


@dataclass(frozen=True, eq=False)
class Point:
    """One effort of an evaluation, as it is on the queries that choose and on those that score."""

    evaluation: Evaluation
    at: int

    def seen(self, K: int, fold: int | None) -> tuple[float, float]:
        """Precision@K and speedup over the queries of a fold."""
        curve = self.evaluation.curve((K,), fold)
        return float(curve.precision(K)[self.at]), float(curve.speedup[self.at])

    def chosen(self, K: int, fold: int | None) -> Chosen:
        """In words and numbers."""
        precision, speedup = self.seen(K, fold)
        index, n = self.evaluation.index, self.evaluation.truth.n
        effort = int(self.evaluation.efforts[self.at])
        return Chosen(method_of(index), index_in_words(index, n), effort, speedup, precision)


def method_of(index: Index) -> str:
    """The label of an index; trees that are not built or asked as in the paper stand apart."""
    if not isinstance(index, HierarchicalKMeans):
        return index.label
    paper = HierarchicalKMeans(n_levels=index.n_levels, n_clusters=index.n_clusters)
    return index.label if index == paper else BEYOND


def field(keys: Sequence[str], n: int, d: int) -> list[Index]:
    """The grids of ours and of the methods `keys`, and our trees of many coarse clusters again.

    Without a reduction, these find a query that is nearly an item; after more rounds of k-means,
    more answers. Left out are exact search and methods that are asked anew for each K.
    """
    kept = [cls for key, cls in INDEXES.items() if key in (*OURS, *keys)]
    grids = [index for cls in kept if not cls.depends_on_k for index in cls.grid(n, d)]
    trees = [index for index in grids if isinstance(index, HierarchicalKMeans)]
    coarse = [tree for tree in trees if tree.coarse_factor > 1]
    plain = [replace(tree, reduction=Plain()) for tree in coarse]
    longer = [replace(tree, max_rounds=ROUNDS) for tree in coarse]
    return [*(index for index in grids if index.key != "exact"), *plain, *longer]


def asked(data: Measurable, keys: Sequence[str]) -> list[Evaluation]:
    """All of `field`, asked at every effort."""
    builder = Builder(data.dataset.items, data.truth, max(KS))
    found = []
    for index in field(keys, data.dataset.n, data.dataset.d):
        click.echo(f"{index.label}, {index_in_words(index, data.dataset.n)}", err=True)
        found.append(builder.tried(index, 0).evaluation)
    return found


def best_at(evaluations: Sequence[Evaluation], K: int, speedup: float) -> Point | None:
    """The most precise with at least `speedup`, on the queries that choose; None if there is none.

    Ties go to the larger speedup.
    """
    fold = folds_of(evaluations[0].truth.m)[0]
    best = []
    for one in evaluations:
        curve = one.curve((K,), fold)
        quick = np.flatnonzero(curve.speedup >= speedup)
        if len(quick):
            order = np.lexsort((curve.speedup[quick], curve.precision(K)[quick]))
            best.append(Point(one, int(quick[order[-1]])))
    return max(best, key=lambda point: point.seen(K, fold), default=None)


def held(evaluations: Sequence[Evaluation]) -> Iterator[Held]:
    """Ours beside every method that reaches a speedup, for each speedup and K."""
    ours = [one for one in evaluations if one.index.key in OURS]
    choosing, scoring = folds_of(evaluations[0].truth.m)
    methods: dict[str, list[Evaluation]] = {}
    for one in evaluations:
        methods.setdefault(method_of(one.index), []).append(one)
    for target in SPEEDUPS:
        for K in KS:
            for method in (name for name in methods if name not in NEW):
                solved = at_speedup(methods[method], K, target)
                if not solved.reached:
                    continue
                of = next(e for e in methods[method] if e.index == solved.setting.index)
                other = Point(of, of.efforts.tolist().index(solved.setting.effort))
                best = best_at(ours, K, other.seen(K, choosing)[1])
                if best is None:
                    continue
                hits = [p.evaluation.hits(K, p.at, scoring) for p in (best, other)]
                apart = difference([hits[0]], [hits[1]], K)
                yield Held(
                    K, target, other.chosen(K, scoring), best.chosen(K, scoring),
                    apart.mean, apart.low, apart.high,
                )  # fmt: skip


@click.command()
@click.option(
    *("--data", "names"),
    multiple=True,
    type=click.Choice(list(LOADERS)),
    default=LOADERS,
    help="These data sets alone.",
)
@click.option(
    *("--method", "keys"),
    multiple=True,
    type=click.Choice(list(INDEXES)),
    default=INDEXES,
    help="Ours are held against our k-means as in the paper, and these; all by default.",
)
@click.option("--out", type=FILE, help="A JSON file.")
@click.option("--markdown", type=FILE, help="Write the page here.")
def main(
    names: Sequence[str], keys: Sequence[str], out: Path | None, markdown: Path | None
) -> None:
    """Print a table for each data set at hand, and in how many comparisons ours are behind."""
    results = {}
    for name in names:
        data = LOADERS[name]()
        if data is None:
            click.echo(f"{name}: not in ../shared/data, left out\n")
            continue
        data = data.first(MOST_QUERIES)
        found = held(asked(data, keys))
        results[data.title] = [asdict(one) | {"verdict": one.verdict} for one in found]
        click.echo(f"### {data.title}\n\n{held_table(results[data.title])}\n")
    verdicts = [one["verdict"] for found in results.values() for one in found]
    click.echo(f"Behind in {verdicts.count('behind')} of {len(verdicts)} comparisons.")
    report = {"machine": machine(), "versions": versions(), "data": results}
    if markdown is not None:
        markdown.write_text(precision_page(report), encoding="utf-8")
    if out is not None:
        out.write_text(json.dumps(report, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
