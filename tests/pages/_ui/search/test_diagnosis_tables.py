"""What all queries miss as tables and files."""

import json

import pytest

from mips_core import Dataset
from mips_core.studies.misses import query_rows
from pages._ui.parts import result_table
from tests.pages._ui.search.all_queries_page import assert_told, expected, search, table
from tests.pages.conftest import session_of, small_dataset, texts


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
    _, told, below = texts(at).partition("true answers are missed")
    assert told
    assert "script" not in below


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
