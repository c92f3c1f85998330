"""What first pages show of the shipped data before it is measured here: curves that ship with it.

`data/measure_curves.py` made them with the same code, and a test holds them equal to a new
measurement. They can be read off at one K alone: only counts are stored.
"""

import json
from functools import cache
from typing import Any

import numpy as np

from mips_core import Evaluation
from mips_core.data.catalog import DATA
from mips_core.evaluation.truth import Truth
from pages._ui.work.measurement import Measurement

FILE = DATA / "glove-6b-50d-20k.curves.npz"


def of(measurement: Measurement) -> Evaluation | None:
    """The stored evaluation of exactly these inputs, if there is one."""
    about, by_name = _read()
    if measurement.opened or about.get("K") != measurement.K:
        return None
    dataset = measurement.dataset
    named = [dataset.fingerprint, dataset.query_fingerprint, measurement.seed]
    stored = by_name.get(repr(measurement.index)) if named == about["of"] else None
    return stored and _evaluation(measurement, about, stored)


def _evaluation(measurement: Measurement, about: dict[str, Any], stored: Any) -> Evaluation:
    n, m, K = measurement.dataset.n, about["m"], about["K"]
    nothing = np.empty((m, 0))
    truth = Truth(nothing, nothing.astype(np.int64), nothing, np.zeros(m), n, n, 0)
    efforts, hits, tied, costs = stored
    return Evaluation(
        measurement.index,
        measurement.seed,
        truth,
        efforts,
        ranks=None,
        found=None,
        costs=costs,
        K=K,
        read_off={("counted", K): (hits, tied)},
    )


@cache
def _read() -> tuple[dict[str, Any], dict[str, Any]]:
    """What the curves are of, and by the repr of an index: efforts, hits, tied hits, costs."""
    if not FILE.is_file():
        return {}, {}
    with np.load(FILE, allow_pickle=False) as stored:
        arrays = {name: stored[name] for name in stored.files}
    about = json.loads(arrays.pop("about").tobytes())
    by_name, at = {}, 0
    for entry in about["indexes"]:
        rows = slice(at, at := at + entry["efforts"])
        parts = enumerate(entry["costs"])
        by_name[entry["index"]] = (
            arrays["efforts"][rows].astype(np.int64),
            arrays["hits"][:, rows].astype(np.int64),
            arrays["tied"][:, rows].astype(np.int64),
            {part: arrays["costs"][number][:, rows] for number, part in parts},
        )
    return about, by_name
