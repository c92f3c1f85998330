"""Methods in words, which of them are compared, and what is tried of each."""

import re

import pytest

from mips_core import INDEXES, exact_top_k
from mips_core.base.params import params_of
from mips_core.data.queries import QueryRecipe, with_queries
from mips_core.methods.kmeans.flat import FlatKMeans
from mips_core.methods.reductions import PadToSphere
from pages._ui.parts import live_curve, tree_softmax
from pages._ui.state import session, settings
from pages._ui.state.session import DEFAULT_METHODS, methods
from pages._ui.text.widgets import plain
from pages._ui.work import jobs
from tests.pages.conftest import small_dataset
from tests.pages.test_pages import session_of, texts


def test_every_index_is_described_with_its_parameters_cost_and_source(app):
    at = app("methods.py", settle=False)
    assert not at.exception
    words = texts(at)
    assert len(at.subheader) >= len(INDEXES)
    for cls in INDEXES.values():
        what, cost = cls.about()
        assert plain(what) in words
        assert plain(cost) in words
        assert plain(cls.cite) in words
        for p in params_of(cls).values():
            assert plain(p.help) in words
    places = {heading.anchor for heading in at.subheader}
    linked = set(re.findall(r"\]\(#([\w-]+)\)", words))
    assert set(INDEXES) == linked <= places


def test_methods_are_chosen_and_their_grids_are_measured(app):
    at = app("tradeoff.py")
    assert session_of(at).methods == list(DEFAULT_METHODS)
    at.button_group(key="methods 0").set_value(["largest-norm", "flat-kmeans"]).run()
    chosen = session_of(at)
    wanted = settings.settings_of(chosen)
    assert {index.key for index in wanted.all} == {"largest-norm", "flat-kmeans"}
    settings.start_missing(chosen, wanted)
    assert jobs.wait(60)
    at.run()
    assert not at.exception
    assert set(live_curve.message_of(chosen, wanted).chips) == {"largest-norm", "flat-kmeans"}
    assert set(at.dataframe[0].value["method"]) == {"Largest norms", "Flat k-means"}
    assert "largest-norm" in at.query_params["method"]


def test_all_methods_at_once(app):
    at = app("tradeoff.py", settle=False)
    next(b for b in at.button if b.label == "All of them").click().run()
    chosen = session_of(at)
    assert chosen.methods == methods()
    settings.start_missing(chosen, settings.settings_of(chosen))
    assert jobs.wait(300)
    failed = [job.label for job in jobs._BOOK.values() if job.state == "failed"]
    assert failed == []
    at.run()
    assert not at.exception
    message = live_curve.message_of(chosen, settings.settings_of(chosen))
    assert list(message.chips) == methods()


def test_data_with_users_shows_the_largest_norms_too(app, monkeypatch):
    rated = small_dataset(queries=small_dataset(n=30).items)
    monkeypatch.setattr(session, "load_from_catalog", lambda key: rated)
    chosen = session_of(app("tradeoff.py", settle=False))
    assert chosen.methods == [*DEFAULT_METHODS, "largest-norm"]
    words = session.Session(small_dataset(), "other", chosen.recipe, methods=["flat-kmeans"])
    words.use(rated, "other", chosen.recipe)
    assert words.methods == ["flat-kmeans", "largest-norm"]


def test_no_method_is_a_choice_too_and_lasts_in_the_address(app):
    at = app("tradeoff.py", method=["none"])
    chosen = session_of(at)
    assert chosen.methods == []
    assert {index.key for index in settings.settings_of(chosen).all} == {"flat-kmeans"}
    assert "none" in at.query_params["method"]


def test_a_built_method_joins_those_compared(app):
    chosen = session_of(app(method=["flat-kmeans"], settle=False))
    chosen.keep(INDEXES["multi-kmeans"]())
    assert chosen.methods == ["flat-kmeans", "multi-kmeans"]
    chosen.keep(INDEXES["exact"]())
    assert chosen.methods == ["flat-kmeans", "multi-kmeans"]


def test_variations_follow_the_grid_and_keep_the_rest():
    index = FlatKMeans(n_clusters=50, reduction=PadToSphere())
    tried = settings.variations(index, 400, 6)
    assert {step.reduction for step in tried} == {PadToSphere()}
    counts = [step.n_clusters for step in FlatKMeans.grid(400, 6)]
    assert [step.n_clusters for step in tried] == [50, *counts]


@pytest.mark.parametrize("key", INDEXES)
def test_every_method_can_stand_under_the_slider(app, key):
    at = app("tradeoff.py", index=[key], method=["none"])
    assert not at.exception
    chosen = session_of(at)
    wanted = settings.settings_of(chosen)
    message = live_curve.message_of(chosen, wanted)
    assert all(build.ready for build in message.builds)
    build = next(b for b in message.builds if b.value == message.chosen.build)
    at_start = build.points.precision[build.points.efforts == message.chosen.effort]
    if key != "flat-kmeans":  # which opens on 10 probes
        enough = build.points.precision >= live_curve.USUAL_PRECISION
        expected = build.points.precision[enough][0] if enough.any() else build.points.precision[-1]
        assert at_start == pytest.approx(expected)
    assert "{" not in message.sentence.replace("{effort}", "").replace("{live}", "").replace(
        "{precision}", ""
    ).replace("{half}", "").replace("{K}", "").replace("{speedup}", "")


def test_candidates_that_depend_on_k_are_measured_for_each(app):
    at = app("tradeoff.py", index=["ip-tree"], method=["none"])
    chosen = session_of(at)
    first = chosen.measurement_of(chosen.index)
    assert first.evaluation.K == 10
    chosen.K = 3
    second = chosen.measurement_of(chosen.index)
    assert second.key != first.key
    assert second.building.key == first.building.key
    assert second.evaluation is None


def test_a_tree_softmax_is_fitted_and_compared_on_request(app, monkeypatch):
    for name, number in (("ITEMS", 200), ("FITTED", 100), ("ASKED", 50)):
        monkeypatch.setattr(tree_softmax, name, number)
    at = app("methods.py")
    next(b for b in at.button if b.label.startswith("Fit one")).click().run()
    assert jobs.wait(60)
    at.run()
    assert not at.exception
    table = at.dataframe[0].value.set_index("model and search")
    tree, index = table.loc["Tree softmax, every leaf"], table.iloc[-2]
    assert tree["precision@10"] < 1
    assert tree["inner products a query"] == 199
    assert index.name.startswith("Flat k-means")
    assert index["precision@10"] >= tree_softmax.ENOUGH
    assert "50 held-out contexts" in texts(at)


def test_the_dual_search_runs_as_it_is_shown(app):
    at = app("methods.py", settle=False)
    data = with_queries(small_dataset(), QueryRecipe(count=20))
    found = {"items": data.items, "queries": data.queries}
    exec(at.code[0].value, found)
    assert found["found"].ids.tolist() == exact_top_k(data.items, data.queries, 10).tolist()
