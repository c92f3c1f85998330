"""Curves: the frontier, and rows that say what the JSON says."""

import pytest

from mips_core import compare, frontier
from mips_core.evaluation.curve import rows
from tests.mips_core.evaluation.random_data import METHODS, random_dataset


def test_the_frontier_is_what_nothing_beats():
    curves = compare(METHODS, random_dataset(), ks=(10,))
    kept = [
        (curves[p.curve].speedup[p.at], curves[p.curve].precision(10)[p.at])
        for p in frontier(curves, 10)
    ]
    everything = [(s, v) for c in curves for s, v in zip(c.speedup, c.precision(10), strict=True)]
    beaten = {
        (s, v)
        for s, v in everything
        for t, w in everything
        if t >= s and w >= v and (t, w) != (s, v)
    }
    assert set(kept) == set(everything) - beaten
    assert kept == sorted(kept)


def test_rows_and_json_say_the_same():
    dataset = random_dataset(name="made", simulated=True)
    (curve,) = compare(METHODS[:1], dataset, ks=(1, 10))
    table, points = rows(dataset, [curve], 10), curve.as_dict()["points"]
    assert [row["precision@10"] for row in table] == [p["precision"]["10"] for p in points]
    assert [row["low_95"] for row in table] == [p["interval"]["10"][0] for p in points]
    assert all(sum(p["cost"].values()) == pytest.approx(p["mean_cost"]) for p in points)
    assert curve.as_dict()["index"]["reduction.U"] == 0.75
    assert {(row["data"], row["simulated"]) for row in table} == {("made", True)}
