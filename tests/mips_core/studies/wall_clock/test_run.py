"""The clock: one rule for all answers, times that are what was taken, one run in turns."""

import gc
import json
import re
from contextlib import contextmanager
from dataclasses import replace

import numpy as np
import pytest
from click.testing import CliRunner
from hypothesis import given
from hypothesis import strategies as st

from mips_core import Dataset, evaluate, rng_for, truth_of
from mips_core.__main__ import main
from mips_core.base.errors import Cancelled, DataError, ParamError
from mips_core.base.threads import n_threads
from mips_core.evaluation.builder import Built
from mips_core.evaluation.operating_point import at_precision
from mips_core.evaluation.setting import Setting
from mips_core.methods.exact import exact_top_k
from mips_core.methods.kmeans.flat import FlatKMeans
from mips_core.methods.kmeans.hierarchical import HierarchicalKMeans
from mips_core.methods.trees.ip import IPTree
from mips_core.serving.other_libraries import RIVALS, Rival, available, contract
from mips_core.studies.wall_clock import WAYS, Clock, Timed, Took, clock, run, stopwatch
from mips_core.studies.wall_clock.entrants import product_top_k
from mips_core.studies.wall_clock.judge import judge_of
from mips_core.studies.wall_clock.stopwatch import ALONE, CALLS, ROUNDS, SECONDS, Watch

FEW = pytest.mark.parametrize("exclude", [False, True])


def dataset(n=500, m=60, d=6, seed=0, exclude=False):
    rng = np.random.default_rng(seed)
    X = (rng.normal(size=(n, d)) * rng.lognormal(size=(n, 1))).astype(np.float32)
    rows = rng.integers(0, n, m)
    Q = X[rows] if exclude else rng.normal(size=(m, d)).astype(np.float32)
    return Dataset(X, Q, query_rows=rows if exclude else None, name="made up")


def evaluated(data, *indexes, K=10):
    truth = truth_of(data)
    return {
        index.key: [
            evaluate(
                index, index.searcher(index.build(data.items, rng_for(0))), truth, 0, K=K
            )
        ]
        for index in indexes
    }  # fmt: skip


