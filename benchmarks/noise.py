"""Ours under noise beside a reference: `python -m benchmarks.noise REFERENCE.json ITEMS`.

REFERENCE.json holds query_ids and rows `noise` of (method, params, sigma, seed, speedup, p@K,
clean_p@K, exact_on_noisy_vs_clean@K). The same settings are asked here with three seeds, each of
which draws noise too. The reference's clean_p@K counts true answers before noise among the
candidates for the noisy query, which need not all be returned; they are counted so here. Means over
seeds must agree within the larger of 0.05 and 3 standard errors over seeds in every precision, and
of 10% and as many in speedup. Prints each method's largest deviations.
"""

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import click
import numpy as np

from benchmarks.reference import OURS, dataset_of
from mips_core import Dataset, Index, Searcher, rng_for
from mips_core.base.kernels import mark_candidates
from mips_core.base.limits import MAX_K
from mips_core.evaluation.precision import mean_precision
from mips_core.evaluation.setting import Setting
from mips_core.studies.noise import NoisyQueries, ceiling, noisy_queries, under_noise

KS = (1, 10, 100)
SEEDS = (0, 1, 2)
IN_PRECISION, IN_LOG_SPEEDUP = 0.05, np.log(1.1)
MANY = 3  # standard errors that two means may be apart
Row = Mapping[str, Any]

# Method of the reference -> the effort of its row's params, asked of our searcher.
EFFORTS: dict[str, Callable[[Row, Searcher], int]] = {
    "kmeans": lambda params, searcher: params["p"],
    "kmeans(3)": lambda params, searcher: params["p"],
    "hier_kmeans": lambda params, searcher: params["p"],
    "pca": lambda params, searcher: searcher.efforts()[-params["D"]],
    "pca_boost": lambda params, searcher: searcher.efforts()[-params["D"]],
    "srp": lambda params, searcher: params["T"],
    "wta": lambda params, searcher: params["T"],
}


def index_of(method: str, params: Row, rounds: int) -> Index:
    """Our index with the params of a row, k-means stopped after so many rounds."""
    return OURS[method.removesuffix("(3)")](params, params.get("T", 1), rounds)


def measured(
    method: str, params: Row, dataset: Dataset, draws: Mapping[int, NoisyQueries], cap: int
) -> list[dict[str, Any]]:
    """Rows in the reference's form, for every σ and seed, which builds and has a draw of noise."""
    index = index_of(method, params, cap)
    found = []
    for seed, noisy in draws.items():
        searcher = index.searcher(index.build(dataset.items, rng_for(seed)))
        setting = Setting(index, seed, EFFORTS[method](params, searcher))
        best = {K: mean_precision(ceiling(noisy, K, None)) for K in KS}
        listed = among_candidates(searcher, setting.effort, noisy)
        asked = {K: under_noise(setting, searcher, dataset, noisy, K, None) for K in KS}
        found += [
            {
                "method": method,
                "sigma": sigma,
                "seed": seed,
                "speedup": float(asked[KS[0]].speedup[at]),
                **{f"p@{K}": float(asked[K].precision("noisy")[at]) for K in KS},
                **{f"clean_p@{K}": float(listed[at, :, :K].mean()) for K in KS},
                **{f"exact_on_noisy_vs_clean@{K}": float(best[K][at]) for K in KS},
            }
            for at, sigma in enumerate(noisy.sigmas)
        ]
    return found


def among_candidates(searcher: Searcher, effort: int, noisy: NoisyQueries) -> np.ndarray:
    """(S, m, D) whether each true answer before noise is a candidate for the noisy query."""
    found = [searcher.candidates(Q, effort, MAX_K) for Q in noisy.queries]
    true = noisy.clean.ids[:, :MAX_K]
    return np.stack([mark_candidates(true, each.starts, each.ids, noisy.n) for each in found])


def deviations(theirs: Sequence[Row], ours: Sequence[Row]) -> Iterator[dict[str, Any]]:
    """How far our mean over seeds is from theirs, and may be, for every column and σ of a method.

    Of speedups the logarithms are compared.
    """
    columns = [name for name in ours[0] if name not in ("method", "sigma", "seed")]
    for sigma in dict.fromkeys(row["sigma"] for row in ours):
        for column in columns:
            values = [
                np.array([row[column] for row in rows if row["sigma"] == sigma])
                for rows in (theirs, ours)
            ]
            if column == "speedup":
                values = [np.log(value) for value in values]
            errors = [value.std(ddof=1) ** 2 / len(value) for value in values if len(value) > 1]
            least = IN_LOG_SPEEDUP if column == "speedup" else IN_PRECISION
            yield {
                "sigma": sigma,
                "column": column,
                "theirs": float(values[0].mean()),
                "ours": float(values[1].mean()),
                "apart": abs(float(values[0].mean() - values[1].mean())),
                "allowed": max(float(least), MANY * float(np.sqrt(sum(errors)))),
            }


@click.command()
@click.argument("reference", type=click.Path(exists=True, path_type=Path))
@click.argument("items")
@click.option("--method", "only", multiple=True, help="A method of the reference; may repeat.")
@click.option("--out", type=click.Path(path_type=Path), help="Write our rows to this file.")
def main(reference: Path, items: str, only: Sequence[str], out: Path | None) -> None:
    """Compare with the rows `noise` of REFERENCE on ITEMS."""
    golden = json.loads(reference.read_text())
    dataset = dataset_of(items, golden["query_ids"])
    sigmas = sorted({row["sigma"] for row in golden["noise"]})
    draws = {seed: noisy_queries(dataset, dataset, sigmas=sigmas, seed=seed) for seed in SEEDS}
    written = []
    click.echo(f"{dataset.name}, {dataset.n:,} items, {dataset.m:,} queries, σ {sigmas}")
    for method in only or EFFORTS:
        theirs = [row for row in golden["noise"] if row["method"] == method]
        cap = golden["kmeans"]["max_iter"]
        ours = measured(method, theirs[0]["params"], dataset, draws, cap)
        written += ours
        for line in _lines(method, list(deviations(theirs, ours))):
            click.echo(line)
    if out is not None:
        out.write_text(json.dumps({"query_ids": golden["query_ids"], "noise": written}))


def _lines(method: str, found: Sequence[Row]) -> Iterator[str]:
    """The largest deviation in precision and in speedup, and everything beyond what is allowed."""
    speedups = [row for row in found if row["column"] == "speedup"]
    for rows in ([row for row in found if row["column"] != "speedup"], speedups):
        yield _line(method, max(rows, key=lambda row: row["apart"]))
    for row in found:
        if row["apart"] > row["allowed"]:
            yield _line(method, row) + "  BEYOND"


def _line(method: str, row: Row) -> str:
    values = [np.exp(row[of]) if row["column"] == "speedup" else row[of] for of in VALUES]
    return (
        f"{method:12} σ {row['sigma']:<4g} {row['column']:28} theirs {values[0]:7.3f}  "
        f"ours {values[1]:7.3f}  apart {row['apart']:.3f}, allowed {row['allowed']:.3f}"
    )


VALUES = ("theirs", "ours")

if __name__ == "__main__":
    main()
