"""What a million vectors are put to: builds, a search for a setting and what it may miss, a map.

Each takes a data set and tells what came of it; a command takes the file of the items.
"""

import json
import sys
from collections.abc import Callable, Iterable
from math import isfinite
from pathlib import Path
from subprocess import run
from time import perf_counter
from typing import Any

import numpy as np

from mips_core import Dataset, Index, evaluate, rng_for, truth_of
from mips_core.evaluation.builder import Builder, Tried
from mips_core.groups.projection import pca_layout, trustworthiness
from mips_core.methods.indexes import INDEXES
from mips_core.methods.kmeans.flat import FlatKMeans
from mips_core.methods.kmeans.hierarchical import HierarchicalKMeans
from mips_core.studies.tuning import Need, tune
from mips_core.studies.tuning.scouting import likeliest

QUERIES, K = 1_000, 10
QUERY_NOISE = 0.1  # in root mean squares
NEED = Need(0.9)
NEEDS = (Need(0.8), NEED, Need(0.95))
Told = dict[str, float]


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


def both_grids(data: Dataset) -> list[Index]:
    """The settings of flat and of hierarchical k-means."""
    keys = ("flat-kmeans", "hierarchical-kmeans")
    return [index for key in keys for index in INDEXES[key].grid(data.n, data.d)]


def search(data: Dataset) -> Told:
    """Flat and hierarchical grids, by way of samples: the first answer and the tested one."""
    began, first = perf_counter(), list[float]()

    def progress(fraction: float, message: str, partial: Any = None) -> None:
        if partial is not None:
            first.append(perf_counter() - began)

    found = tune(data, both_grids(data), K, NEED, progress=progress)
    told: Told = {
        "first answer": first[0],
        "tested answer": perf_counter() - began,
        "settings built": found.n_settings,
        "on samples alone": found.on_samples,
    }
    return told | ({"inner products": found.chosen.cost} if found.chosen else {})


def regret(data: Dataset) -> Told:
    """All settings of both grids on all items; what the likeliest by samples alone cost more.

    For each precision: inner products of the cheapest effort of all that finds it, and of the
    cheapest of the likeliest, and how much more that is. What none finds is left out.
    """
    indexes = both_grids(data)
    builder = Builder(data.items, truth_of(data), K)
    tried = {index: builder.tried(index, 0) for index in indexes}
    told: Told = {"settings built": len(tried)}
    for need in NEEDS:
        few = likeliest(data, indexes, K, need).indexes
        every, scouted = (least_cost([tried[one] for one in some], need.precision)
                          for some in (indexes, few))  # fmt: skip
        told[f"settings by samples {need.precision}"] = len(few)
        costs = {"of all": every, "by samples": scouted, "regret": scouted / every - 1}
        told |= {f"{what} {need.precision}": cost for what, cost in costs.items() if isfinite(cost)}
    return told


def least_cost(some: Iterable[Tried], precision: float) -> float:
    """Inner products of the cheapest effort that finds `precision` of all queries; inf: of none."""
    curves = [one.evaluation.curve((K,)) for one in some]
    enough = (curve.mean_cost[curve.precision(K) >= precision] for curve in curves)
    return min(float(costs.min(initial=np.inf)) for costs in enough)


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
    "regret of samples": regret,
    "map by PCA": map_of_all,
}
COMMANDS: dict[str, tuple[str, ...]] = {
    "command tune --index all": ("tune", "--index", "all", "--precision", f"{NEED.precision}",
                                 "--n-queries", f"{QUERIES}", "--noise", f"{QUERY_NOISE}"),
    "command map, a page": ("map", "--index", "flat-kmeans", "--layout", "pca"),
}  # fmt: skip
ENDINGS = {"tune": ".json", "map": ".html"}


def told_by_command(name: str, items: Path) -> Told:
    """What the command `name` says of the file `items`, and its time from start to end.

    Raises RuntimeError, with what it printed, where it fails.
    """
    words = COMMANDS[name]
    out = items.with_suffix(ENDINGS[words[0]])
    began = perf_counter()
    told = [words[0], f"{items}", *words[1:], "--out", f"{out}"]
    done = run([sys.executable, "-m", "mips_core", *told], capture_output=True, text=True)
    whole = perf_counter() - began
    if done.returncode:
        raise RuntimeError(f"{name}: {done.stderr[-500:]}")
    if words[0] == "map":
        return {"whole": whole, "megabytes written": out.stat().st_size / 2**20}
    report = json.loads(out.read_bytes())
    chosen = report["chosen"]
    told_of = {
        "whole": whole,
        "settings built": report["tried"]["settings"],
        "on samples alone": report["tried"]["on_samples"],
    }
    return told_of | ({"inner products": chosen["held_out"]["inner_products"]} if chosen else {})
