"""The benchmark measures every piece and sets it against its floor."""

import pytest

from benchmarks.__main__ import measure, methods, pieces
from benchmarks.reference import at
from mips_core.queries import QueryRecipe, with_queries
from tests.pages.conftest import small_dataset


@pytest.mark.parametrize("make", [pieces, methods])
def test_every_piece_is_measured_beside_its_floor(make):
    dataset = with_queries(small_dataset(), QueryRecipe(count=20))
    works = make(dataset)
    rows = measure(works, rounds=1)
    assert [row["work"] for row in rows] == [name for name, _, _ in works]
    names = {row["work"] for row in rows}
    for row in rows:
        assert row["cpu_s"] >= 0
        assert row["wall_s"] > 0
        assert (row["to"] in names) == (row["ratio"] is not None)


def test_a_frontier_is_read_in_log_speedup():
    points = [(1, 1.0), (4, 0.8), (16, 0.6), (3, 0.5)]  # the last is beaten
    assert at(points, 8) == pytest.approx(0.7)
    assert at(points, 16) == pytest.approx(0.6)
    assert at(points, 17) is None
    assert at(points, 0.5) == 1.0
