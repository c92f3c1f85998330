"""Rows and reports of what was measured."""

import json

from mips_core.studies.drift import as_dict, rows
from tests.mips_core.studies.drift.drift_cases import data


def test_tables_and_reports_hold_what_was_measured(measured):
    table = rows(data(), measured.setting, measured.points)
    assert len(table) == 3 * len(measured.points)
    last = table[-1]
    assert (last["way"], last["share"], last["precision@5"]) == (
        *("rebuilt", 1.0),
        measured.points[-1].precision("rebuilt"),
    )
    assert last["points_behind"] is None
    assert table[0]["simulated_change"]
    report = json.loads(json.dumps(as_dict(data(), measured.setting, measured.points)))
    assert report["rows"] == table
    assert report["index"]["n_clusters"] == 8
