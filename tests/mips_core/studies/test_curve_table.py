"""Rows of points say what the JSON says."""

import pytest

from mips_core import compare
from mips_core.studies.curve_table import rows
from tests.mips_core.evaluation.random_data import METHODS, random_dataset


def test_rows_and_json_say_the_same():
    dataset = random_dataset(name="made", simulated=True)
    (curve,) = compare(METHODS[:1], dataset, ks=(1, 10))
    table, points = rows(dataset, [curve], 10), curve.as_dict()["points"]
    assert [row["precision@10"] for row in table] == [p["precision"]["10"] for p in points]
    assert [row["low_95"] for row in table] == [p["interval"]["10"][0] for p in points]
    assert all(sum(p["cost"].values()) == pytest.approx(p["mean_cost"]) for p in points)
    assert {type(value) for row in table for value in row.values()} <= {str, int, float, bool}
    assert curve.as_dict()["index"]["reduction.U"] == 0.75
    assert {(row["data"], row["simulated"]) for row in table} == {("made", True)}
