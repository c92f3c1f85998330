"""Our curves beside reference ones: `python -m benchmarks.reference REFERENCE.json ITEMS`.

REFERENCE.json holds query_ids and rows of (method, settings, seed, speedup, p@1, p@10, p@100). The
same settings are tried here, with three seeds. ITEMS is a file of vectors, whose rows are the
queries, or a MovieLens ratings.csv, which becomes PureSVD vectors with users as queries. Prints the
precision of each method's frontier at fixed speedups, and writes ours in the same form with --out.
"""

import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

import click
import numpy as np
import pandas as pd

from mips_core import INDEXES, Curve, Dataset, Index, compare, read
from mips_core.data.pure_svd import pure_svd
from mips_core.methods.reductions import PaperAugment, Plain

KS = (1, 10, 100)
SPEEDUPS = (10, 30, 100)
SEEDS = (0, 1, 2)
RANK = 150
Points = Sequence[tuple[float, float]]
Row = Mapping[str, Any]


def make(key: str, **values: Any) -> Index:
    """The index of this key with these parameters."""
    return INDEXES[key](**values)


# Method of the reference -> our index with the settings of one of its rows; T tables, c rounds.
OURS: dict[str, Callable[[Row, int, int], Index]] = {
    "exact": lambda row, T, c: make("exact"),
    "kmeans": lambda row, T, c: make("flat-kmeans", n_clusters=row["k"], max_rounds=c),
    "hier_kmeans": lambda row, T, c: make(
        "hierarchical-kmeans", sizes=(row["k0"], row["k1"]), max_rounds=c
    ),
    "pca": lambda row, T, c: make("pca-tree", boosting=False),
    "pca_boost": lambda row, T, c: make("pca-tree", boosting=True),
    "srp": lambda row, T, c: make("srp-hash", n_bits=row["p"], n_tables=T),
    "wta": lambda row, T, c: _wta(row, T, PaperAugment()),
    "wta_raw": lambda row, T, c: _wta(row, T, Plain()),
    "simple_lsh": lambda row, T, c: make("simple-lsh", n_bits=row["p"], n_tables=T),
    "l2_alsh": lambda row, T, c: make("l2-alsh", n_hashes=row["p"], n_tables=T),
}


def _wta(row: Row, T: int, reduction: Any) -> Index:
    return make(
        "wta-hash", n_permutations=row["p"], prefix=row["k"], n_tables=T, reduction=reduction
    )


def settings(rows: Iterable[Row], rounds: int) -> dict[Index, str]:
    """Our indexes with the settings of the reference's rows -> its name of the method."""
    rows = list(rows)
    most = max(row.get("T", 1) for row in rows)
    found: dict[Index, str] = {make("exact"): "exact"}
    for row in rows:
        found.setdefault(OURS[row["method"]](row, most, rounds), row["method"])
    return found


def dataset_of(path: str, query_ids: Sequence[int]) -> Dataset:
    """Items and the reference's queries: rows of a vector file, or users of a ratings.csv."""
    if not path.endswith(".csv"):
        X = read(path).items
        return Dataset(X, X[query_ids], name=Path(path).stem)
    ratings = pd.read_csv(path)
    users, items = (np.unique(ratings[c], return_inverse=True)[1] for c in ("userId", "movieId"))
    factors = pure_svd(users, items, ratings["rating"].to_numpy(float), RANK)
    return Dataset(factors.items, factors.users[query_ids], name=Path(path).parent.stem)


def at(points: Points, speedup: float) -> float | None:
    """Precision of the frontier of (speedup, precision) points, linear in log speedup."""
    kept: list[tuple[float, float]] = []
    for s, p in sorted(points, reverse=True):
        if not kept or p > kept[-1][1]:
            kept.append((s, p))
    kept.reverse()
    if speedup > kept[-1][0]:
        return None
    x, y = np.log([s for s, _ in kept]), [p for _, p in kept]
    return float(np.interp(np.log(speedup), x, y))


def of(rows: Sequence[Row], method: str, K: int, speedup: float) -> list[float]:
    """That precision for each seed that reaches the speedup."""
    by_seed: dict[int, list[tuple[float, float]]] = {}
    for row in rows:
        if row["method"] == method:
            by_seed.setdefault(row["seed"], []).append((row["speedup"], row[f"p@{K}"]))
    found = (at(points, speedup) for points in by_seed.values())
    return [value for value in found if value is not None]


def rows_of(curve: Curve, method: str) -> list[dict[str, Any]]:
    """The points of a curve in the reference's form."""
    return [
        {
            "method": method,
            "seed": curve.seed,
            "effort": int(curve.efforts[i]),
            "speedup": float(curve.speedup[i]),
            **{f"p@{K}": float(curve.precision(K)[i]) for K in KS},
        }
        for i in range(len(curve.efforts))
    ]


@click.command()
@click.argument("reference", type=click.Path(exists=True, path_type=Path))
@click.argument("items")
@click.option("--method", "only", multiple=True, help="A method of the reference; may repeat.")
@click.option("--out", type=click.Path(path_type=Path))
def main(reference: Path, items: str, only: Sequence[str], out: Path | None) -> None:
    """Compare with REFERENCE on ITEMS."""
    golden = json.loads(reference.read_text())
    dataset = dataset_of(items, golden["query_ids"])
    tried = [row for row in golden["rows"] if row["method"] in (only or OURS)]
    names = settings(tried, golden["kmeans"]["max_iter"])
    curves = compare(list(names), dataset, ks=KS, seeds=SEEDS)
    rows = [row for curve in curves for row in rows_of(curve, names[curve.index])]
    if out is not None:
        out.write_text(json.dumps({"query_ids": golden["query_ids"], "rows": rows}))
    click.echo(f"{dataset.name}, {dataset.n:,} items; mean of seeds, reference | ours")
    for method in dict.fromkeys(name for name in names.values() if name != "exact"):
        for K in KS:
            click.echo(f"{method:12} p@{K:<4}" + "".join(_beside(golden, rows, method, K)))


def _beside(golden: Row, rows: Sequence[Row], method: str, K: int) -> Iterable[str]:
    for speedup in SPEEDUPS:
        found = (of(own, method, K, speedup) for own in (golden["rows"], rows))
        theirs, ours = (f"{np.mean(v):.3f}" if v else "  –  " for v in found)
        yield f"  {speedup:>4}x {theirs} | {ours}"


if __name__ == "__main__":
    main()
