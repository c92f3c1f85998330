"""Whether what tuning promises holds, and what it costs: `python -m benchmarks.promise`.

Five data sets, with thousands of queries each. The grids of the methods are built once; then many
samples of queries are tuned from scratch, each on one half and tested on the other, and what was
promised is judged by its precision over all queries that were not in the sample. At 95% confidence
a promise may fail in 5 of 100 samples. Regret is how much more the answer costs than the cheapest
setting that truly holds, mean over samples.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from statistics import mean, median

import click
import numpy as np

from benchmarks.sets import many_words, real_ratings
from mips_core import INDEXES, Dataset, Evaluation, Index, NestedSearcher, rng_for, truth_of
from mips_core.base.arrays import Ids
from mips_core.base.seeds import sample_rows
from mips_core.base.threads import map_blocks
from mips_core.data.catalog import shipped
from mips_core.data.queries import QueryRecipe, with_queries
from mips_core.data.rankable import queries_evaluated
from mips_core.data.simulated import simulated_ratings
from mips_core.evaluation.builder import Tried
from mips_core.evaluation.evaluate import FOLDS, QUERY_BLOCK
from mips_core.evaluation.precision import mean_precision
from mips_core.evaluation.truth import Truth
from mips_core.methods.bits import pack_bits
from mips_core.studies.tuning import Need, Trial, cheapest

METHODS = (  # the paper's (boosting is in the grid of the PCA-tree), and three more
    "flat-kmeans",
    "hierarchical-kmeans",
    "pca-tree",
    "srp-hash",
    "wta-hash",
    "multi-kmeans",
    "product-quantization",
    "largest-norm",
)
K = 10
KEPT = K + 28  # answers of a query that are kept: the K, and what may tie with the last
ASKED = ((500, 0.95), (1000, 0.99), (500, 0.8), (200, 0.95))  # queries of a sample, target
POPULATION = 6000  # queries of a data set
CONFIDENCE = 0.95


@dataclass(frozen=True, eq=False)
class Asked:
    """A built index that was asked every query: any sample of them is evaluated by looking it up.

    costs (m, p) float32 inner products of every query at every effort.
    """

    whole: Evaluation
    costs: np.ndarray

    def of(self, rows: Ids) -> Evaluation:
        """The evaluation of the queries of these rows, in this order."""
        whole, spent = self.whole, self.costs[rows].astype(np.float64)
        return replace(
            whole,
            truth=rows_of(whole.truth, rows),
            ranks=None if whole.ranks is None else whole.ranks[rows],
            found=None if whole.found is None else np.ascontiguousarray(whole.found[:, rows]),
            costs={"all": np.stack([spent[fold::FOLDS].sum(axis=0) for fold in range(FOLDS)])},
            read_off={},
        )

    @cached_property
    def histograms(self) -> Ids:
        """(p, K+1) of all queries."""
        return self.whole.curve((K,)).histograms[K]


def rows_of(truth: Truth, rows: Ids | slice) -> Truth:
    """The true answers of the queries of these rows, no more than KEPT of each."""
    kept = (truth.ids[rows, :KEPT], truth.scores[rows, :KEPT])
    return replace(truth, queries=truth.queries[rows], ids=kept[0], scores=kept[1],
                   origins=truth.origins[rows])  # fmt: skip


def ask(index: Index, dataset: Dataset, truth: Truth) -> Asked:
    """Build `index`, and ask it every query at every effort."""
    searcher = index.searcher(index.build(dataset.items, rng_for(0)))

    def work(start: int, stop: int) -> tuple[np.ndarray, np.ndarray]:
        """Ranks (b, w) or bits (p, b, words), and costs (b, p)."""
        Q, wanted = truth.queries[start:stop], truth.ids[start:stop]
        if isinstance(searcher, NestedSearcher):
            ranks, costs = searcher.sweep(Q, wanted)
            return ranks, sum(costs.values(), np.zeros(())).astype(np.float32)
        pairs = [
            (pack_bits(found), sum(costs.values(), np.zeros(())).astype(np.float32))
            for found, costs in searcher.outcomes(Q, wanted, K)
        ]
        return np.stack([found for found, _ in pairs]), np.stack([c for _, c in pairs], axis=1)

    parts = map_blocks(work, truth.m, QUERY_BLOCK)
    nested = isinstance(searcher, NestedSearcher)
    hits = np.concatenate([hits for hits, _ in parts], axis=0 if nested else 1)
    costs = np.concatenate([costs for _, costs in parts])
    ranks, found = (hits, None) if nested else (None, hits)
    efforts = np.asarray(searcher.efforts(), np.int64)
    whole = Evaluation(index, 0, truth, efforts, ranks, found, {}, K * index.depends_on_k or None)
    return Asked(replace(whole, costs={"all": np.zeros((FOLDS, len(efforts)))}), costs)


@dataclass(frozen=True)
class Promise:
    """What one sample was promised (None: nothing could be), and its precision elsewhere.

    regret: what it costs over the cheapest setting that holds elsewhere, as a share of that.
    """

    trial: Trial | None
    true_precision: float
    regret: float = 0.0


def promise(asked: Sequence[Asked], rows: Ids, target: float) -> Promise:
    """Tune on the queries of these rows, and judge the answer on all others."""
    tried = [Tried(each.of(rows), 0.0, 0) for each in asked]
    chosen = cheapest(tried, K, Need(target, CONFIDENCE)).chosen
    if chosen is None:
        return Promise(None, 0.0)
    elsewhere = [
        each.histograms - one.evaluation.curve((K,)).histograms[K]
        for each, one in zip(asked, tried, strict=True)
    ]
    precisions, costs = map(mean_precision, elsewhere), [each.costs.mean(axis=0) for each in asked]
    by_setting = list(zip(precisions, costs, strict=True))
    least = min(
        float(cost[precision >= target].min(initial=np.inf)) for precision, cost in by_setting
    )
    number = next(number for number, one in enumerate(tried) if one is chosen.tried)
    at = int(np.searchsorted(asked[number].whole.efforts, chosen.setting.effort))
    precision, cost = (float(values[at]) for values in by_setting[number])
    return Promise(chosen, precision, cost / least - 1)


def samples(n: int, m: int, count: int) -> list[Ids]:
    """`count` samples of m different rows, each in random order, so that its halves are random."""
    streams = [rng_for(seed, "promise", m) for seed in range(count)]
    return [rng.permutation(sample_rows(rng, n, m)) for rng in streams]


def repeated(truth: Truth, rows: Ids, times: int) -> Ids:
    """What counts of a sample of as many rows, of which each is given so many times."""
    rows = np.tile(rows[: len(rows) // times], times)
    return np.asarray(rows[queries_evaluated(truth.queries[rows])])


def line(promises: Sequence[Promise], m: int, target: float) -> str:
    """One row of the table: how many held, and what the answers were like."""
    made = [p for p in promises if p.trial is not None]
    head = f"{m:>7,} {target:>6g} {len(made):>5} of {len(promises)}"
    if not made:
        return head
    held = sum(p.true_precision >= target for p in made)
    true = np.quantile([p.true_precision for p in made], (0, 0.05, 0.5, 0.95, 1))
    speedup = median(p.trial.speedup for p in made if p.trial is not None)
    spread = "  ".join(f"{value:.4f}" for value in true)
    regret = 100 * mean(p.regret for p in made)
    return f"{head} {held:>5} of {len(made)} {regret:>6.1f}% {speedup:>8.1f}x   {spread}"


def data_sets() -> Iterator[Dataset]:
    """Words, the same with noise, films, simulated users, more words; those that lie by."""
    words, many, films = shipped("glove-6b-50d"), many_words(), real_ratings()
    yield with_queries(words, QueryRecipe(count=POPULATION))
    noisy = with_queries(words, QueryRecipe("noisy", POPULATION, noise=0.3))
    yield replace(noisy, name=f"{words.name} with noise")
    if films is not None:
        yield _of_rows(films.dataset, np.unique(films.dataset.items, axis=0))
    users = simulated_ratings(n_items=10_677, n_users=POPULATION, d=150)
    yield with_queries(users, QueryRecipe("own", POPULATION))
    if many is not None:
        yield _of_rows(many.dataset, many.dataset.items)


def _of_rows(like: Dataset, X: np.ndarray) -> Dataset:
    """At most 25,000 of the rows X in random order, some of them as queries."""
    items = X[rng_for(0, "promise").permutation(len(X))[:25_000]]
    return with_queries(Dataset(items, name=like.name), QueryRecipe(count=POPULATION))


@click.command()
@click.option("--samples", "count", default=100, show_default=True)
@click.option("--method", "keys", multiple=True, default=METHODS)
@click.option("--times", default=1, show_default=True, help="How often each query is given.")
def main(count: int, keys: Sequence[str], times: int) -> None:
    """Print how often promises hold, and what they cost."""
    for dataset in data_sets():
        report(dataset, keys, count, times=times)


def report(
    dataset: Dataset,
    keys: Sequence[str],
    count: int,
    asked_of: Sequence[tuple[int, float]] = ASKED,
    times: int = 1,
) -> None:
    """Print a row for each of `asked_of`, over `count` samples of the queries of `dataset`."""
    truth = rows_of(truth_of(dataset), slice(None))
    asked = []
    for key in keys:
        for index in INDEXES[key].grid(dataset.n, dataset.d):
            click.echo(f"{index.label}, {index.setting(dataset.n)}", err=True)
            asked.append(ask(index, dataset, truth))
    efforts = sum(len(each.whole.efforts) for each in asked)
    click.echo(f"{dataset.name}: {len(asked)} settings, {efforts:,} efforts, {count} samples")
    columns = "queries target  promised       held  regret   speedup   true precision:"
    click.echo(f"{columns} least, 5%, median, 95%, most")
    for m, target in asked_of:
        drawn = (repeated(truth, rows, times) for rows in samples(truth.m, m, count))
        made = [promise(asked, rows, target) for rows in drawn]
        click.echo(line(made, m, target))


if __name__ == "__main__":
    main()
