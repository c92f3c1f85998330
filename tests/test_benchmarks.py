"""The benchmark measures every piece and sets it against its floor."""

import numpy as np
import pytest

from benchmarks.__main__ import measure, methods, pieces
from benchmarks.reader_formats import FORMATS
from benchmarks.readers import D, call_of, table, vectors
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


@pytest.mark.parametrize("form", FORMATS, ids=lambda form: form.name)
def test_what_is_timed_is_read_right(tmp_path, form):
    X, path = vectors(60), tmp_path / form.file
    form.write(path, X)
    ours = call_of(form, ours=True)(path)
    if form.load is not None:
        assert len(form.load(path))
    if form.ratings:
        assert 0 < ours.n_ratings <= X.size
    else:
        assert ours.items.shape == (60, D)
        due = np.where(X > 1, X, 0) if form.name == "SciPy sparse" else X
        np.testing.assert_allclose(ours.items, due, rtol=1e-4, atol=1e-5)


def test_readers_are_measured_beside_library_calls():
    library, ours = table(rows=300, rounds=1, names=["npy"])
    assert (library["work"], library["to"]) == ("npy: numpy.load", None)
    assert (ours["work"], ours["to"]) == ("npy", "npy: numpy.load")
    assert ours["ratio"] > 0
    for line in (library, ours):
        assert line["wall_s"] > 0
        assert line["mb_s"] > 0
        assert line["peak"] >= 0
