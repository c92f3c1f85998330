"""Home, Build and Trade-off, run headless on a small data set."""

import time

import pytest

from mips_core import INDEXES, compare
from mips_core.data.queries import QueryRecipe, with_queries
from mips_core.methods.kmeans.flat import FlatKMeans
from pages._ui.parts import live_curve
from pages._ui.state import session as choices
from pages._ui.state import settings
from pages._ui.state.session import DEFAULT_METHODS
from pages._ui.work import jobs, measurement, uploads
from tests.pages.conftest import small_dataset


def session_of(at):
    return at.session_state["session"]


def texts(at):
    return " ".join(
        element.value
        for kind in (at.markdown, at.info, at.success, at.error, at.caption)
        for element in kind
    )


def test_home_says_what_this_is_and_leads_on(app):
    at = app()
    assert not at.exception
    assert "without computing them all" in at.title[0].value
    assert "Measured on this machine: small, 400 items" in texts(at)
    session = session_of(at)
    assert session.measurement_of(session.index).evaluation is not None


def test_the_view_has_the_numbers_of_the_library(app):
    session = session_of(app("tradeoff.py"))
    wanted = settings.settings_of(session)
    message = live_curve.message_of(session, wanted)
    dataset = with_queries(small_dataset(), QueryRecipe())
    (curve,) = compare([FlatKMeans(n_clusters=20)], dataset, ks=(10,))
    build = next(b for b in message.builds if b.value == "20")
    assert build.points.precision == pytest.approx(curve.precision(10))
    assert sum(build.points.parts.values()) == pytest.approx(curve.mean_cost)
    assert build.points.histogram.tolist() == curve.histograms[10].tolist()
    assert [b.ready for b in message.builds] == [True] * len(message.builds)
    assert list(message.chips) == list(DEFAULT_METHODS)


def test_trade_off_shows_a_table_of_every_point(app):
    at = app("tradeoff.py")
    assert not at.exception
    table = at.dataframe[0].value
    assert set(table["method"]) == {INDEXES[key].label for key in DEFAULT_METHODS}
    assert table["precision@10"].between(0, 1).all()
    assert (table["low_95"] <= table["precision@10"]).all()


def test_choosing_another_index_and_view_lasts_and_is_in_the_address(app):
    at = app("tradeoff.py")
    at.selectbox(key="under slider flat-kmeans:n_clusters=20").select_index(1).run()
    at.segmented_control(key="show").set_value("built").run()
    jobs.wait(60)
    at.run()
    assert not at.exception
    assert session_of(at).index.key == "hierarchical-kmeans"
    at = app("home.py")
    assert (session_of(at).position, session_of(at).show) == (1, "built")


def test_k_and_queries_change_in_the_context_bar(app):
    at = app("tradeoff.py")
    at.segmented_control(key="context K 10").set_value(100).run()
    assert session_of(at).K == 100
    at.number_input(key="context any K 100").set_value(7).run()
    assert session_of(at).K == 7
    assert at.number_input(key="context any K 100").value == 7  # the same field, with its focus
    (pressed,) = (c for c in at.segmented_control if c.key.startswith("context K"))
    assert pressed.value is None
    pressed.set_value(100).run()
    assert at.number_input(key="context any K 100 again").value == 100  # another
    at.number_input(key="context count 500").set_value(33).run()
    jobs.wait(60)
    at.run()
    assert not at.exception
    assert session_of(at).dataset.m == 33
    assert at.dataframe[0].value["queries"].unique() == [33]


def test_building_keeps_indexes_side_by_side(app):
    at = app("build.py")
    assert "Flat k-means, 20 clusters" in texts(at)
    field = next(n for n in at.number_input if n.label == "Clusters")
    field.set_value(31).run()
    next(b for b in at.button if b.label == "Build").click().run()
    jobs.wait(60)
    at.run()
    assert not at.exception
    assert "Flat k-means, 31 clusters" in texts(at)
    assert [i.n_clusters for i in session_of(at).kept if i.key == "flat-kmeans"] == [20, 31]
    at.button(key="drop 0").click().run()
    assert [i.n_clusters for i in session_of(at).kept if i.key == "flat-kmeans"] == [31]


def test_a_setting_that_cannot_be_is_said_in_the_form(app):
    at = app("build.py")
    next(s for s in at.selectbox if s.label == "Method").set_value("hierarchical-kmeans").run()
    next(t for t in at.text_input if t.label == "Sizes").set_value("3x5x8").run()
    assert not at.exception
    assert any("names 3 levels" in error.value for error in at.error)
    assert next(b for b in at.button if b.label == "Build").disabled
    next(t for t in at.text_input if t.label == "Sizes").set_value("a few").run()
    assert any("is no list of sizes" in error.value for error in at.error)