class Scan(Rival):
    """Scores the first `effort` items of a hundred."""

    key, label, package, pip = "scan", "Scan", "json", "pip install scan"
    steps = (10, 50, 80, 90, 100)

    def __init__(self, X):
        self.X = X

    @classmethod
    def build(cls, X, seed, threads, progress=None):
        return cls(X)

    def efforts(self, K):
        return self.steps

    def in_words(self, effort):
        return f"{effort}%"

    def search(self, Q, K, effort):
        found = exact_top_k(self.X[: max(1, len(self.X) * effort // 100)], Q, K)
        return np.pad(found, ((0, 0), (0, K - found.shape[1])), constant_values=-1)

    def inner_products(self, Q, K, effort):
        return None

    @contextmanager
    def limited(self, threads):
        yield


@pytest.fixture
def scan(monkeypatch):
    """The one rival there is."""
    monkeypatch.setattr(contract, "RIVALS", {"scan": Scan})
    monkeypatch.setattr(run, "RIVALS", {"scan": Scan})
    return Scan


# How good answers are


@given(st.integers(0, 10_000), st.integers(1, 12), st.booleans())
def test_an_answer_is_right_where_its_score_is_not_below_the_kth_true_one(seed, K, exclude):
    rng = np.random.default_rng(seed)
    X = rng.integers(-2, 3, (12, 2)).astype(np.float32)
    X[0, 0] = 1
    rows = rng.integers(0, 12, 6)
    Q = rng.integers(1, 4, (6, 2)).astype(np.float32)
    data = Dataset(X, Q, query_rows=rows if exclude else None)
    judge = judge_of(data, truth_of(data), K)
    ids = np.array([rng.permutation(np.r_[:12, -1, -1])[: judge.asked] for _ in Q])
    for i, hits in enumerate(judge.hits(ids, slice(None))):
        scores = X @ Q[i]
        allowed = [j for j in range(12) if not (exclude and j == rows[i])]
        least = sorted(scores[allowed])[-judge.K]
        answers = [j for j in ids[i] if j in allowed][: judge.K]
        assert hits == sum(scores[j] >= least for j in answers)


@FEW
def test_exact_answers_are_all_right(exclude):
    data = dataset(exclude=exclude)
    judge = judge_of(data, truth_of(data), 10)
    for search in (exact_top_k, product_top_k):
        precision, (low, high) = judge.score(
            lambda Q, search=search: search(data.items, Q, judge.asked)
        )
        assert precision == high == 1
        assert 0.8 < low < 1


def test_without_its_own_row_a_query_is_asked_for_one_answer_more():
    assert [
        (judge.K, judge.asked)
        for exclude in (False, True)
        for data in [dataset(n=8, m=3, exclude=exclude)]
        for K in (3, 50)
        for judge in [judge_of(data, truth_of(data), K)]
    ] == [(3, 3), (8, 8), (3, 4), (7, 8)]


# Taking time


class Time:
    """A clock that only searches move, by what each query takes; the processor works half of it."""

    def __init__(self, monkeypatch, seconds):
        self.now, self.seconds, self.asked, self.limits = 0.0, seconds, [], []
        monkeypatch.setattr(stopwatch, "perf_counter", lambda: self.now)
        monkeypatch.setattr(stopwatch, "thread_time", lambda: self.now / 2)
        monkeypatch.setattr(stopwatch, "process_time", lambda: self.now / 2)

    def ask(self, Q):
        assert not gc.isenabled()
        self.asked.append(len(Q))
        self.now += sum(self.seconds(int(q[0])) for q in Q)
        return np.zeros((len(Q), 1), np.int64)

    @contextmanager
    def limited(self, threads):
        self.limits.append(threads)
        yield


def numbered(m):
    return np.arange(m, dtype=np.float32)[:, None]


def test_times_are_medians_over_rounds_and_then_over_queries(monkeypatch):
    time = Time(monkeypatch, lambda i: time.factor * (i + 1) * 1e-4)
    watch, Q = Watch(), numbered(101)
    for time.factor in (1, 50, 1):  # one round is disturbed
        watch.time_singles(time.ask, time.limited, Q)
        watch.time_batch(time.ask, time.limited, Q, 1)
        watch.time_batch(time.ask, time.limited, Q, 4)
    took = watch.took(101, 4)
    single = took["one by one"]
    assert single.seconds == pytest.approx(51e-4)  # of 1 to 101 tenths of a millisecond
    assert single.p95 == pytest.approx(96e-4)
    assert single.processor == pytest.approx(single.mean / 2)
    assert single.calls == time.asked.count(1)
    assert took["batch"].seconds == pytest.approx(51e-4)
    assert took["batch"].p95 is None
    assert [took[way].threads for way in WAYS] == [1, 1, 4]
    assert took["batch, all threads"].calls == 3 * 101
    assert time.limits == [1, 1, 4] * 3
    assert gc.isenabled()


@pytest.mark.parametrize("m", [1, 7, 150])
def test_few_queries_are_asked_over_and_over_and_slow_ones_not_for_long(monkeypatch, m):
    time = Time(monkeypatch, lambda i: 1e-6)
    watch = Watch()
    for _ in range(ROUNDS):
        watch.time_singles(time.ask, time.limited, numbered(m))
    assert CALLS <= len(watch.singles) <= max(CALLS + ROUNDS, ROUNDS * m)
    assert set(watch.queries) == set(range(m))
    slow, watch = Time(monkeypatch, lambda i: 0.3), Watch()
    for _ in range(ROUNDS):
        watch.time_singles(slow.ask, slow.limited, numbered(m))
    assert SECONDS <= slow.now <= SECONDS + 0.3 * ROUNDS


def test_a_search_that_fails_leaves_the_clock_as_it_was(monkeypatch):
    def fail(i):
        raise KeyError

    time = Time(monkeypatch, fail)
    with pytest.raises(KeyError):
        Watch().time_singles(time.ask, time.limited, numbered(3))
    with pytest.raises(KeyError):
        Watch().time_batch(time.ask, time.limited, numbered(3), 2)
    assert gc.isenabled()
    assert not ALONE.locked()


# A whole run


@FEW
def test_every_search_is_scored_on_queries_its_setting_was_not_chosen_on(exclude):
    data = dataset(exclude=exclude)
    methods = evaluated(data, FlatKMeans(n_clusters=25), HierarchicalKMeans(n_clusters=36))
    timed = clock(data, methods, 10, 0.8, rivals=())
    assert [row.kind for row in timed.rows] == ["exact", "exact", "method", "method"]
    assert (timed.m_chosen, timed.m_scored, timed.split, timed.rounds) == (30, 30, True, ROUNDS)
    for row, (evaluation,) in zip(timed.rows[2:], methods.values(), strict=True):
        solved = at_precision([evaluation], 10, 0.8)
        at = list(evaluation.efforts).index(solved.setting.effort)
        curve = evaluation.curve((10,), 1)
        assert row.setting == solved.setting.in_words(data.n)
        assert row.reached
        assert row.chosen_precision == pytest.approx(solved.precision)
        assert row.precision == pytest.approx(curve.tolerant[10][at])
        assert row.interval == pytest.approx(tuple(curve.interval(10)[at]))
        assert row.inner_products == pytest.approx(curve.mean_cost[at])
        assert row.speedup == pytest.approx(curve.speedup[at])
    for row in timed.rows[:2]:
        assert (row.precision, row.speedup, row.reached) == (1, 1, True)
    for row in timed.rows:
        assert all(row.took[way].seconds > 0 for way in WAYS)
        assert row.took["one by one"].p95 >= row.took["one by one"].seconds
    for way in WAYS:
        assert timed.by_clock(timed.exact(way), way) == 1
        assert max(timed.by_clock(row, way) for row in timed.rows[:2]) == 1


@pytest.mark.parametrize("target", [0.05, 0.45, 0.75, 1.0])
def test_a_rival_is_timed_at_its_least_effort_with_the_precision(scan, target):
    data = dataset()
    truth = truth_of(data)
    (*_, row) = clock(data, {}, 10, target, rivals=["scan"]).rows
    to_choose, true = data.queries[::2], truth.ids[::2, :10]
    precisions = []
    for step in Scan.steps:
        found = Scan(data.items).search(to_choose, 10, step)
        precisions.append(
            np.mean([np.isin(*rows).mean() for rows in zip(true, found, strict=True)])
        )
    expected = Scan.steps[next(i for i, p in enumerate(precisions) if p >= target)]
    assert (row.setting, row.reached, row.kind) == (f"{expected}%", True, "rival")
    assert (row.inner_products, row.speedup) == (None, None)


def test_what_no_effort_reaches_is_timed_at_its_best_and_said(scan, monkeypatch):
    monkeypatch.setattr(scan, "steps", (50, 90, 10))
    timed = clock(dataset(), {}, 10, 1.0)
    row = timed.rows[-1]
    assert (row.setting, row.reached) == ("90%", False)
    (said,) = (line for line in timed.remarks() if "reach" in line)
    assert said == f"Scan does not reach 1: it is timed at the best there is, {row.precision:.3f}."
    assert "Scan" not in timed.in_words()


def test_settings_can_be_given_and_structures_too():
    data = dataset()
    index = FlatKMeans(n_clusters=25)
    structure, asked = index.build(data.items, rng_for(4)), []

    def kept(index, seed, progress):
        asked.append((index, seed))
        return Built(seed, structure, 12.5)

    settings = [Setting(index, 4, 25), Setting(index, 4, 1)]
    *_, full, least = clock(data, settings, 10, 0.9, rivals=(), build=kept).rows
    assert asked == [(index, 4)] * 2
    assert min(full.build_seconds, least.build_seconds) > 12.5  # laying out the rows as well
    assert (full.precision, full.reached, full.setting) == (1, True, "25 clusters, 25 probes")
    assert (least.reached, least.setting) == (False, "25 clusters, 1 probe")
    assert least.chosen_precision < 0.9


def test_candidates_that_depend_on_k_are_asked_for_it():
    data = dataset(n=200, m=24, exclude=True)
    methods = evaluated(data, IPTree(), K=3)
    row = clock(data, methods, 3, 1.0, rivals=()).rows[-1]
    ((evaluation,),) = methods.values()
    effort = at_precision([evaluation], 3, 1.0).setting.effort
    at, curve = list(evaluation.efforts).index(effort), evaluation.curve((3,), 1)
    assert row.precision == pytest.approx(curve.tolerant[3][at])
    assert row.inner_products == pytest.approx(curve.mean_cost[at])


def test_each_round_tells_what_is_known_and_the_run_can_be_cancelled():
    data, partial, fractions = dataset(n=100, m=20), [], []

    def watch(fraction, message, known=None):
        fractions.append(fraction)
        if known is not None:
            partial.append(known)

    last = clock(data, {}, 5, 0.9, rivals=(), progress=watch)
    assert [known.rounds for known in partial] == list(range(1, ROUNDS + 1))
    assert partial[-1] == last
    assert fractions == sorted(fractions)
    assert fractions[-1] == 1

    def cancel(fraction, message, known=None):
        if "Round 2" in message:
            raise Cancelled

    with pytest.raises(Cancelled):
        clock(data, {}, 5, 0.9, rivals=(), progress=cancel)
    assert not ALONE.locked()


@pytest.mark.parametrize(("n", "m", "K"), [(1, 1, 10), (2, 3, 100), (30, 1, 40), (100, 19, 7)])
def test_small_data(n, m, K):
    data = dataset(n=n, m=m, d=3)
    timed = clock(data, evaluated(data, FlatKMeans(n_clusters=min(n, 5)), K=K), K, 0.9)
    assert min(K, n) == timed.K
    assert (timed.m_chosen, timed.m_scored, timed.split) == (m, m, False)
    noun = "query" if m == 1 else "queries"
    assert any(line.startswith(f"With {m} {noun} there are too few") for line in timed.remarks())
    assert all(0 <= row.interval[0] <= row.precision <= row.interval[1] for row in timed.rows)


def test_all_equal_items_are_all_right():
    data = Dataset(np.ones((300, 4), np.float32), np.ones((24, 4), np.float32))
    timed = clock(data, evaluated(data, FlatKMeans(n_clusters=5)), 10, 0.9)
    assert all(row.precision == 1 for row in timed.rows if row.reached)
    assert {row.key for row in timed.rows[:2]} == {"exact", "product"}


def test_what_cannot_be_asked_is_said():
    data = dataset(n=50, m=20)
    for precision in (0, -1, 1.01, float("nan")):
        with pytest.raises(ParamError, match="more than 0 and at most 1"):
            clock(data, {}, 10, precision)
    with pytest.raises(ParamError, match="K is 101"):
        clock(data, {}, 101, 0.9, rivals=())
    with pytest.raises(ParamError, match=r"no rival 'annoy'\. Known: faiss-ivf"):
        clock(data, {}, 10, 0.9, rivals=["annoy"])
    with pytest.raises(DataError, match="has no queries"):
        clock(Dataset(data.items), {}, 10, 0.9, rivals=())


def test_one_thread_is_timed_once_for_both_ways(monkeypatch):
    monkeypatch.setenv("MIPS_THREADS", "1")
    timed = clock(dataset(n=60, m=20), {}, 5, 0.9, rivals=())
    assert timed.threads == n_threads() == 1
    for row in timed.rows:
        assert row.took["batch"] == row.took["batch, all threads"]


@pytest.mark.parametrize("key", list(RIVALS))
def test_installed_libraries_take_part(key):
    if key not in available():
        pytest.skip(f"{RIVALS[key].package} is not installed: {RIVALS[key].pip}")
    data = dataset(n=400, m=40, exclude=True)
    timed = clock(data, {}, 10, 0.9, rivals=[key])
    row = timed.rows[-1]
    assert (row.key, row.label, row.kind) == (key, RIVALS[key].label, "rival")
    assert row.reached
    assert row.precision > 0.7
    assert row.speedup is None or 0 < row.speedup < 400
    assert timed.versions[RIVALS[key].package][0].isdigit()


# What is said


def timed_row(label, kind, seconds, speedup, reached=True, busy=1.0):
    took = Took(seconds, seconds, seconds, seconds / busy, 1, 200)
    return Timed(
        label, label, "", kind, reached, 0.9, 0.9, (0.88, 0.92), 1.0, speedup, 1.0,
        dict.fromkeys(WAYS, took),
    )  # fmt: skip


def timed_run(*rows, **known):
    values = {
        "data": "words", "simulated": False, "metric": "inner product", "n": 1000, "d": 5,
        "K": 10, "target": 0.9, "m_chosen": 50, "m_scored": 50, "split": True, "batch": 256,
        "rounds": 3, "threads": 2, "processors": 2, "versions": {}, "absent": (),
    }  # fmt: skip
    return Clock(rows, **{**values, **known})


EXACT = timed_row("Exact search", "exact", 9e-4, 1.0)
OURS = timed_row("Flat k-means", "method", 1e-4, 31.0)


def test_ledger_and_clock_are_set_side_by_side():
    assert timed_run(EXACT, OURS).in_words() == (
        "By the ledger **Flat k-means** saves **31.0×**, by the clock **9.0×**. One query took "
        "100 µs on one thread, the quicker exact search 900 µs."
    )
    rival = timed_row("faiss IVF", "rival", 5e-5, 12.0)
    assert timed_run(EXACT, OURS, rival).in_words().endswith(
        "**faiss IVF** took least time of all: 50 µs, by the clock 18.0×, by its ledger 12.0×."
    )  # fmt: skip
    silent = replace(rival, speedup=None)
    assert timed_run(EXACT, silent).in_words() == (
        "**faiss IVF** took least time of all: 50 µs, by the clock 18.0×."
    )


def test_what_saves_inner_products_and_no_time_is_said():
    slow = timed_row("Flat k-means", "method", 18e-4, 31.0)
    assert timed_run(EXACT, slow).in_words() == (
        "By the ledger **Flat k-means** saves **31.0×**, by the clock nothing: it takes **2.0×** "
        "as long. One query took 1.8 ms on one thread, the quicker exact search 900 µs. Of all "
        "searches here exact search took least time."
    )


def test_what_saves_nothing_at_all_is_said():
    dear = timed_row("Flat k-means", "method", 9e-4, 0.5)
    assert timed_run(EXACT, dear).in_words().startswith(
        "By the ledger **Flat k-means** saves nothing: it takes **2.0×** as many, by the clock "
        "nothing: it takes **1.0×** as long."
    )  # fmt: skip


def test_what_to_know_of_a_run_is_said():
    assert timed_run(EXACT, OURS).remarks() == ()
    busy = timed_run(timed_row("Exact search", "exact", 9e-4, 1.0, busy=3.0))
    assert busy.waiting == pytest.approx(3)
    assert busy.remarks()[0].startswith("The machine was busy: the clock ran 3.0× as long")
    absent = timed_run(EXACT, absent=(("faiss", "pip install faiss-cpu"),))
    assert absent.remarks() == (
        "**faiss is not installed.** `pip install faiss-cpu` adds its timings.",
    )


def test_figures_can_be_taken_away():
    run = timed_run(EXACT, OURS)
    values = json.loads(json.dumps(run.as_dict()))
    assert values["rows"][1]["speedup_by_clock"] == dict.fromkeys(WAYS, pytest.approx(9))
    assert values["rows"][1]["took"]["batch"]["seconds"] == 1e-4
    assert (values["n"], values["interval"]) == (1000, "95%, over queries")
    table = run.table()
    assert [(row["search"], row["asked"]) for row in table] == [
        (label, way) for label in ("Exact search", "Flat k-means") for way in WAYS
    ]
    assert table[-1]["speedup_by_clock"] == pytest.approx(9)
    assert table[-1]["precision@10"] == 0.9


# The command


@pytest.fixture
def command(tmp_path):
    np.save(tmp_path / "items.npy", dataset().items)

    def call(*arguments):
        places = [a.replace("@", f"{tmp_path}/") for a in arguments]
        return CliRunner().invoke(
            main, ["clock", "@items.npy".replace("@", f"{tmp_path}/"), *places]
        )

    return call


def test_the_command_prints_a_table_and_writes_json(command, tmp_path, monkeypatch):
    monkeypatch.setattr(contract, "find_spec", lambda package: None)
    done = command(
        "--index", "flat-kmeans", "--set", "n_clusters=10,30", "--precision", ".8", "--k", "5",
        "--n-queries", "40", "--out", "@o.json",
    )  # fmt: skip
    assert done.exit_code == 0, done.output
    report = json.loads((tmp_path / "o.json").read_text())
    assert [row["key"] for row in report["rows"]] == ["exact", "product", "flat-kmeans"]
    assert (report["K"], report["target"], report["m_scored"]) == (5, 0.8, 20)
    lines = done.output.splitlines()
    assert lines[0] == "items: 500 items of 6 dimensions, by inner product"
    assert re.search(r"python \d.*, numpy \d", lines[1])
    assert re.fullmatch(r"\d+ processors?, \d+ threads?", lines[2])
    assert max(map(len, lines[: lines.index("", 7)])) <= 80
    assert sum(re.search(r"[\d.]+ ± [\d.]+.*×", line) is not None for line in lines) == 3
    assert lines[-3:] == [
        "faiss is not installed. pip install faiss-cpu adds its timings.",
        "hnswlib is not installed. pip install hnswlib adds its timings.",
        "scann is not installed. pip install scann adds its timings.",
    ]


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["--index", "annoy"], "no index 'annoy'"),
        (["--index", "exact", "--precision", "0"], "is not in the range 0<x<=1"),
        (["--index", "exact", "--k", "0"], "--k 0 is outside"),
        (["--index", "exact", "--out", "@no/such.json"], "cannot be written"),
    ],
)
def test_the_command_says_what_is_wrong(command, arguments, words):
    done = command(*arguments)
    assert done.exit_code != 0
    assert "Traceback" not in done.output
    assert words in done.output
