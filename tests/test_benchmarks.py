"""The benchmark measures every piece, in turns, and holds it against its targets."""

import json
from contextlib import contextmanager
from functools import partial

import numpy as np
import pytest
from click.testing import CliRunner

from benchmarks import __main__ as run
from benchmarks import machine, peers, sets
from benchmarks.ladders import Ladder, best_of
from benchmarks.memory import peak_of
from benchmarks.pieces import curves, exact, kmeans, memory, methods, searches
from benchmarks.reader_formats import FORMATS
from benchmarks.readers import D, call_of, table, vectors
from benchmarks.reference import at
from benchmarks.results import write
from benchmarks.sets import Measurable
from benchmarks.tables import (
    BEGIN,
    END,
    Section,
    as_markdown,
    as_text,
    duration,
    markdown,
    number,
    put_into,
)
from benchmarks.works import (
    CLOCK_MILLISECONDS,
    MILLISECONDS,
    TIMES_FASTER,
    TIMES_THE_COST,
    Comparison,
    Target,
    Work,
    measure,
    told,
)
from mips_core.data.queries import QueryRecipe, with_queries
from mips_core.methods.exact import exact_top_k
from mips_core.methods.searcher import effort_ladder
from tests.pages.conftest import small_dataset
from tests.test_setup import requirements

PIECES = [exact, kmeans, curves, searches, memory, methods]


def measurable(skewed=False, m=24):
    data = with_queries(small_dataset(), QueryRecipe("noisy", count=m))
    return Measurable(data, recall=0.8, skewed=skewed)


@pytest.mark.parametrize("piece", PIECES, ids=lambda piece: piece.__name__.split(".")[-1])
@pytest.mark.parametrize("skewed", [False, True])
def test_every_work_is_measured_and_every_target_held_against_one(piece, skewed):
    for comparison in piece.comparisons(measurable(skewed), rounds=1):
        made = measure(comparison)
        names = [work.name for work in comparison.works]
        assert [row.work for row in made.rows] == names
        assert len(set(names)) == len(names)
        for row in made.rows:
            assert (row.cpu_s is None) == (row.wall_s is None) == (row.absent is not None)
            assert row.absent is not None or row.wall_s > 0
        for reached in made.reached:
            assert reached.absent is not None or reached.reached is not None
            assert {reached.work} <= set(names)
            assert reached.beside is None or reached.beside in names


@pytest.mark.parametrize("piece", [exact, kmeans, searches])
def test_absent_libraries_are_named_with_the_line_that_adds_them(piece, monkeypatch):
    monkeypatch.setattr(peers, "find_spec", lambda module: None)
    made = [measure(c) for c in piece.comparisons(measurable(), rounds=1)]
    absent = [row for each in made for row in each.rows if row.absent]
    assert absent
    assert {row.absent for row in absent} <= {peer.pip for peer in peers.PEERS}
    assert all(row.absent for row in absent)
    beside = [r for each in made for r in each.reached if r.beside and r.absent]
    assert beside
    assert all(reached.reached is None for reached in beside)
    page = markdown(REPORT, [Section("data", tuple(made))])
    assert f"not installed, {absent[0].absent}" in page


def test_the_libraries_measured_are_those_of_the_requirements():
    assert set(requirements("requirements-peers.txt")) == {p.distribution for p in peers.PEERS}


# How works take time


class Clocks:
    """Clocks that only works move: each by its own seconds a call."""

    def __init__(self, monkeypatch):
        self.now, self.log, self.threads = 0.0, [], []
        monkeypatch.setattr("benchmarks.works.perf_counter", lambda: 10 * self.now)
        monkeypatch.setattr("benchmarks.works.process_time", lambda: self.now)

    def work(self, name, seconds, **known):
        left = iter(seconds)

        def call():
            self.log.append(name)
            taken = next(left)
            self.now += taken
            return taken

        @contextmanager
        def limited(threads):
            self.threads.append(threads)
            yield

        return Work(name, call, limited=limited, **known)


