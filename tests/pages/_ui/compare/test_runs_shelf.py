"""The runs a visitor keeps."""

import io
from dataclasses import replace

import pytest

from mips_core.studies.runs import read_runs
from mips_core.studies.runs.files import written
from pages._ui.compare import runs_shelf
from pages._ui.work import results
from tests.pages.conftest import session_of, texts
from tests.pages.runs_page import (
    forget,
    keep,
    labelled,
    names,
    new_session,
    section,
    settled,
    table,
)


def test_kept_runs_are_there_in_a_new_session():
    at = keep(keep(section()), 2)
    before, address = table(at), dict(at.query_params)
    again = new_session(**address)
    assert session_of(again).owner != session_of(at).owner
    assert table(again).equals(before)
    again.button(key="runs delete").click().run()
    assert len(names(again)) == 1
    assert len(names(at.run())) == 2  # what is changed there is changed there alone


def test_a_run_that_is_deleted_can_come_back():
    at = keep(keep(section(), 0, "one"), 2, "two")
    before = table(at)
    labelled(at.selectbox, "Run to change").select_index(0).run()
    at.button(key="runs delete").click().run()
    assert names(at) == ["two"]
    assert "“one” was deleted; 1 run is kept" in texts(at)
    at.button(key="runs undo").click().run()
    assert names(at) == ["one", "two"]
    assert sorted(table(at)["name"]) == sorted(before["name"])


def test_a_full_shelf_and_a_full_picture_are_said(monkeypatch):
    monkeypatch.setattr(runs_shelf, "MAX_RUNS", 3)
    monkeypatch.setattr(runs_shelf, "MAX_RUNS_TOGETHER", 2)
    at = section()
    for _ in range(3):
        keep(at)
    assert len(names(at)) == 3
    assert len(runs_shelf.shown(session_of(at))) == 2
    assert "runs are kept, as many as can be" in texts(at)
    assert not [b for b in at.button if b.key == "runs keep"]


def test_what_is_kept_already_is_not_kept_again():
    at = keep(keep(section()), 2)
    session = session_of(at)
    runs = runs_shelf.runs_of(session)
    assert runs_shelf.keep(session, read_runs(io.BytesIO(written(runs)))) == []  # kept already
    added = runs_shelf.keep(session, [replace(run, note="another") for run in runs])
    assert [run.name for run in added] == [f"{run.name} (2)" for run in runs]


def test_a_kept_run_has_the_numbers_of_what_was_measured():
    at = keep(section())
    session = session_of(at)
    (run,) = runs_shelf.runs_of(session)
    asked = session.measurement_of(session.index)
    assert (run.index, run.seed, run.ks) == (session.index, 0, (1, 10, 100))
    assert run.name == f"Flat k-means, {session.index.n_clusters} clusters"
    assert (run.seconds, run.bytes) == (asked.result.seconds, asked.result.bytes)
    curve = asked.evaluation.curve((10,))
    assert run.curve.precision(10).tolist() == curve.precision(10).tolist()
    assert (run.data.source, run.data.queries) == (session.data, session.recipe)
    assert "Choose two runs or more" in texts(at)


@pytest.mark.parametrize(
    "asked", [{}, {"metric": "euclidean", "queries": "noisy 50 0.5 yes", "seed": "3"}]
)
def test_a_link_measures_what_is_not_kept_on_this_server(asked):
    at = keep(keep(section(**asked), 0), 3, "<b>four</b>")
    before, address = table(at), dict(at.query_params)
    forget()
    results.forget_all()
    again = settled(new_session(**address))
    assert "is not here any more" in texts(again)
    assert sorted(names(again)) == sorted(before["name"])
    numbers = [column for column in before if column != "seconds to build"]
    assert table(again)[numbers].equals(before[numbers])
    again.button(key="runs give up").click().run()
    assert "is not here any more" not in texts(again)
    assert len(names(again)) == 2
