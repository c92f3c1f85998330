"""All queries on the Search page: the numbers of the core, at every effort and for every index."""

import json

import numpy as np
import pytest

from mips_core import Dataset, diagnose
from mips_core.studies.misses.diagnosis import group_rows, query_rows
from pages._ui.parts import result_table
from pages._ui.search import diagnosis_work
from pages._ui.text.widgets import plain
from pages._ui.work import jobs, measurement
from tests.pages.conftest import small_dataset
from tests.pages.test_pages import session_of, texts
from tests.pages.test_search import opened


def search(**address):
    """The same once everything is there."""
    at = opened(**address)
    assert jobs.wait(60)
    return at.run()


def table(at, column):
    """The table with this column."""
    return next(e.value for e in at.dataframe if column in e.value)


def expected(at):
    """The diagnosis, made anew."""
    chosen = session_of(at)
    asked = chosen.measurement_of(chosen.index)
    searcher = asked.index.searcher(asked.built.structure)
    effort = diagnosis_work.effort_of(chosen, asked)
    return diagnose(asked.evaluation, searcher, chosen.dataset, chosen.K, effort)


def assert_told(at):
    assert not at.exception
    found = expected(at)
    said = texts(at)
    assert plain(found.summary()) in said
    for sentence in found.sentences():
        assert plain(sentence) in said
    return found


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


@pytest.mark.parametrize("key", ["exact", "hierarchical-kmeans", "ip-tree", "srp-hash"])
def test_indexes_of_every_kind_are_diagnosed(key):
    at = search(index=[key], effort="2")
    found = assert_told(at)
    if found.misses:
        assert len(table(at, "best missed")) == len(found.queries.worst)
    assert ("median rank" in str([list(e.value) for e in at.dataframe])) == (
        found.groups.ranked and found.misses > 0
    )


def test_the_query_shown_above_is_marked():
    queries = table(search(effort="2"), "best missed")["query"].tolist()
    at = search(effort="2", query=f"query {queries[1]}")
    assert at.session_state["diagnosis queries"]["selection"]["rows"] == [1]


def test_files_hold_all_that_is_known(monkeypatch):
    made = {}
    monkeypatch.setattr(
        result_table, "_button", lambda label, make, *about: made.update({label: make()})
    )
    at = search(effort="2")
    found = expected(at)
    told = json.loads(made["All (JSON)"])
    assert (told["effort"], told["misses"], told["queries_measured"]) == (2, found.misses, 400)
    assert told["queries"] == query_rows(found, session_of(at).dataset)
    assert made["Queries (CSV)"].decode().count("\n") == len(told["queries"]) + 1
    assert made["Clusters (CSV)"].decode().splitlines()[0].startswith("cluster,number,items,")


def test_hostile_labels_stay_text(use):
    label = "<script>alert(1)</script> **x** [a](javascript:b) $y$ \udcff"
    raw = small_dataset()
    use(Dataset(raw.items, labels=[label] * 400, name="hostile"))
    at = search(effort="2")
    shown = table(at, "best missed")
    assert set(shown["label"]) == {label.replace("\udcff", "?")}
    assert "script" not in texts(at).partition("All queries")[2]


@pytest.mark.parametrize("metric", ["cosine", "euclidean"])
def test_other_metrics_are_told_in_their_words(metric):
    at = search(metric=metric, effort="2")
    found = assert_told(at)
    assert (found.by_norm is None) == (metric == "cosine")
    assert ("The norm of the item is the same for all." in texts(at).replace("\\", "")) == (
        metric == "cosine"
    )
    column = "Cosine" if metric == "cosine" else "Euclidean distance"
    assert table(at, "best missed")[column].notna().all()


def test_more_work_than_a_moment_is_a_job(monkeypatch):
    monkeypatch.setattr(diagnosis_work, "QUICK_ANSWERS", 0)
    at = search(effort="2")
    assert jobs.wait(60)
    assert_told(at.run())
    session_of(at).effort = 5
    at.run()
    assert jobs.wait(60)
    assert assert_told(at.run()).effort == 5


def test_before_the_index_was_asked_nothing_is_told(monkeypatch):
    def stopped(*inputs):
        raise MemoryError

    monkeypatch.setattr(measurement, "measure", stopped)
    at = opened()
    assert jobs.wait(60)
    at.run()
    assert "What all queries miss is not known" in texts(at)


def test_one_item_has_nothing_to_miss(use):
    use(Dataset(np.array([[1, 2]], np.float32), name="one"))
    at = search()
    assert assert_told(at).misses == 0