def test_works_take_turns_and_the_first_round_is_not_counted(monkeypatch):
    clocks = Clocks(monkeypatch)
    works = [
        clocks.work("a", [99, 1, 5, 2], told=lambda last: {"last": last}),
        clocks.work("b", [99, 8, 4, 6], count=4, threads=2),
    ]
    a, b = measure(Comparison("two", works, rounds=3)).rows
    assert clocks.log == ["a", "b"] * 4
    assert clocks.threads == [1, 2] * 4
    assert (a.cpu_s, a.wall_s, a.rounds, a.told) == (2, 20, 3, {"last": 2})
    assert (b.cpu_s, b.wall_s, b.threads) == (1.5, 15, 2)


def test_without_warming_up_every_round_counts(monkeypatch):
    works = [Clocks(monkeypatch).work("a", [7])]
    (row,) = measure(Comparison("one", works, rounds=1, warm=False)).rows
    assert row.cpu_s == 7


@pytest.mark.parametrize(
    ("yardstick", "limit", "beside", "words", "reached", "ratio"),
    [
        (TIMES_THE_COST, 0.5, "b", "≤ 0.5 × b", 0.25, 2.0),
        (TIMES_FASTER, 5, "b", "≥ 5 × faster than b", 4.0, 0.8),
        (MILLISECONDS, 4000, None, "≤ 4000 ms", 2000, 2.0),
        (CLOCK_MILLISECONDS, 10000, None, "≤ 10000 ms by the clock", 20000, 0.5),
        (told("GB", "≤", "GB"), 1, None, "≤ 1 GB", 0.5, 2.0),
        (told("recall", "≥", "recall"), 0.5, None, "≥ 0.5 recall", None, None),
    ],
)
def test_targets_say_what_was_reached(monkeypatch, yardstick, limit, beside, words, reached, ratio):
    clocks = Clocks(monkeypatch)
    works = [clocks.work("a", [2], told=lambda last: {"GB": 0.5}), clocks.work("b", [8])]
    target = Target("t", "a", yardstick, limit, beside)
    (found,) = measure(Comparison("", works, [target], rounds=1, warm=False)).reached
    assert (found.limit, found.reached, found.ratio) == (words, reached, ratio)


def test_what_is_lost_of_the_cosine_may_be_nothing(monkeypatch):
    clocks = Clocks(monkeypatch)
    works = [
        clocks.work("a", [1], told=lambda last: {kmeans.COSINE: 0.9}),
        clocks.work("b", [1], told=lambda last: {kmeans.COSINE: 0.8}),
    ]
    target = Target("t", "a", kmeans.COSINE_LOST, 0.0015, "b")
    (found,) = measure(Comparison("", works, [target], rounds=1, warm=False)).reached
    assert found.reached == pytest.approx(-0.1)
    assert found.met
    assert found.ratio is None


def test_the_cosine_of_a_clustering_is_that_of_the_nearest_centroid():
    rng = np.random.default_rng(0)
    rows = rng.normal(size=(50, 4)).astype(np.float32)
    centroids = 3 * rng.normal(size=(7, 4)).astype(np.float32)

    def cosine(x, c):
        return x @ c / np.linalg.norm(x) / np.linalg.norm(c)

    due = np.mean([max(cosine(x, c) for c in centroids) for x in rows])
    assert kmeans.mean_cosine(rows, centroids) == pytest.approx(due, abs=1e-6)


def test_scikit_learn_is_asked_for_the_largest_inner_products():
    data = measurable().dataset
    if peers.SKLEARN.absent:
        pytest.skip(peers.SKLEARN.absent)
    found = peers.sklearn_brute(data.items, data.queries, 5)()
    assert (found == exact_top_k(data.items, data.queries, 5)).mean() > 0.99


# Searches at equal recall


