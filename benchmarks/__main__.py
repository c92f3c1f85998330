"""How long the core takes, each piece beside the matrix product it cannot do without.

Run as `make bench`, or `make bench QUICK=1` for the shipped words alone. Figures are medians of
process CPU time and wall time over several rounds; pieces take turns, so that a busy machine is
busy for all of them. Real vectors from a folder `../shared/data/words` are measured too if there.
"""

import json
import os
import platform
import sys
from collections.abc import Callable
from functools import partial
from importlib.metadata import version
from pathlib import Path
from statistics import median
from time import perf_counter, process_time
from typing import Any

import numpy as np

from benchmarks import readers
from mips_core import (
    INDEXES,
    Curve,
    Dataset,
    Index,
    Searcher,
    Truth,
    evaluate,
    rng_for,
    truth_of,
)
from mips_core.catalog import load
from mips_core.exact import exact_top_k
from mips_core.indexes.flat_kmeans import FlatKMeans
from mips_core.indexes.hierarchical_kmeans import HierarchicalKMeans
from mips_core.queries import QueryRecipe, with_queries
from mips_core.threads import map_blocks, n_threads

WORDS = Path(__file__).parents[2] / "shared/data/words/glove-100d-100k.npy"
QUERIES = 2000
KS = (1, 10, 100)
Work = Callable[[], Any]


def datasets(quick: bool) -> list[Dataset]:
    """The shipped words, the simulated recommender, and 100,000 words where they are at hand."""
    recipe = QueryRecipe(count=QUERIES)
    found = [with_queries(load("glove-6b-50d"), recipe)]
    if not quick:
        found.append(load("simulated-ratings"))
        if WORDS.is_file():
            words = Dataset(np.load(WORDS), name="GloVe 6B 100d words")
            found.append(with_queries(words, recipe))
    return found


def product(X: np.ndarray, Q: np.ndarray) -> Work:
    """The inner products of all queries with all rows of X: nothing exact can cost less."""

    def tile(start: int, stop: int) -> float:
        return max(
            float((Q[start:stop] @ X[at : at + 1024].T)[0, 0]) for at in range(0, len(X), 1024)
        )

    return lambda: map_blocks(tile, len(Q), 256)


def pieces(dataset: Dataset) -> list[tuple[str, Work, str]]:
    """(name, work, name of the piece it is set against)."""
    X, Q, n = dataset.items, dataset.queries, dataset.n
    truth = truth_of(dataset)
    flat, tree = FlatKMeans().explicit(n), HierarchicalKMeans().explicit(n)
    searchers = {i: i.searcher(i.build(X, rng_for(0))) for i in (flat, tree)}
    centroids = searchers[flat].tree.levels[0].centroids[:, : dataset.d].copy()
    ten = FlatKMeans(n_clusters=flat.n_clusters, max_rounds=10)
    curves = {i: lambda i=i: evaluate(i, searchers[i], truth, 0).curve(KS) for i in searchers}
    return [
        ("queries x items, the product alone", product(X, Q), ""),
        ("exact top 100", lambda: exact_top_k(X, Q, 100), "queries x items, the product alone"),
        ("exact top 10", lambda: exact_top_k(X, Q, 10), "queries x items, the product alone"),
        ("10 rounds of items x centroids",
         lambda: [product(centroids, X)() for _ in range(10)], ""),
        (f"k-means, {flat.setting(n)}, 10 rounds", lambda: ten.build(X, rng_for(0)),
         "10 rounds of items x centroids"),
        ("queries x centroids", product(centroids, Q), ""),
        ("whole flat curve, K = 1, 10, 100", curves[flat], "queries x centroids"),
        (f"whole hierarchical curve, {tree.setting(n)}", curves[tree], "queries x centroids"),
    ]  # fmt: skip


def methods(dataset: Dataset) -> list[tuple[str, Work, str]]:
    """Building every index at its defaults, and its whole curve, beside the product alone."""
    X, Q, n = dataset.items, dataset.queries, dataset.n
    truth = truth_of(dataset)
    floor = "queries x items, the product alone"
    works: list[tuple[str, Work, str]] = [(floor, product(X, Q), "")]
    for cls in INDEXES.values():
        index = cls().explicit(n)
        searcher = index.searcher(index.build(X, rng_for(0)))
        name = f"{index.label}, {index.setting(n)}"
        works += [
            (f"{name}: build", lambda i=index: i.build(X, rng_for(0)), floor),
            (f"{name}: curve", partial(_curve, index, searcher, truth), floor),
        ]
    return works


def _curve(index: Index, searcher: Searcher, truth: Truth) -> list[Curve]:
    """The whole curve at each K; candidates that depend on K are asked for each."""
    alone = [(K,) for K in KS] if index.depends_on_k else [KS]
    return [evaluate(index, searcher, truth, 0, K=ks[0]).curve(ks) for ks in alone]


def measure(works: list[tuple[str, Work, str]], rounds: int) -> list[dict[str, Any]]:
    """Medians over `rounds`, after one round that is not counted; pieces take turns."""
    taken: dict[str, list[tuple[float, float]]] = {name: [] for name, _, _ in works}
    for number in range(rounds + 1):
        for name, work, _ in works:
            wall, cpu = perf_counter(), process_time()
            work()
            if number:
                taken[name].append((process_time() - cpu, perf_counter() - wall))
    cpus = {name: median(cpu for cpu, _ in times) for name, times in taken.items()}
    return [
        {
            "work": name,
            "cpu_s": cpus[name],
            "wall_s": median(wall for _, wall in taken[name]),
            "ratio": cpus[name] / cpus[floor] if floor else None,
            "to": floor or None,
        }
        for name, _, floor in works
    ]


def _print(title: str, rows: list[dict[str, Any]]) -> None:
    print(f"\n{title}\n{'':58}{'CPU ms':>10}{'wall ms':>10}{'ratio':>8}")
    for row in rows:
        ratio = "" if row["ratio"] is None else f"{row['ratio']:.2f}"
        print(f"{row['work']:58}{1e3 * row['cpu_s']:10.1f}{1e3 * row['wall_s']:10.1f}{ratio:>8}")


def main() -> None:
    """Print the tables, and write them to benchmarks/results.json."""
    quick = os.environ.get("QUICK") == "1" or "--quick" in sys.argv
    packages = {name: version(name) for name in ("numpy", "numba", "streamlit", "plotly")}
    report: dict[str, Any] = {
        "python": platform.python_version(),
        "machine": f"{platform.machine()}, {os.cpu_count()} cores, {n_threads()} threads",
        "versions": packages,
        "tables": [],
    }
    print(f"Python {report['python']}, {report['machine']}, {packages}")
    for dataset in datasets(quick):
        title = f"{dataset.name}: {dataset.n:,} x {dataset.d}, {dataset.m:,} queries"
        rows = [*measure(pieces(dataset), rounds=5), *measure(methods(dataset), rounds=3)]
        report["tables"].append({"data": title, "rows": rows})
        _print(title, rows)
    n = readers.ROWS // 20 if quick else readers.ROWS
    rows = readers.table(n, rounds=1 if quick else 5)
    report["tables"].append({"data": readers.title(n), "rows": rows})
    readers.show(readers.title(n), rows)
    out = Path(__file__).with_name("results.json")
    out.write_text(json.dumps(report, indent=1) + "\n", encoding="utf-8")
    print(f"\nWritten to {out.parent.name}/{out.name}")


if __name__ == "__main__":
    main()
