"""What ranks the items, and the choice of queries."""

import numpy as np
import pytest

from mips_core.data.dataset import Dataset
from pages._ui.data import queries
from pages._ui.state import dataset_in_use, session
from pages._ui.work import uploads
from tests.pages.conftest import small_dataset
from tests.pages.data_page import (
    PAGE,
    PAGES,
    choose_metric,
    npy,
    numbers,
    press,
    session_of,
    texts,
    upload,
)


def test_a_field_that_reports_what_it_was_drawn_with_chose_nothing(at, monkeypatch):
    session = session_of(at)
    monkeypatch.setattr(queries.app_state, "current", lambda: session)
    for value, taken in ((24, None), (None, None), (25, 25)):
        monkeypatch.setattr(queries.app_state, "widget", lambda key, value=value: value)
        queries._take("count", session.recipe, 24)
        assert (session.draft.recipe and session.draft.recipe.count) == taken


def test_changed_queries_are_used_with_the_same_data(at):
    at.number_input(key="data queries count").set_value(20).run()
    assert "Not used yet" in texts(at)
    assert session_of(at).recipe.count == 500
    press(at, "Use this data")
    assert session_of(at).recipe.count == 20
    at.segmented_control(key="data queries source").set_value("noisy").run()
    at.number_input(key="data queries noise").set_value(0.5).run()
    press(at, "Use this data")
    recipe = session_of(at).recipe
    assert (recipe.source, recipe.count, recipe.noise) == ("noisy", 20, 0.5)
    at.segmented_control(key="data queries source").set_value("rows").run()
    press(at, "Keep small")
    assert session_of(at).recipe == recipe
    assert at.segmented_control(key="data queries source").value == "noisy"


def test_a_shipped_set_with_users(app, monkeypatch):
    sets = {
        "glove-6b-50d": small_dataset(),
        "simulated-ratings": small_dataset(
            60, queries=numbers(9, 6), name="Made up", simulated=True
        ),
    }
    monkeypatch.setattr(session, "load_from_catalog", sets.__getitem__)
    at = app(PAGE)
    at.radio(key="data shipped").set_value("simulated-ratings").run()
    assert "Simulated ratings. Made by the seeded generator" in texts(at)
    assert at.segmented_control(key="data queries source").options[-1] == "Users"
    assert session_of(at).data == "glove-6b-50d"
    press(at, "Use this data")
    assert session_of(at).data == "simulated-ratings"
    assert session_of(at).recipe.source == "own"
    assert session_of(at).dataset.m == 9


FEW = {"method": "flat-kmeans"}


class TestMetric:
    @pytest.mark.parametrize("metric", ["cosine", "euclidean"])
    def test_it_is_used_with_the_data_and_not_before(self, at, metric):
        control = at.segmented_control(key="data metric")
        assert control.options == ["Inner product", "Cosine", "Euclidean distance"]
        choose_metric(at, metric)
        assert "Solved exactly as inner product search" in texts(at)
        assert "Not used yet" in texts(at)
        assert session_of(at).metric == "inner product"
        press(at, "Use this data")
        session = session_of(at)
        assert (session.metric, session.dataset.metric) == (metric, metric)
        assert at.query_params["metric"] in (metric, [metric])
        assert "✓ small is searched now" in texts(at)

    def test_the_best_item_is_that_of_the_metric(self, at):
        press(choose_metric(at, "euclidean"), "Use this data")
        session = session_of(at)
        asked = dataset_in_use.searched(session.source, session.recipe).queries
        distances = np.linalg.norm(asked[:, None] - session.source.items[None], axis=2)
        scores = session.dataset.queries.astype(float) @ session.dataset.items.T.astype(float)
        assert np.array_equal(scores.argmax(axis=1), distances.argmin(axis=1))

    def test_every_page_says_it(self, app):
        at = app("tradeoff.py", metric="cosine", **FEW)
        for page in ("tradeoff.py", "build.py", "home.py"):
            at.switch_page(str(PAGES / page)).run()
            assert "by **cosine**" in [block.proto.popover.label for block in at.get("popover")]
        assert session_of(at).metric == "cosine"

    def test_keep_takes_the_choice_back(self, at):
        press(choose_metric(at, "cosine"), "Keep small")
        assert session_of(at).metric == "inner product"
        assert at.segmented_control(key="data metric").value == "inner product"

    def test_other_data_keep_it(self, at):
        press(choose_metric(at, "cosine"), "Use this data")
        upload(at, "mine.npy", npy(numbers(30)))
        assert at.segmented_control(key="data metric").value == "cosine"
        press(at, "Use this data")
        assert session_of(at).dataset.metric == "cosine"

    def test_equal_norms_make_all_three_one(self, at):
        X = numbers(30)
        upload(at, "unit.npy", npy(X / np.linalg.norm(X, axis=1, keepdims=True)))
        assert queries.COINCIDE in texts(at)

    def test_logits_are_inner_products(self, at):
        press(choose_metric(at, "cosine"), "Use this data")
        layer = {"W.npy": npy(numbers(12)), "b.npy": npy(numbers(12)[:, 0])}
        upload(at, batch=layer)
        assert queries.LOGITS in texts(at)
        press(at, "Use this data")
        assert session_of(at).metric == "inner product"
        assert "by **logit**" in [block.proto.popover.label for block in at.get("popover")]

    def test_a_link_cannot_ask_for_what_cannot_be(self, app, monkeypatch):
        layer = Dataset(numbers(40), name="layer", logits=True)
        uploads.hold(layer)
        at = app(PAGE, data=layer.fingerprint, metric="cosine", **FEW)
        assert not at.exception
        assert session_of(at).metric == "inner product"

    def test_a_metric_the_data_cannot_have_is_refused_when_used(self, at):
        upload(at, "huge.npy", npy(np.sign(numbers(30)) * np.float32(9e14)))
        press(choose_metric(at, "euclidean"), "Use this data")
        assert "too much for squared distances" in at.error[0].value
        assert session_of(at).source.name == "small"

    def test_items_are_converted_once_for_all_recipes(self):
        source = small_dataset(50)
        recipes = [session.QueryRecipe(count=count) for count in (5, 6)]
        first, second = (dataset_in_use.searched(source, recipe, "cosine") for recipe in recipes)
        assert first.items is second.items
        assert (first.m, second.m) == (5, 6)
        assert dataset_in_use.searched(source, recipes[0], "cosine") is first