class Scan:
    """Finds the answers among the first items, `effort` of a hundred."""

    def __init__(self, data, efforts, cost=0.0):
        self.data, self.efforts, self.cost, self.asked = data, efforts, cost, []

    def ask(self, Q, effort):
        self.asked.append(effort)
        X = self.data.dataset.items
        return exact_top_k(X[: len(X) * effort // 100], Q, sets.K)

    def ladder(self, name="scan"):
        return Ladder(self.efforts, self.ask, lambda effort: f"{name} {effort}", unlimited)


@contextmanager
def unlimited(threads):
    yield


@pytest.mark.parametrize("recall", [0.05, 0.5, 0.8, 1.0])
def test_the_least_effort_with_the_recall_is_found(recall):
    data = measurable()
    scan = Scan(data, range(5, 101, 5))
    chosen = data.judge.precision_to_choose
    due = next(e for e in scan.efforts if chosen(lambda Q, e=e: scan.ask(Q, e)) >= recall)
    scan.asked.clear()
    effort, reached = scan.ladder().first(data.judge, recall)
    assert effort == due
    assert reached >= recall
    assert len(scan.asked) < 8


def test_the_most_there_is_where_no_search_has_the_recall():
    data = measurable()
    low, high = (Scan(data, [5, top]).ladder(str(top)) for top in (20, 60))
    best = best_of([low, high, Scan(data, [10]).ladder("10")], data.judge, 1.0)
    assert best.batch.in_words == best.single.in_words == "60 60"
    assert best.batch.recall < 1


def test_the_quickest_search_with_the_recall_is_kept(monkeypatch):
    data, now = measurable(), [0.0]
    monkeypatch.setattr("benchmarks.ladders.process_time", lambda: now[0])

    def ladder(name, batch, single):
        scan = Scan(data, [100])

        def ask(Q, effort):
            now[0] += batch if len(Q) > 1 else single
            return scan.ask(Q, effort)

        return Ladder([100], ask, lambda effort: name, unlimited)

    best = best_of([ladder("a", 1, 9), ladder("b", 5, 2)], data.judge, 0.9)
    assert (best.batch.seconds, best.single.seconds) == (1, 2 * 12)
    assert (best.batch.in_words, best.single.in_words) == ("a", "b")
    Q = data.judge.scored
    np.testing.assert_array_equal(best.single.one_by_one(Q), best.single.batch(Q))


# Memory, machine, data sets


def test_the_peak_of_a_call_is_that_of_what_it_holds():
    size = 200_000_000
    peak, grown = peak_of(partial, bytearray, size)
    assert 0.9 * size < grown < 1.3 * size
    assert peak > grown
    with pytest.raises(RuntimeError, match="has ended"):
        peak_of(partial, exit)


def test_the_evaluation_whose_peak_is_measured_has_its_efforts(monkeypatch):
    assert len(effort_ladder(memory._clusters_with(memory.EFFORTS))) == memory.EFFORTS
    monkeypatch.setattr(memory, "simulated", measurable)
    (curve,) = (memory.evaluation()(),)
    assert len(curve.efforts) >= 50
    assert set(curve.histograms) == {1, 10, 100}


def test_data_sets_that_are_not_at_hand_are_none(monkeypatch, tmp_path):
    monkeypatch.setattr(sets, "WORDS", tmp_path / "none.npy")
    monkeypatch.setattr(sets, "RATINGS", tmp_path / "none.csv")
    assert sets.many_words() is None
    assert sets.real_ratings() is None
    assert sets.shipped_words().title == "GloVe 6B words: 20,000 × 50, 2,000 queries"
    assert measurable().first(7).dataset.m == 7


def test_the_machine_and_all_versions_are_told(monkeypatch):
    made = machine.machine()
    assert made["processor"]
    assert made["cores"] >= 1
    found = machine.versions()
    assert {"python", "numpy", *(peer.distribution for peer in peers.PEERS)} <= set(found)
    assert found["numpy"] == np.__version__


# Tables


REPORT = {
    "command": "make bench",
    "machine": {"processor": "P", "cores": 2, "caches": {"L2": "1M"}, "system": "S"},
    "versions": {"python": "3.13"},
}


def test_numbers_are_short():
    assert [number(v) for v in (None, 0.00123, -1e-9, 0.5, 1.234, 12.34, 1234.5)] == [
        "–",
        "0.0012",
        "0.0000",
        "0.500",
        "1.23",
        "12.3",
        "1,234",
    ]
    assert [duration(s) for s in (None, 2.5, 0.25, 1e-3, 2e-5, 0)] == [
        "–",
        "2.50 s",
        "250 ms",
        "1.00 ms",
        "20.0 µs",
        "0.0000 µs",
    ]


def test_tables_have_a_cell_for_every_column():
    lines = [["", "a"], ["one", "10"]]
    assert as_text(lines) == "      a\none  10"
    assert as_markdown(lines) == "|  | a |\n| :-- | --: |\n| one | 10 |"


def test_tables_are_put_between_the_marks_of_a_page(tmp_path):
    page = tmp_path / "page.md"
    put_into(page, "all\n")
    assert page.read_text() == "all\n"
    with pytest.raises(ValueError, match=r"page\.md has no lines <!-- tables"):
        put_into(page, "new\n")
    page.write_text(f"first\n{BEGIN}\nold\n{END}\nlast\n")
    for text in ("new\n", "newer\n"):
        put_into(page, text)
        assert page.read_text() == f"first\n{BEGIN}\n\n{text}\n{END}\nlast\n"


@pytest.mark.parametrize("parts", [["exact"], ["memory"]])
def test_a_run_prints_its_tables_and_writes_them_down(monkeypatch, tmp_path, parts):
    monkeypatch.setattr(run, "LOADERS", {"words": measurable, "ratings": lambda: None})
    out, page = tmp_path / "r.json", tmp_path / "p.md"
    told = ["--data", "words", "--data", "ratings", "--json", str(out), "--markdown", str(page)]
    ended = CliRunner().invoke(run.main, [*parts, "--quick", *told])
    assert ended.exit_code == 0, ended.output
    assert "ratings: not in ../shared/data, left out" in ended.output
    report = json.loads(out.read_text())
    (only,) = report["sections"]
    for made in only["tables"]:
        assert made["title"] in ended.output
        assert made["title"] in page.read_text()
        for reached in made["reached"]:
            assert reached["limit"] in page.read_text()


def report_of(*sections, processor="P", load=1, **more):
    machine = {"processor": processor, "load": load}
    told = [
        {"data": data, "tables": [{"title": title, "rows": rows} for title, rows in tables.items()]}
        for data, tables in sections
    ]
    return {"machine": machine, "versions": {"numpy": "2"}, "sections": told, **more}


def test_a_run_of_some_parts_keeps_what_it_did_not_measure(tmp_path):
    file = tmp_path / "results.json"
    words, ratings = ("words", {"exact": 1, "memory": 2}), ("ratings", {"exact": 3})
    write(file, report_of(words, ratings, readers={"rows": 4}, command="all"))
    write(file, report_of(("words", {"memory": 5, "curves": 6}), load=9, command="some"))
    both = ("words", {"exact": 1, "memory": 5, "curves": 6}), ratings
    expected = report_of(*both, load=9, readers={"rows": 4}, command="some")
    assert json.loads(file.read_text()) == expected


@pytest.mark.parametrize("held", ["", "{", "[]", "{}", json.dumps(report_of(processor="other"))])
def test_numbers_of_another_machine_and_what_is_no_report_are_replaced(tmp_path, held):
    file = tmp_path / "results.json"
    file.write_text(held)
    now = report_of(("words", {"exact": 1}))
    write(file, now)
    assert json.loads(file.read_text()) == now


def test_what_is_measured_by_default_and_by_name(monkeypatch, tmp_path):
    asked = []
    monkeypatch.setattr(run, "report_of", lambda *given: asked.append(given) or (report_of(), []))
    for words in (["--quick"], [], ["readers", "--data", "ratings"]):
        out = ["--json", str(tmp_path / "r.json")]
        assert CliRunner().invoke(run.main, [*words, *out], env={"QUICK": ""}).exit_code == 0
    quick, full, one = asked
    assert quick == (("words",), tuple(run.PIECES), True)
    assert full == (tuple(run.LOADERS), tuple(run.PIECES), False)
    assert one == (("ratings",), ("readers",), False)


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
