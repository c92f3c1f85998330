"""Our k-means curves beside reference ones: `python -m benchmarks.reference REFERENCE.json ITEMS`.

REFERENCE.json holds query_ids and rows of (method, seed, speedup, p@1, p@10, p@100). Prints the
precision of each method's frontier at fixed speedups, ours over three seeds, and writes ours in the
same form with --out.
"""

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import click
import numpy as np

from mips_core import Dataset, Index, compare, read
from mips_core.indexes.flat_kmeans import FlatKMeans
from mips_core.indexes.hierarchical_kmeans import HierarchicalKMeans

SPEEDUPS = (10, 30, 100)
Points = Sequence[tuple[float, float]]


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


def of(rows: Sequence[dict[str, Any]], method: str, K: int, speedup: float) -> list[float]:
    """That precision for each seed that reaches the speedup."""
    seeds = sorted({r["seed"] for r in rows if r["method"] == method})
    found = (
        at(
            [
                (r["speedup"], r[f"p@{K}"])
                for r in rows
                if r["method"] == method and r["seed"] == seed
            ],
            speedup,
        )
        for seed in seeds
    )
    return [value for value in found if value is not None]


def ours(dataset: Dataset, rounds: int) -> list[dict[str, Any]]:
    """Rows of our own curves over the settings of the reference, three seeds."""
    grid: list[tuple[str, Index]] = [
        ("kmeans", FlatKMeans(n_clusters=k, max_rounds=rounds)) for k in (64, 128, 256, 512, 1000)
    ]
    finest = round(dataset.n ** (2 / 3))
    grid += [
        ("hier_kmeans", HierarchicalKMeans(n_clusters=k, max_rounds=rounds)) for k in (1000, finest)
    ]
    names = {index: name for name, index in grid}
    curves = compare([index for _, index in grid], dataset, ks=(1, 10, 100), seeds=(0, 1, 2))
    return [
        {
            "method": names[curve.index],
            "seed": curve.seed,
            "speedup": float(curve.speedup[i]),
            **{f"p@{K}": float(curve.precision(K)[i]) for K in (1, 10, 100)},
        }
        for curve in curves
        for i in range(len(curve.efforts))
    ]


@click.command()
@click.argument("reference", type=click.Path(exists=True, path_type=Path))
@click.argument("items")
@click.option("--rounds", default=10, show_default=True, help="Round cap of the reference.")
@click.option("--out", type=click.Path(path_type=Path))
def main(reference: Path, items: str, rounds: int, out: Path | None) -> None:
    """Compare with REFERENCE on the vectors ITEMS."""
    golden = json.loads(reference.read_text())
    X = read(items).items
    rows = ours(Dataset(X, X[golden["query_ids"]]), rounds)
    if out is not None:
        out.write_text(json.dumps({"query_ids": golden["query_ids"], "rows": rows}))
    for method in ("kmeans", "hier_kmeans"):
        for K in (1, 10, 100):
            for speedup in SPEEDUPS:
                theirs, own = (of(r, method, K, speedup) for r in (golden["rows"], rows))
                shown = [f"{np.mean(v):.3f}" if v else "none" for v in (theirs, own)]
                click.echo(
                    f"{method:12} p@{K:<4}{speedup:4}x  reference {shown[0]}  ours {shown[1]}"
                )


if __name__ == "__main__":
    main()
