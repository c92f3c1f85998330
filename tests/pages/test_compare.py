"""Compare: two methods at one speedup, and the clock, run headless on a small data set."""

import json
import time

import numpy as np
import pytest

from mips_core import INDEXES, evaluate, rng_for, truth_of
from mips_core.data.queries import QueryRecipe, with_queries
from mips_core.evaluation.operating_point import at_speedup
from mips_core.studies.comparison import difference
from mips_core.studies.noise import SPEEDUPS
from pages._ui.compare import differences
from pages._ui.compare import work as compare_work
from pages._ui.compare.clock_work import timing_of, tried_of
from pages._ui.state import session
from pages._ui.state.settings import grid_of
from pages._ui.work import jobs, measurement
from tests.pages.conftest import small_dataset
from tests.pages.test_pages import session_of, texts

K = 10


def all_in(at, most=8):
    """Run the page until nothing is left to measure, as its looks do."""
    for _ in range(most):
        assert jobs.wait(60)
        at.run()
        if not any(asked.unsettled for asked in compare_work.wanted(session_of(at))):
            return at.run()  # the last of it may have come after it was drawn
    raise AssertionError("the page still waits for something")


@pytest.fixture
def compared(app):
    def go(**address):
        at = all_in(app("compare.py", settle=False, **address))
        assert not at.exception
        return at

    return go


def table(at):
    return at.dataframe[0].value.set_index("speedup")


def measured(dataset, truth, index, seed):
    searcher = index.searcher(index.build(dataset.items, rng_for(seed)))
    return evaluate(index, searcher, truth, seed, K=K)


def test_the_sentence_and_the_table_have_the_numbers_of_the_library(compared):
    at = compared(compare="speedup=3")
    dataset = with_queries(small_dataset(), QueryRecipe())
    truth = truth_of(dataset)
    hits = []
    for key in ("flat-kmeans", "hierarchical-kmeans"):
        grid = grid_of(session_of(at), key)
        setting = at_speedup([measured(dataset, truth, i, 0) for i in grid], K, 3).setting
        builds = [measured(dataset, truth, setting.index, seed) for seed in (0, 1, 2)]
        hits.append([e.hits(K, list(e.efforts).index(setting.effort), 1) for e in builds])
    expected = difference(*hits, K)
    assert expected.in_words("Flat k-means", "Hierarchical k-means", "3×") in texts(at)
    row = table(at).loc[3]
    assert row["difference"] == pytest.approx(100 * expected.mean)
    assert [row[f"seed {s}"] for s in (0, 1, 2)] == pytest.approx(
        [100 * share for share in expected.by_seed]
    )
    assert row["queries"] == dataset.m // 2
    chosen = session_of(at)
    written = json.loads(json.dumps(differences.rows(chosen, differences.comparisons(chosen))))
    assert [line["speedup"] for line in written] == list(table(at).index)
    for column in (c for c in table(at) if c.endswith("speedup reached")):
        ratio = table(at)[column] / table(at).index
        assert ratio.between(0.8, 1.35).all()  # 0.9 to 1.2 on the half it was chosen on


def test_exchanging_the_methods_turns_the_difference_round(compared):
    at = compared(compare="first=flat-kmeans,second=largest-norm,speedup=3")
    before = table(at)
    next(b for b in at.button if b.label == "Exchange").click().run()
    assert not at.exception
    np.testing.assert_allclose(table(at)["difference"], -before["difference"])
    np.testing.assert_allclose(table(at)["low_95"], -before["high_95"])
    assert (table(at)["finds_more"] == before["finds_more"]).all()


def test_a_method_is_chosen_and_lasts_in_the_address_and_on_other_pages(app, compared):
    at = compared(compare="second=largest-norm,speedup=7")
    at.selectbox(key="compare second largest-norm").set_value("srp-hash").run()
    all_in(at)
    assert any("SRP-hash" in column for column in table(at))
    assert at.query_params["compare"] == "second=srp-hash,speedup=7"
    at = app("methods.py", settle=False)
    at = app("compare.py", settle=False)
    assert at.selectbox(key="compare second srp-hash").value == "srp-hash"


def test_a_link_to_a_method_that_is_not_there_shows_the_usual_one(compared):
    at = compared(compare="first=nothing,second=largest-norm,speedup=5")
    assert at.selectbox(key="compare first flat-kmeans").value == "flat-kmeans"


def test_the_same_method_twice_is_said_and_nothing_is_measured(app):
    at = app("compare.py", settle=False, compare="second=flat-kmeans")
    assert not at.exception
    assert "Flat k-means is chosen twice" in texts(at)
    assert not at.dataframe


