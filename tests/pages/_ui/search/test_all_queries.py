"""All queries on the Search page: the numbers of the core, at every effort."""

import numpy as np

from mips_core import Dataset
from mips_core.studies.misses import group_rows, query_rows
from pages._ui.search import work
from pages._ui.work import jobs, measurement
from tests.pages._ui.search.all_queries_page import assert_told, search, table
from tests.pages.conftest import session_of, texts


def test_the_page_tells_what_the_core_does_and_follows_the_effort():
    at = search(effort="2")
    found = assert_told(at)
    rows, groups = query_rows(found, session_of(at).dataset), group_rows(found)
    shown, lost = table(at, "best missed"), table(at, "of all misses")
    assert shown["query"].tolist() == [row["query"] for row in rows]
    assert shown["found"].tolist() == [f"{row['found']} of 10" for row in rows]
    assert shown["row"].tolist() == [row["best_missed_row"] for row in rows]
    assert shown["label"].tolist() == [row["best_missed_label"] for row in rows]
    assert lost["number"].tolist() == [row["number"] for row in groups]
    assert lost["misses"].sum() == found.misses
    assert lost["median rank"].tolist() == [row["median_rank"] for row in groups]
    keys = [e.proto.id.split("-", 2)[2] for e in at.get("bidi_component")]
    pictures = {"diagnosis norm", "diagnosis popularity", "diagnosis query norm"}
    assert {*pictures, "diagnosis effort"} <= set(keys)
    session_of(at).effort = 7
    assert assert_told(at.run()).effort == 7
    session_of(at).effort = 10**6
    assert assert_told(at.run()).misses == 0
    assert not any("best missed" in e.value for e in at.dataframe)


def test_more_work_than_a_moment_is_a_job(monkeypatch):
    monkeypatch.setattr(work, "QUICK_ANSWERS", 0)
    at = search(effort="2")
    assert jobs.wait(300)
    assert_told(at.run())
    session_of(at).effort = 5
    at.run()
    assert jobs.wait(300)
    assert assert_told(at.run()).effort == 5


def test_before_the_index_was_asked_nothing_is_told(monkeypatch):
    def stopped(*inputs):
        raise MemoryError

    monkeypatch.setattr(measurement, "measure", stopped)
    at = search()
    assert "What all queries miss is not known" in texts(at)


def test_one_item_has_nothing_to_miss(use):
    use(Dataset(np.array([[1, 2]], np.float32), name="one"))
    at = search()
    assert assert_told(at).misses == 0
