"""Claim 16 by the clock: quantization beside k-means and a tree, timed in turns.

Quantization that scores codes may cost few inner products and yet much time, or the other way
round, so the claim is told by both. Times differ from run to run: nothing here is kept, and no
verdict rests on it.
"""

from collections.abc import Mapping, Sequence

import numpy as np

from mips_core.base.progress import Progress, silent
from mips_core.base.text import duration, times
from mips_core.data.dataset import Dataset
from mips_core.evaluation.setting import Setting
from mips_core.methods.indexes import Index
from mips_core.serving.other_libraries import RIVALS, available
from mips_core.studies.paper.facts import few_queries
from mips_core.studies.paper.sums import Sums
from mips_core.studies.wall_clock import Clock, clock
from mips_core.studies.wall_clock.timings import Way
from mips_core.studies.wall_clock.wording import BUSY

CLAIM = 16
METHODS = ("flat", "hierarchical", "pca-tree", "product-quantization")
OUTSIDE = "scann-tree"  # quantization as another library does it
PRECISION, MARGIN = 0.9, 0.01  # settings are chosen a little above what is asked
MOST = 500  # queries
WAY: Way = "one by one"
NOT_TIMED = "Not timed in this run: the command paper times it with --clock."


def setting_at(sums: Sums, column: int) -> tuple[int, int]:
    """Number of the index, and effort: the cheapest with the precision, else the most precise."""
    queries = float(sums.queries.sum()) * sums.builds
    precision = sums.hits.sum(axis=(0, 1))[:, column] / (queries * sums.most[column])
    costs = sums.costs.sum(axis=(0, 1))
    enough = np.flatnonzero(precision >= PRECISION + MARGIN)
    at = enough[costs[enough].argmin()] if len(enough) else precision.argmax()
    return sums.settings[int(at)]


def timed(
    searched: Dataset,
    plan: Mapping[str, Sequence[Index]],
    sums: Mapping[str, Sums],
    ks: Sequence[int],
    K: int,
    progress: Progress = silent,
) -> Clock:
    """METHODS of the plan at their settings for the precision, ScaNN where installed, and exact."""
    settings = []
    for name in METHODS:
        number, effort = setting_at(sums[name], ks.index(K))
        settings.append(Setting(plan[name][number], 0, effort))
    rivals = [OUTSIDE] if OUTSIDE in available() else []
    few = few_queries(searched, MOST)
    (result,) = clock(few, settings, K, (PRECISION,), rivals=rivals, progress=progress)
    return result


def in_words(result: Clock) -> str:
    """How long a query took with each, and what is to know of it."""
    told = [f"{row.label} {duration(row.took[WAY].seconds)}{_reached(result, row.precision)}"
            for row in result.rows if row.key != "product"]  # fmt: skip
    seconds = {row.key: row.took[WAY].seconds for row in result.rows}
    ratio = seconds["pca-tree"] / seconds["product-quantization"]
    than = f"{times(ratio)} as fast as PCA-tree" if ratio >= 1 else (
        f"{times(1 / ratio)} as long as PCA-tree takes")  # fmt: skip
    sentences = [
        f"By the clock, at precision@{result.K} of {result.target:g}, a query took on one thread: "
        f"{', '.join(told)}. Product quantization: {than}.",
        "The machine was busy: times are too long." if result.waiting > BUSY else "",
        "" if OUTSIDE in seconds else
        f"{RIVALS[OUTSIDE].label} is not installed: {RIVALS[OUTSIDE].pip} adds its time.",
    ]  # fmt: skip
    return " ".join(filter(None, sentences))


def _reached(result: Clock, precision: float) -> str:
    return "" if precision >= result.target - MARGIN else f" (at {precision:.2f} only)"