def test_a_speedup_that_a_method_does_not_reach_is_said_with_the_nearest(compared):
    at = compared(compare="speedup=200")
    assert "At 200× there is nothing to compare" in texts(at)
    assert "Flat k-means: no setting near it, the nearest is" in texts(at)
    assert set(table(at).index) < set(SPEEDUPS)


@pytest.mark.parametrize(("m", "said"), [(9, "9 queries, {} ones,"), (1, "1 query, {} one,")])
def test_few_queries_are_said_to_be_chosen_and_scored_on(compared, m, said):
    at = compared(queries=f"rows {m} 0.1 no", compare="speedup=2")
    assert said.format("settings are chosen and scored on the same") in texts(at)
    assert (table(at)["queries"] == m).all()


@pytest.mark.parametrize(("n", "said"), [(1, "nothing to compare"), (5, "nothing to compare")])
def test_tiny_data_has_nothing_to_compare(compared, monkeypatch, n, said):
    dataset = small_dataset(n=n)
    monkeypatch.setattr(session, "load_from_catalog", lambda key: dataset)
    at = compared(k="100")
    assert said in texts(at)


def test_simulated_data_is_labelled(compared, monkeypatch):
    dataset = small_dataset(simulated=True)
    monkeypatch.setattr(session, "load_from_catalog", lambda key: dataset)
    at = compared(compare="speedup=3")
    assert "Simulated ratings" in texts(at)
    assert table(at)["simulated"].all()


def test_cancelling_keeps_what_is_known_and_starts_nothing_by_itself(app, monkeypatch):
    at = all_in(app("compare.py", settle=False, compare="second=largest-norm"))

    def slow(*inputs):
        while True:
            inputs[-1](0.1, "waiting")
            time.sleep(0.01)

    with monkeypatch.context() as patch:
        patch.setattr(measurement, "measure", slow)
        at.selectbox(key="compare second largest-norm").set_value("pca-tree").run()
        at.button(key="cancel settings").click().run()
        assert jobs.wait(10)
        at.run()
        assert "Cancelled after" in texts(at)
        assert not jobs.of(session_of(at).owner)
        at.button(key="go on").click()
    all_in(at.run())
    assert any(INDEXES["pca-tree"].label in column for column in table(at))


def timed(at):
    """Press the button, and let the clock run."""
    at.button(key="time").click().run()
    assert jobs.wait(120)
    at.run()
    assert not at.exception
    return at


def rows_of_clock(at):
    return at.dataframe[-1].value.set_index("search")


FEW = {"method": ["pca-tree", "largest-norm"], "compare": "first=pca-tree,second=pca-tree"}


def test_searches_are_timed_at_the_same_precision_beside_the_ledger(app, monkeypatch):
    monkeypatch.setattr("pages._ui.compare.clock_work.available", list)
    monkeypatch.setattr("mips_core.studies.wall_clock.run.available", list)
    at = app("compare.py", settle=False, **FEW)
    assert timing_of(session_of(at)).job is None  # nothing runs before the button is pressed
    at = timed(at)
    clock = timing_of(session_of(at)).result
    assert clock.in_words() in texts(at)
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


def test_another_precision_is_another_timing_and_lasts(app, monkeypatch):
    at = app("compare.py", settle=False, **FEW)
    at.segmented_control(key="clock precision 0.9").set_value(0.5).run()
    assert not at.exception
    assert session_of(at).states["compare"].precision == 0.5
    assert at.query_params["compare"].endswith("precision=0.5")
    assert 0.5 in timing_of(session_of(at)).key


def test_timing_can_be_cancelled_and_started_anew(app, monkeypatch):
    def slow(*inputs):
        while True:
            inputs[-1](0.1, "waiting")
            time.sleep(0.01)

    at = app("compare.py", settle=False, **FEW)
    with monkeypatch.context() as patch:
        patch.setattr(measurement, "measure", slow)
        at.button(key="time").click().run()
        at.button(key="cancel clock").click().run()
        for job in jobs.of(session_of(at).owner):  # of Home, visited before: it would go on
            jobs.cancel(job)
        assert jobs.wait(10)
        at.run()
        assert "Cancelled" in texts(at)
    assert "PCA-tree" in rows_of_clock(timed(at)).index


@pytest.mark.parametrize("n", [1, 30])
def test_little_data_is_timed_too_or_refused_in_words(app, monkeypatch, n):
    dataset = small_dataset(n=n)
    monkeypatch.setattr(session, "load_from_catalog", lambda key: dataset)
    monkeypatch.setattr("pages._ui.compare.clock_work.available", list)
    monkeypatch.setattr("mips_core.studies.wall_clock.run.available", list)
    at = timed(app("compare.py", settle=False, k="100", queries="rows 5 0.1 no", **FEW))
    assert "Exact search" in rows_of_clock(at).index
    assert "too few to hold some out" in texts(at)
