"""The clock: searches timed at the same precision, as drawn."""

import pytest

from mips_core.studies.wall_clock import in_words
from pages._ui.compare.clock_work import precisions_of, timing_of, tried_of
from tests.pages.compare_page import FEW, rows_of_clock, timed
from tests.pages.conftest import session_of, texts


def test_searches_are_timed_at_the_same_precision_beside_the_ledger(app, monkeypatch):
    monkeypatch.setattr("pages._ui.compare.clock_work.available", list)
    monkeypatch.setattr("mips_core.studies.wall_clock.run.available", list)
    at = app("compare.py", settle=False, **FEW)
    assert timing_of(session_of(at)).job is None  # nothing runs before the button is pressed
    at = timed(at)
    clocks = timing_of(session_of(at)).result
    assert [one.target for one in clocks] == [0.9, 0.5, 0.7, 0.8, 0.95, 0.99]  # what is seen first
    clock = clocks[0]
    assert f"At a precision of 0.9: {in_words(clock)}" in texts(at)
    table = rows_of_clock(at)
    assert set(table.index) == {"PCA-tree", "Largest norms", "Exact search", "Matrix product"}
    assert table["by inner products"]["Exact search"] == 1
    for row in clock.rows:
        assert table["µs a query"][row.label] == pytest.approx(1e6 * row.took["one by one"].seconds)
    assert table["by the clock"][["Exact search", "Matrix product"]].max() == pytest.approx(1)
    assert "processors, all threads are" in texts(at)
    assert "1× by the clock is the quicker of two exact searches" in texts(at)
    assert table["queries a second, 1 thread"].dtype == int  # no digits that were not measured
    assert all(asked.evaluation for asked in tried_of(session_of(at)))  # for other pages


def test_another_precision_is_timed_already_and_lasts(app, monkeypatch):
    monkeypatch.setattr("pages._ui.compare.clock_work.available", list)
    monkeypatch.setattr("mips_core.studies.wall_clock.run.available", list)
    at = timed(app("compare.py", settle=False, **FEW))
    known = timing_of(session_of(at)).result
    at.segmented_control(key="clock precision 0.9").set_value(0.5).run()
    assert not at.exception
    assert session_of(at).states["compare"].precision == 0.5
    assert at.query_params["compare"].endswith("precision=0.5,view=clock")
    assert timing_of(session_of(at)).result is known
    (half,) = (one for one in known if one.target == 0.5)
    assert f"At a precision of 0.5: {in_words(half)}" in texts(at)
    assert set(rows_of_clock(at)["setting"]) == {row.setting for row in half.rows}


def test_the_precision_of_a_link_is_timed_beside_the_grid(app):
    few = FEW | {"compare": f"{FEW['compare']},precision=0.85"}
    at = app("compare.py", settle=False, **few)
    grid = [0.5, 0.7, 0.8, 0.85, 0.9, 0.95, 0.99]
    assert precisions_of(session_of(at)) == grid
