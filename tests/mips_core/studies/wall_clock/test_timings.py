"""Timings as plain values and as a table."""

import json

import pytest

from mips_core.studies.wall_clock import WAYS
from tests.mips_core.studies.wall_clock.clock_cases import EXACT, OURS, timed_run


def test_figures_can_be_taken_away():
    run = timed_run(EXACT, OURS)
    values = json.loads(json.dumps(run.as_dict()))
    assert values["rows"][1]["speedup_by_clock"] == dict.fromkeys(WAYS, pytest.approx(9))
    assert values["rows"][1]["took"]["batch"]["seconds"] == 1e-4
    assert (values["n"], values["interval"]) == (1000, "95%, over queries")
    table = run.table()
    assert [(row["search"], row["asked"]) for row in table] == [
        (label, way) for label in ("Exact search", "Flat k-means") for way in WAYS
    ]
    assert table[-1]["speedup_by_clock"] == pytest.approx(9)
    assert table[-1]["precision@10"] == 0.9