def test_indexes_that_differ_in_how_they_are_fitted_are_told_apart(app):
    names = ["head-kmeans:n_clusters=5", "head-kmeans:n_clusters=5,fit=growing,copies=2"]
    at = app("build.py", index=names, at="1", show="built")
    assert [at.button(key=f"show {number}").label.partition(", ")[2] for number in (0, 1)] == [
        "head of 1%, 5 clusters",
        "head of 1%, 5 clusters, growing fit, 2 copies",
    ]
    assert ": samples that grew, and all items at last" in texts(at)
    assert "Rounds see samples that grow, from 80 to 396 items" in texts(at)


def test_a_cancelled_build_says_so_and_can_go_on(app, monkeypatch):
    def slow(*inputs):
        while True:
            inputs[-1](0.1, "waiting")
            time.sleep(0.01)

    with monkeypatch.context() as patch:
        patch.setattr(measurement, "measure", slow)
        at = app("build.py", settle=False)
        job = session_of(at).measurement_of(session_of(at).index).job
        assert job.active
        for other in jobs.of(session_of(at).owner):  # Home, passed on the way here, asked for more
            if other is not job:
                jobs.cancel(other)
        at.button(key="cancel build").click().run()
        assert jobs.wait(5)
        at.run()
        assert not at.exception
        assert "cancelled" in texts(at)
        assert jobs.find(job.key) is job
    at.button(key="rebuild").click().run()
    jobs.wait(60)
    at.run()
    assert "live clusters after" in texts(at)


def test_dropping_an_index_keeps_the_chosen_one_chosen(app):
    names = [f"flat-kmeans:n_clusters={k}" for k in (5, 6, 7)]
    session = session_of(app("build.py", index=names, at="1"))
    assert session.index.n_clusters == 6
    session.drop(session.kept[0])
    assert session.index.n_clusters == 6
    session.drop(session.index)
    assert session.index.n_clusters == 7


def test_work_that_waits_for_a_view_left_behind_is_taken_back(app, monkeypatch):
    def slow(*inputs):
        while True:
            inputs[-1](0.1, "waiting")
            time.sleep(0.01)

    monkeypatch.setattr(measurement, "measure", slow)
    at = app("tradeoff.py", settle=False)
    session = session_of(at)
    settings.start_missing(session, settings.settings_of(session))
    before = len(jobs.of(session.owner))
    at.number_input(key="context seed 0").set_value(5).run()
    waiting = [job for job in jobs.of(session.owner) if job.state == "waiting"]
    assert before > 3
    assert waiting
    assert all(job.key[-1] == 5 for job in waiting)


def test_an_address_reopens_its_view(app):
    at = app(
        "tradeoff.py", k="5", seed="4", effort="3", show="built", queries="noisy 60 0.2 yes",
        index=["flat-kmeans:n_clusters=9", "hierarchical-kmeans:n_levels=1"], at="1",
    )  # fmt: skip
    session = session_of(at)
    assert (session.K, session.seed, session.effort, session.show) == (5, 4, 3, "built")
    assert session.recipe == QueryRecipe("noisy", 60, 0.2, True, 4)
    assert [i.key for i in session.kept] == ["flat-kmeans", "hierarchical-kmeans"]
    assert session.position == 1


def test_an_address_of_uploaded_data_finds_it_or_names_it(app):
    held = small_dataset(n=50)
    uploads.hold(held)
    assert session_of(app(data=held.fingerprint)).source is held


def test_an_address_of_data_that_is_gone_keeps_the_rest(app):
    at = app("tradeoff.py", data="ab" * 16, k="3")
    session = session_of(at)
    assert session.missing == "ab" * 16
    assert "This link is from other data" in texts(at)
    assert session.K == 3
    assert not at.exception


@pytest.mark.parametrize("n", [2, 3, 5])
def test_the_smallest_data_has_pages_too(app, monkeypatch, n):
    tiny = small_dataset(n=n, d=1)
    monkeypatch.setattr(choices, "load_from_catalog", lambda key: tiny)
    for page in ("home.py", "build.py", "tradeoff.py", "data.py"):
        at = app(page)
        assert not at.exception, page
    assert (n if n < 10 else 10) == session_of(at).K


def test_a_long_name_leaves_room_in_the_context_bar(app, monkeypatch):
    long = small_dataset(name="n" * 120)
    monkeypatch.setattr(choices, "load_from_catalog", lambda key: long)
    at = app()
    label = at.get("popover")[0].proto.popover.label
    assert label == f"**{'n' * 31}…** 400 × 6"
    assert "n" * 120 in texts(at)  # in the popover
    assert not at.exception
