"""Curves as plain values: what they were measured on, and a row for each of their points."""

from collections.abc import Iterable, Sequence
from typing import Any

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


def rows(dataset: Dataset, curves: Iterable[Curve], K: int) -> list[dict[str, Any]]:
    """Every point on `dataset` measured at K, as a flat row for tables and CSV."""
    return [
        {
            "method": curve.index.label,
            "setting": index_in_words(curve.index, curve.n),
            "seed": curve.seed,
            "effort": effort,
            "effort_counts": curve.index.effort_nouns[1],
            "speedup": speedup,
            "inner_products": cost,
            f"precision@{K}": precision,
            "low_95": low,
            "high_95": high,
            "missed_all": missed,
            "queries": curve.m,
            "data": dataset.name,
            "metric": dataset.metric,
            "simulated": dataset.simulated,
        }
        for curve in curves
        if K in curve.histograms
        for effort, speedup, cost, precision, (low, high), missed in zip(
            curve.efforts.tolist(),
            curve.speedup.tolist(),
            curve.mean_cost.tolist(),
            curve.precision(K).tolist(),
            curve.interval(K).tolist(),
            curve.missed_all(K).tolist(),
            strict=True,
        )
    ]
