"""The Data page: what ranks the items, seen on every page and in the link; what is taken away."""

import h5py
import numpy as np
import pytest

from mips_core.data.dataset import Dataset
from mips_core.serving.export import write_ann_benchmarks, write_npz
from pages._ui.data import queries
from pages._ui.parts import data_export
from pages._ui.state import dataset_in_use, session
from pages._ui.work import uploads
from tests.pages.conftest import small_dataset
from tests.pages.data_page import PAGE, PAGES, npy, numbers, press, session_of, texts, upload

FEW = {"method": "flat-kmeans"}


@pytest.fixture
def at(app):
    """The Data page on the shipped data, with little measured beside it."""
    return app(PAGE, **FEW)


def choose_metric(at, metric):
    at.segmented_control(key="data metric").set_value(metric).run()
    assert not at.exception
    return at


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
        chosen = session_of(at)
        assert (chosen.metric, chosen.dataset.metric) == (metric, metric)
        assert at.query_params["metric"] in (metric, [metric])
        assert "✓ small is searched now" in texts(at)

    def test_the_best_item_is_that_of_the_metric(self, at):
        press(choose_metric(at, "euclidean"), "Use this data")
        chosen = session_of(at)
        asked = dataset_in_use.searched(chosen.source, chosen.recipe).queries
        distances = np.linalg.norm(asked[:, None] - chosen.source.items[None], axis=2)
        scores = chosen.dataset.queries.astype(float) @ chosen.dataset.items.T.astype(float)
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


class TestTakeAway:
    def test_buttons_are_there_for_what_is_in_use(self, at):
        assert [button.label for button in at.get("download_button")] == [
            "NumPy (.npz)", "ann-benchmarks (.hdf5)"
        ]  # fmt: skip
        choose_metric(at, "cosine")
        assert len(at.get("download_button")) == 0  # not of what is not used yet

    @pytest.mark.parametrize("metric", ["inner product", "euclidean"])
    def test_files_hold_the_raw_vectors_and_the_answers_of_the_metric(self, at, metric):
        press(choose_metric(at, "cosine"), "Use this data")
        press(choose_metric(at, metric), "Use this data")
        chosen = session_of(at)
        with np.load(data_export._made(chosen, write_npz)()) as found:
            assert np.array_equal(found["items"], chosen.source.items)
            assert found["queries"].shape == (400, 6)
            best = found["neighbors"][:, 0]
            X, Q = found["items"].astype(float), found["queries"].astype(float)
        scores = Q @ X.T
        if metric == "euclidean":
            scores = -np.linalg.norm(Q[:, None] - X[None], axis=2)
        assert np.array_equal(best, scores.argmax(axis=1))
        with h5py.File(data_export._made(chosen, write_ann_benchmarks)()) as found:
            assert np.array_equal(found["train"][:], chosen.source.items)
            assert found["neighbors"].shape == (400, 100)

    @pytest.mark.parametrize(
        ("name", "metric", "stem"),
        [
            ("GloVe 6B words", "inner product", "glove-6b-words-400"),
            ("a/b\\c: <x>", "cosine", "a-b-c-x-cosine-400"),
            ("...", "inner product", "vectors-400"),
            ("字 words", "euclidean", "字-words-euclidean-400"),
        ],
    )
    def test_file_names(self, name, metric, stem):
        recipe = session.QueryRecipe(count=400)
        chosen = session.Session(small_dataset(name=name), "", recipe, metric=metric)
        assert data_export.file_stem(chosen) == stem


def test_nothing_changes_where_data_cannot_be_searched_so():
    chosen = session.Session(small_dataset(), "small", session.QueryRecipe())
    layer = small_dataset(30, logits=True)
    with pytest.raises(ValueError, match="softmax layer"):
        chosen.use(layer, layer.fingerprint, session.QueryRecipe(), "cosine")
    assert chosen.source.name == "small"
    assert not chosen.source.logits
