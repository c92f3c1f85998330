"""What the Search page shows under its slider of efforts."""

import time
from io import BytesIO

import pandas as pd
import pytest

from pages._ui.parts import result_table
from pages._ui.parts.question import question as query
from pages._ui.search import answers, work
from pages._ui.work import jobs, measurement
from tests.pages._ui.parts.question.question_page import SUM, true_rows
from tests.pages.conftest import session_of, texts
from tests.pages.search_page import opened, search, tables, told


def slider(at):
    """Where the slider of efforts stands, and its last effort."""
    said = told(at)
    return said["efforts"][said["at"]], said["efforts"][-1]


def move(at, effort):
    """Move it, as the browser would."""
    serial = time.monotonic()
    at.session_state["search answers"] = {"choice": {"value": effort, "serial": serial}}
    return at.run()


def test_effort_is_shared_and_changes_what_is_found():
    at = search(effort="2")
    true, _ = tables(at)
    assert slider(at) == (2, 20)
    late = [since.split()[0] for since in true["found from"]]
    assert [mark == "✓ found" for mark in true["answer"]] == [int(since) <= 2 for since in late]
    assert session_of(move(at, 20)).effort == 20
    assert at.query_params["effort"] == "20"
    true, _ = tables(at)
    assert set(true["answer"]) == {"✓ found"}
    assert told(at)["speedup"][told(at)["at"]] < told(at)["savesFrom"]


def test_a_move_to_what_is_no_effort_is_none():
    at = search(effort="2")
    for effort in (21, 0, "3", None, [3]):
        assert slider(move(at, effort)) == (2, 20)
    assert slider(move(at, 3)) == (3, 20)


def test_another_page_moves_the_slider_after_it_was_moved_here():
    at = move(search(effort="2"), 20)
    session_of(at).effort = 7
    assert slider(at.run()) == (7, 20)


def test_another_seed_may_leave_fewer_efforts():
    at = search(index=["flat-kmeans:n_clusters=300"], effort="300")
    before, _ = slider(at)
    for seed in range(1, 4):
        at.number_input(key="context seed 0").set_value(seed).run()  # its key stays
        assert jobs.wait(300)
        true, _ = tables(at.run())
        effort, most = slider(at)
        assert effort == most
        assert set(true["answer"]) == {"✓ found"}
    assert before != 300  # empty clusters were dropped


def test_a_build_under_way_is_shown_and_can_be_cancelled(monkeypatch):
    def slow(*inputs):
        while True:
            inputs[-1](0.3, "round 3 of at most 12")
            time.sleep(0.01)

    with monkeypatch.context() as patch:
        patch.setattr(measurement, "measure", slow)
        at = opened()
        deadline = time.monotonic() + 10
        while "cancel build" not in [b.key for b in at.button] and time.monotonic() < deadline:
            at.run()
        for job in jobs.of(session_of(at).owner):
            if job is not session_of(at).measurement_of(session_of(at).index).job:
                jobs.cancel(job)
        at.button(key="cancel build").click().run()
        assert jobs.wait(5)
        at.run()
        assert "cancelled" in texts(at)
        assert told(at) is None
    at.button(key="rebuild").click().run()
    assert jobs.wait(300)
    at.run()
    assert len(tables(at)[0]) == 10


def test_the_file_holds_what_the_tables_show():
    at = search(query=f"words {SUM}", effort="1")
    session = session_of(at)
    measured = session.measurement_of(session.index)
    question = query.question_of(session, query.picked(session))
    asked = work.ask(session, measured, question)
    table = pd.read_csv(BytesIO(result_table.csv(answers.columns_of(asked, asked.answered, 1))))
    said = told(at)
    assert table["true row"].tolist() == true_rows(at)
    assert table["found"].tolist() == said["found"][0].astype(bool).tolist()
    assert table["lost"].sum() == pytest.approx(said["loss"][0])
    assert table["why"].tolist() == said["why"]
