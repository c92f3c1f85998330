"""Curves as plain values: what they were measured on, and their points as a table."""

from collections.abc import Callable, Iterable, Sequence
from typing import Any

import numpy as np

from mips_core.data.dataset import Dataset
from mips_core.evaluation.curve import Curve
from mips_core.evaluation.setting import index_in_words


def report(dataset: Dataset, curves: Sequence[Curve]) -> dict[str, Any]:
    """Curves and what they were measured on, as plain values for JSON."""
    return {
        "dataset": dataset.as_dict() | {"m": curves[0].m, "notes": list(dataset.notes)},
        "answers": {
            str(K): min(K, dataset.available)
            for K in sorted({K for curve in curves for K in curve.histograms})
        },
        "interval": "95%, over all queries",
        "curves": [curve.as_dict() for curve in curves],
    }


def columns(dataset: Dataset, curves: Iterable[Curve], K: int) -> dict[str, Any]:
    """Every point on `dataset` measured at K, as columns (p,) by name for tables and CSV."""
    measured = [curve for curve in curves if K in curve.histograms]
    points = [len(curve.efforts) for curve in measured]
    name = dataset.name.encode("utf-8", "replace").decode()  # a file's may hold what has no UTF-8

    def of_curve(value: Callable[[Curve], Any]) -> Any:
        of_each = np.array([value(curve) for curve in measured])
        return np.repeat(of_each.astype(object) if of_each.dtype.kind == "U" else of_each, points)

    def of_point(values: Callable[[Curve], Any]) -> Any:
        return np.concatenate([values(curve) for curve in measured])

    return {
        "method": of_curve(lambda curve: curve.index.label),
        "setting": of_curve(lambda curve: index_in_words(curve.index, curve.n)),
        "seed": of_curve(lambda curve: curve.seed),
        "effort": of_point(lambda curve: curve.efforts),
        "effort_counts": of_curve(lambda curve: curve.index.effort_nouns[1]),
        "speedup": of_point(lambda curve: curve.speedup),
        "inner_products": of_point(lambda curve: curve.mean_cost),
        f"precision@{K}": of_point(lambda curve: curve.precision(K)),
        "low_95": of_point(lambda curve: curve.interval(K)[:, 0]),
        "high_95": of_point(lambda curve: curve.interval(K)[:, 1]),
        "missed_all": of_point(lambda curve: curve.missed_all(K)),
        "queries": of_curve(lambda curve: curve.m),
        "data": of_curve(lambda _: name),
        "metric": of_curve(lambda _: dataset.metric),
        "simulated": of_curve(lambda _: dataset.simulated),
    }
