"""The table of points says what the JSON says."""

import pytest

from mips_core import compare
from mips_core.studies.curve_table import columns
from tests.mips_core.evaluation.random_data import METHODS, random_dataset


def test_table_and_json_say_the_same():
    dataset = random_dataset(name="made", simulated=True)
    (curve,) = compare(METHODS[:1], dataset, ks=(1, 10))
    table, points = columns(dataset, [curve], 10), curve.as_dict()["points"]
    assert table["precision@10"].tolist() == [p["precision"]["10"] for p in points]
    assert table["low_95"].tolist() == [p["interval"]["10"][0] for p in points]
    assert all(sum(p["cost"].values()) == pytest.approx(p["mean_cost"]) for p in points)
    assert {len(column) for column in table.values()} == {len(points)}
    kinds = {type(value) for column in table.values() for value in column.tolist()}
    assert kinds <= {str, int, float, bool}
    assert curve.as_dict()["index"]["reduction.U"] == 0.75
    assert set(table["data"]) == {"made"}
    assert set(table["simulated"]) == {True}
