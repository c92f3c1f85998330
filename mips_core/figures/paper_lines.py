"""The lines of the paper's figures: what a method finds at every speedup, or along another axis."""

from collections.abc import Iterable, Sequence
from math import isfinite

import numpy as np

from mips_core.figures.drawing import Drawn, DrawnPanel, Spot, shares, speedups
from mips_core.studies.paper.jackknife import Statistic, estimate, precision_of, share_of
from mips_core.studies.paper.view import View

LOOKS = {"flat": "flat-kmeans", "hierarchical": "hierarchical-kmeans", "multi": "multi-kmeans",
         "short": "k-means-1", "default": "rebuilt"}  # fmt: skip
LABELS = {
    "flat": "Flat k-means", "hierarchical": "Hierarchical k-means", "pca-tree": "PCA-tree",
    "srp-hash": "SRP-hash", "wta-hash": "WTA-hash", "largest-norm": "Largest norms",
    "ip-tree": "IP-tree", "simple-lsh": "Simple-LSH", "l2-alsh": "L2-ALSH",
    "product-quantization": "Product quantization", "multi": "Multi k-means, 10 rounds",
    "short": "Flat k-means, 10 rounds", "default": "10 rounds, √n clusters",
    "exact": "Exact search",
}  # fmt: skip
STEP, STEPS = 1.3, 21  # from one speedup of a line to the next, up to 190×
LITTLE = 0.02  # precision below which the end of a line is left away


def look_of(name: str) -> str:
    """The key of the look in which a method is drawn."""
    return LOOKS.get(name, name)


def best_line(view: View, name: str, K: int) -> Drawn:
    """The best of a method along a ladder of speedups."""
    fastest = view.fastest(name, K)
    steps = [STEP**step for step in range(STEPS) if STEP**step < fastest]
    line = line_of(view, name, LABELS[name], ((s, precision_of(name, K, s)) for s in steps))
    last = max((at for at, spot in enumerate(line.spots) if spot.y >= LITTLE), default=-1)
    return Drawn(line.key, line.label, line.spots[: last + 2], markers=False)


def points_line(view: View, name: str, key: str, K: int) -> Drawn:
    """The points of a method that none of them beats, by rising speedup; `name` is its label."""
    sums, column = view.sums[name], view.ks.index(K)
    hits, costs = view.means(name)
    order = np.argsort(costs)
    rising = hits[order, column]
    unbeaten = order[rising > np.maximum.accumulate(np.append(-1.0, rising))[:-1]][::-1].tolist()
    spots = [
        _spot(view, sums.n / float(costs[at]), share_of(name, at, column), sums.labels[index])
        for at in unbeaten
        for index, _ in [sums.settings[at]]
    ]
    return Drawn(key, name, tuple(spot for spot in spots if spot is not None))


def line_of(
    view: View,
    name: str,
    label: str,
    places: Iterable[tuple[float, Statistic]],
    signed: bool = False,
) -> Drawn:
    """A number with its interval at every place along x; `signed` where it may be below 0."""
    spots = (_spot(view, x, statistic, "", -1.0 if signed else 0.0) for x, statistic in places)
    return Drawn(look_of(name), label, tuple(spot for spot in spots if spot is not None))


def curves_panel(title: str, lines: Sequence[Drawn], K: int) -> DrawnPanel:
    """Precision@K over speedup."""
    drawn = tuple(line for line in lines if line.spots)
    return DrawnPanel(title, speedups(drawn), shares(f"Precision@{K}"), drawn)


def _spot(
    view: View, x: float, statistic: Statistic, about: str, least: float = 0.0
) -> Spot | None:
    seen = estimate(view, statistic)
    if seen is None or not isfinite(x):
        return None
    return Spot(x, seen.value, max(seen.low, least), min(seen.high, max(seen.value, 1.0)), about)
