"""A map's coordinates and clusters as files: round trips, hostile text, what is not told."""

import csv
import io
from dataclasses import replace

import numpy as np
import pyarrow.parquet
import pytest
from hypothesis import given
from hypothesis import strategies as st

from mips_core.data.labels import in_cell
from mips_core.groups.clusters import GroupLevel
from mips_core.studies import map_table
from mips_core.studies.map_table import (
    MappedItems,
    SearchMarks,
    columns_of,
    level_names,
    marks_of,
    write_csv,
    write_parquet,
)
from mips_core.studies.misses import FollowedSearch

HOSTILE = ['=HYPERLINK("http://a.b")', "+1", "@x", "-2", "<b>,\n\r\n", "", "🐍 ñ", "\ud800", "\x00"]


def level(of, names, nouns=("cluster", "clusters"), parents=None):
    of = np.asarray(of, np.int32)
    k = len(names)
    sizes = np.bincount(of, minlength=k).astype(np.int32)
    central = np.array([np.flatnonzero(of == g)[0] if sizes[g] else -1 for g in range(k)], np.int32)
    colours = (np.arange(k) % 12).astype(np.uint8)
    return GroupLevel(f"{k} {nouns[1]}", nouns, of, sizes, names, central, colours, parents, None)


def mapped(labels=None, n=9, **known):
    rng = np.random.default_rng(0)
    coarse = level(np.arange(n) % 2, ["even", '"odd"'])
    fine = level(np.arange(n) % 4, list("abcd"), parents=np.array([0, 1, 0, 1], np.int32))
    xy = rng.normal(size=(n, 2)).astype(np.float32)
    return MappedItems("data", xy, rng.random(n), labels, (coarse, fine), **known)


def search(n=9):
    candidates = np.arange(n) < 5
    true = np.array([3, 7, 0], np.int32)
    return SearchMarks("q", (0.0, 0.0), -1, "2 probes", candidates, true, candidates[true])


def read_csv(items):
    file = io.BytesIO()
    write_csv(file, items)
    return list(csv.DictReader(io.StringIO(file.getvalue().decode(), newline="")))


def read_parquet(items):
    file = io.BytesIO()
    write_parquet(file, items)
    file.seek(0)
    return pyarrow.parquet.read_table(file)


def test_csv_and_parquet_give_back_what_is_told(monkeypatch):
    monkeypatch.setattr(map_table, "BLOCK", 4)  # so that blocks meet within the items
    counts = np.arange(9) * 3
    items = mapped(HOSTILE, answers=counts, missed=counts // 2, search=search())
    table, lines = read_parquet(items), read_csv(items)
    shown = [text.encode("utf-8", "replace").decode() for text in HOSTILE]
    assert table["row"].to_pylist() == list(range(9))
    assert table["label"].to_pylist() == shown
    assert [line["label"] for line in lines] == list(map(in_cell, shown))
    for j, axis in enumerate("xy"):
        assert np.array_equal(table[axis].to_numpy(), items.xy[:, j])
        assert np.array_equal(np.array([line[axis] for line in lines], np.float32), items.xy[:, j])
    assert np.array_equal(table["norm"].to_numpy(), items.norms)
    assert [float(line["norm"]) for line in lines] == items.norms.tolist()
    assert table["level_1_cluster_name"].to_pylist() == ["even", '"odd"'] * 4 + ["even"]
    assert table["level_2_cluster"].to_pylist() == items.levels[1].of.tolist()
    assert [int(line["level_2_cluster"]) for line in lines] == items.levels[1].of.tolist()
    assert table["times_answer"].to_pylist() == counts.tolist()
    assert table["times_missed"].to_pylist() == (counts // 2).tolist()
    assert table["candidate"].to_pylist() == [True] * 5 + [False] * 4
    assert table["true_rank"].to_pylist() == [3, None, None, 1, None, None, None, 2, None]
    answers = ["found", None, None, "found", None, None, None, "missed", None]
    assert table["answer"].to_pylist() == answers
    assert [line["answer"] or None for line in lines] == answers
    plain = columns_of(items)
    assert plain == table.to_pydict()


def test_text_is_quoted_and_no_formula_of_a_spreadsheet():
    items = mapped(["=1+1", *"bcdefghi"])
    file = io.BytesIO()
    write_csv(file, items)
    first = file.getvalue().decode().splitlines()[1]
    assert first.startswith("""0,"'=1+1",""")
    assert first.endswith('"a"')
    assert read_parquet(items)["label"][0].as_py() == columns_of(items)["label"][0] == "=1+1"


def test_what_is_not_told_has_no_column():
    assert list(columns_of(mapped())) == [
        *("row", "x", "y", "norm", "level_1_cluster", "level_1_cluster_name"),
        *("level_2_cluster", "level_2_cluster_name"),
    ]
    alone = replace(mapped(), levels=mapped().levels[:1])
    assert list(columns_of(alone))[-2:] == ["cluster", "cluster_name"]
    assert list(columns_of(replace(mapped(), levels=()))) == ["row", "x", "y", "norm"]
    nouns = ("joined bucket", "joined buckets")
    assert level_names([level([0], ["a"], nouns=nouns)]) == ["joined_bucket"]


@given(st.lists(st.text(), min_size=1, max_size=12))
def test_any_labels_come_back(labels):
    items = mapped(labels, n=len(labels))
    shown = [text.encode("utf-8", "replace").decode() for text in labels]
    assert read_parquet(items)["label"].to_pylist() == shown
    lines = read_csv(items)
    assert [line["label"] for line in lines] == list(map(in_cell, shown))


def test_paths_are_written_and_say_what_hinders(tmp_path):
    for write in (write_csv, write_parquet):
        write(tmp_path / "map", mapped())
        assert (tmp_path / "map").stat().st_size > 100
        with pytest.raises(OSError, match="nowhere"):
            write(tmp_path / "nowhere/map", mapped())


@given(st.integers(1, 12), st.integers(1, 6), st.data())
def test_the_marks_of_a_search_are_what_it_lists_at_that_effort(n, p, data):
    listed = np.array(data.draw(st.lists(st.booleans(), min_size=n * p, max_size=n * p)))
    listed = listed.reshape(p, n)
    ever = listed.any(axis=0)
    opened = np.where(ever, listed.argmax(axis=0), p).astype(np.int32)
    lost = [np.flatnonzero((opened <= i) & ~listed[i]) for i in range(p)]
    true = np.array(sorted({0, n - 1}), np.int32)
    followed = FollowedSearch(
        opened, np.cumsum([0, *map(len, lost)]).astype(np.int32),
        np.concatenate(lost).astype(np.int32), {}, listed[:, true].astype(np.uint8),
        np.arange(1, p + 1, dtype=np.int32), listed.sum(axis=1).astype(np.int32), true,
        np.empty(0, np.int32), np.empty(0, np.int32), [""] * len(true),
    )  # fmt: skip
    for i in range(p):
        marks = marks_of(followed, i, name="q", place=(0.0, 0.0), effort=f"{i}")
        assert np.array_equal(marks.candidates, listed[i])
        assert np.array_equal(marks.found, listed[i][true])
    assert np.array_equal(followed.opened, opened)
