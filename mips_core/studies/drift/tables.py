"""What was measured of changes, as flat rows for tables and CSV, and as plain values for JSON."""

from collections.abc import Sequence
from typing import Any

from mips_core.base.params import plain_values
from mips_core.data.dataset import Dataset
from mips_core.evaluation.setting import Setting, index_in_words
from mips_core.studies.drift.advice import TOLERANCE, verdict
from mips_core.studies.drift.upkeep import WAYS, Fresh, Way


def rows(
    dataset: Dataset, setting: Setting, points: Sequence[Fresh], tolerance: float = TOLERANCE
) -> list[dict[str, Any]]:
    """A row for each point and way; `dataset` is the one before the change."""
    return [_row(dataset, setting, point, way, tolerance) for point in points for way in WAYS]


def _row(
    dataset: Dataset, setting: Setting, point: Fresh, way: Way, tolerance: float
) -> dict[str, Any]:
    low, high = point.interval(way)
    behind = None if way == "rebuilt" else point.behind(way)
    return {
        "size_rms": point.size,
        "share": point.share,
        "changed": point.changed,
        "removed": point.removed,
        "way": way,
        f"precision@{point.K}": point.precision(way),
        "low_95": low,
        "high_95": high,
        "points_behind": None if behind is None else 100 * behind.mean,
        "behind_low_95": None if behind is None else 100 * behind.low,
        "behind_high_95": None if behind is None else 100 * behind.high,
        "verdict": None if behind is None else verdict(point, way, tolerance),
        "speedup": point.speedup(way),
        "inner_products_to_keep_up": point.spent(way),
        "seconds": point.seconds(way),
        "longer": point.longer,
        "items": point.n,
        "queries": point.m,
        "builds": len(point.ways[way]),
        "method": setting.index.label,
        "setting": index_in_words(setting.index, dataset.n),
        "effort": max(one.effort for one in point.ways[way]),
        "data": dataset.name,
        "metric": dataset.metric,
        "simulated_data": dataset.simulated,
        "simulated_change": point.size is not None,
    }


def as_dict(
    dataset: Dataset, setting: Setting, points: Sequence[Fresh], tolerance: float = TOLERANCE
) -> dict[str, Any]:
    """The same for JSON, with the data and the setting."""
    return {
        "dataset": dataset.as_dict(),
        "index": {"key": setting.index.key, **plain_values(setting.index)},
        "seed": setting.seed,
        "effort": setting.effort,
        "interval": "95%, over queries; of points_behind paired over queries and builds",
        "tolerance": tolerance,
        "rows": rows(dataset, setting, points, tolerance),
    }
