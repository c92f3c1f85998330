"""A million vectors: builds, a curve, a search for a setting and a map: `-m benchmarks.million`.

Every work has a process of its own, with all threads; its processor time, its time by the clock and
the most memory it held, the vectors included, are those of that process. Vectors are words where
../shared/data has them, each with nine noisy copies, else simulated; queries are rows with noise.
"""

import json
from collections.abc import Callable, Mapping
from pathlib import Path
from tempfile import TemporaryDirectory
from time import perf_counter
from typing import Any

import click
import numpy as np

from benchmarks.machine import machine, made_on, versions
from benchmarks.memory import SPAWN, usage
from benchmarks.pages import FILE
from benchmarks.sets import WORDS
from benchmarks.tables import as_markdown, as_text, duration
from mips_core import Dataset, Index, evaluate, rng_for, truth_of
from mips_core.base.arrays import Matrix
from mips_core.base.text import memory
from mips_core.data.queries import QueryRecipe, with_queries
from mips_core.data.simulated_vectors import simulated_vectors
from mips_core.groups.projection import pca_layout, trustworthiness
from mips_core.methods.indexes import INDEXES
from mips_core.methods.kmeans.flat import FlatKMeans
from mips_core.methods.kmeans.hierarchical import HierarchicalKMeans
from mips_core.studies.tuning import Need, tune

DIMENSIONS, QUERIES, K = 100, 1_000, 10
COPIES, NOISE = 10, 0.3  # of each word; noise in root mean squares
NEED = Need(0.9)
TITLE = "# A million vectors"
INTRO = """Every work has a process of its own, on all threads; memory is the most it held, the
vectors included. Vectors are {}; 1,000
queries are rows with noise, and precision is precision@10. Tune has flat and hierarchical k-means
to choose from, for 0.9. Remade by `python -m benchmarks.million --markdown docs/million.md`."""
OF_WORDS = "100,000 words (GloVe, 100 dimensions), each with nine noisy copies"
Told = dict[str, float]


def vectors(n: int) -> Matrix:
    """(n, 100): words and noisy copies of them, or simulated."""
    if not WORDS.is_file():
        return simulated_vectors(n, 1, DIMENSIONS).items
    words = np.load(WORDS)[: max(n // COPIES, 1)]
    rng, rms = rng_for(0, "copies"), float(np.sqrt((words**2).mean()))
    noisy = (words + NOISE * rms * rng.normal(size=words.shape) for _ in range(COPIES - 1))
    return np.concatenate([words, *noisy]).astype(np.float32)[:n]


def build(index: Index, data: Dataset) -> Told:
    """How long `index` takes to build, and its whole curve; what it finds at a speedup of 30."""
    began = perf_counter()
    structure = index.build(data.items, rng_for(0))
    built, truth = perf_counter() - began, truth_of(data)
    began = perf_counter()
    curve = evaluate(index, index.searcher(structure), truth, 0).curve((1, K, 100))
    asked = perf_counter() - began
    able = curve.precision(K)[curve.speedup >= 30]
    return {"build": built, "curve": asked, "precision at 30×": float(able.max(initial=0.0))}


def flat(data: Dataset) -> Told:
    """Flat k-means with 8 √n clusters, as it is by default at this size."""
    return build(FlatKMeans(n_clusters=round(8 * data.n**0.5)), data)


def hierarchical(data: Dataset) -> Told:
    """Hierarchical k-means at its defaults."""
    return build(HierarchicalKMeans(), data)


def search(data: Dataset) -> Told:
    """Flat and hierarchical grids, by way of samples: the first answer and the tested one."""
    grids = [INDEXES[key].grid(data.n, data.d) for key in ("flat-kmeans", "hierarchical-kmeans")]
    began, first = perf_counter(), list[float]()

    def progress(fraction: float, message: str, partial: Any = None) -> None:
        if partial is not None:
            first.append(perf_counter() - began)

    answer = tune(data, [index for grid in grids for index in grid], K, NEED, progress=progress)
    return {
        "first answer": first[0],
        "tested answer": perf_counter() - began,
        "settings built": answer.n_settings,
        "on samples alone": answer.on_samples,
        "inner products": answer.chosen.cost if answer.chosen else np.nan,
    }


def map_of_all(data: Dataset) -> Told:
    """Where PCA puts the items, and how far it may be trusted, on a sample."""
    began = perf_counter()
    xy = pca_layout(data.items)
    placed = perf_counter() - began
    trusted = trustworthiness(data.items, xy)
    return {"layout": placed, "whole": perf_counter() - began, "trustworthiness": trusted}


WORKS: dict[str, Callable[[Dataset], Told]] = {
    "flat k-means, 8 √n clusters": flat,
    "hierarchical k-means": hierarchical,
    "tune: flat and hierarchical": search,
    "map by PCA": map_of_all,
}
SECONDS = {"build", "curve", "first answer", "tested answer", "layout", "whole"}


def measured(path: Path, name: str) -> Told:
    """What a work told, with the processor time and memory of its own process."""
    mine, theirs = SPAWN.Pipe()
    process = SPAWN.Process(target=_measure, args=(path, name, theirs))
    process.start()
    theirs.close()
    try:
        told: Told = mine.recv()
        return told
    except EOFError:
        raise RuntimeError(f"{name}: the process that measures it has ended") from None
    finally:
        process.join()


def _measure(path: Path, name: str, answers: Any) -> None:
    small = simulated_vectors(3_000, 40, 8)
    WORKS[name](small)  # loads what is compiled
    items = np.load(path)
    data = with_queries(Dataset(items), QueryRecipe(count=min(QUERIES, len(items) // 2)))
    before = usage()[0]
    told = WORKS[name](data)
    seconds, most = usage()
    answers.send({"processor": seconds - before, "memory": most, **told})


def lines(results: Mapping[str, Told]) -> list[list[str]]:
    """A line a work: processor time, memory, and what it told."""
    table = [["work", "processor", "memory", "by the clock, and what came of it"]]
    for name, told in results.items():
        rest = [
            f"{what} {duration(value) if what in SECONDS else f'{value:,.4g}'}"
            for what, value in told.items()
            if what not in ("processor", "memory")
        ]
        table.append([name, duration(told["processor"]), memory(told["memory"]), ", ".join(rest)])
    return table


@click.command(help=__doc__)
@click.option("--items", default=1_000_000, help="How many.", show_default=True)
@click.option("--work", "works", multiple=True, type=click.Choice(list(WORKS)), help="This alone.")
@click.option("--markdown", type=FILE, help="Write the page here.")
@click.option("--json", "data", type=FILE, help="Write all that was measured here.")
def main(items: int, works: tuple[str, ...], markdown: Path | None, data: Path | None) -> None:
    """Measure and print."""
    results: dict[str, Told] = {}
    with TemporaryDirectory() as folder:
        path = Path(folder) / "items.npy"
        np.save(path, vectors(items))
        for name in works or tuple(WORKS):
            results[name] = measured(path, name)
            print(as_text(lines({name: results[name]})), flush=True)
    made = {"machine": machine(), "versions": versions()}
    if data is not None:
        report = {"items": items, **made, "works": results}
        data.write_text(json.dumps(report, indent=1) + "\n", encoding="utf-8")
    if markdown is not None:
        of = OF_WORDS if WORDS.is_file() else "simulated"
        head = f"{items:,} × {DIMENSIONS}, {made_on(made['machine'], made['versions'])}."
        parts = TITLE, INTRO.format(of), head, as_markdown(lines(results))
        markdown.write_text("\n\n".join(parts) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
