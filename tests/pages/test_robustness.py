"""The Robustness page, run headless on a small data set."""

import time

import numpy as np
import pytest

from mips_core.base.errors import DataError
from mips_core.base.progress import silent
from mips_core.data.metrics import searched_by
from mips_core.data.queries import QueryRecipe, with_queries
from mips_core.studies.noise import SIGMAS, SPEEDUPS, noisy_queries
from mips_core.studies.robustness import robustness
from pages._ui.elements.stepped import read_choice
from pages._ui.elements.stepped_view import Scene, SteppedView, Steps
from pages._ui.robustness import picture
from pages._ui.robustness import progress as robustness_progress
from pages._ui.robustness import work as robustness_work
from pages._ui.robustness.study import study_of
from pages._ui.state import session
from pages._ui.state.page_states import RobustnessState
from pages._ui.state.settings import grid_of
from pages._ui.text.scripts import PAGES
from pages._ui.work import jobs, measurement, results
from tests.pages.conftest import small_dataset
from tests.pages.test_pages import session_of, texts

FEW = ["flat-kmeans", "largest-norm"]


def settled(at):
    """Look again until nothing is left to compute."""
    chosen = session_of(at)
    while robustness_progress.unsettled(study_of(chosen), picture.places_of(chosen)[0]):
        assert jobs.wait(60)
        at.run()
        assert not at.exception
    at.run()  # the last of it may have come after it was drawn
    return at


def opened(app, **address):
    """The page, with everything on it computed."""
    return settled(app("robustness.py", settle=False, **{"method": FEW, **address}))


def at_view(speedup, sigma=0.3):
    return f"speedup={speedup},sigma={sigma}"


@pytest.mark.parametrize("metric", ["inner product", "cosine"])
def test_the_page_has_the_numbers_of_the_library(app, metric):
    at = opened(app, metric=metric, robustness=at_view(5))
    chosen = session_of(at)
    raw = with_queries(small_dataset(), QueryRecipe())
    data = searched_by(raw, metric)
    tried = [index for key in FEW for index in grid_of(chosen, key)]
    noisy = noisy_queries(raw, data)
    expected = robustness(data, noisy, tried, 10, 5.0, seeds=(0, 1, 2))
    study = study_of(chosen)
    for key, method in zip(FEW, expected, strict=True):
        found = study.methods(SPEEDUPS.index(5))[key]
        assert found.solved == method.solved
        assert len(found.by_seed) == 3
        for one, other in zip(found.by_seed, method.by_seed, strict=True):
            assert one.setting == other.setting
            np.testing.assert_array_equal(one.speedup, other.speedup)
            for truth in ("noisy", "clean"):
                np.testing.assert_array_equal(one.histograms[truth], other.histograms[truth])
    view = picture.picture_of(chosen, study)
    assert [scene.complete for scene in view.scenes] == [True] * len(SPEEDUPS)
    assert view.chosen == (SPEEDUPS.index(5), SIGMAS.index(0.3))
    assert f"top {chosen.K}" in view.scenes[2].sentences[6]


def test_a_table_says_what_was_chosen_reached_and_spread(app):
    at = opened(app, robustness=at_view(50))
    table = at.dataframe[0].value
    assert len(table) == len(FEW) * len(SIGMAS)
    assert set(table["speedup_asked"]) == {50}
    assert set(table["builds"]) == {3}
    assert (table["least"] <= table["most"]).all()
    assert (table["least"] <= table["precision@10"]).all()
    assert table["queries"].unique() == [200]
    chosen = session_of(at)
    held = study_of(chosen).methods(SPEEDUPS.index(50)).values()
    for method in held:
        rows = table[table["method"] == method.solved.setting.index.label]
        near = rows["held_to_it"].unique().tolist()
        assert near == ["reached"] if method.solved.reached else near[0].startswith("nearest is ")
    settings = {m.solved.setting.index.label: m.solved.setting.in_words(400) for m in held}
    assert (table["setting"] == table["method"].map(settings)).all()


def test_a_speedup_out_of_reach_is_said(app):
    at = opened(app, method=["flat-kmeans"], robustness=at_view(200))
    chosen = session_of(at)
    view = picture.picture_of(chosen, study_of(chosen))
    assert "no setting near 200×, the nearest is" in view.scenes[-1].note
    assert view.scenes[-1].names["flat-kmeans"].startswith("Flat k-means, ")
    assert at.dataframe[0].value["held_to_it"].str.startswith("nearest is ").all()


def test_truth_and_unit_are_kept_and_in_the_address(app):
    at = opened(app)
    before = picture.picture_of(session_of(at), study_of(session_of(at)))
    at.segmented_control(key="robustness truth").set_value("clean").run()
    assert not at.exception
    chosen = session_of(at)
    assert not robustness_progress.unsettled(study_of(chosen), 7)  # both truths are known at once
    view = picture.picture_of(chosen, study_of(chosen))
    assert [*view.chips] == [*before.chips, "exact"]
    assert np.isfinite(view.scenes[0].traces[-1]["y"]).all()
    assert "before noise" in view.scenes[0].sentences[3]
    at.segmented_control(key="robustness unit").set_value("relative").run()
    settled(at)
    assert session_of(at).states["robustness"] == RobustnessState(truth="clean", unit="relative")
    assert at.query_params["robustness"] in (
        "truth=clean,unit=relative",
        ["truth=clean,unit=relative"],
    )
    assert "rms" in picture.picture_of(chosen, study_of(chosen)).sliders[1].values[3]


def test_the_sliders_are_kept_and_in_the_address(app):
    chosen = session_of(app("robustness.py", settle=False, robustness=at_view(33, 0.12)))
    assert picture.places_of(chosen) == (SPEEDUPS.index(30), SIGMAS.index(0.1))
    picture.keep_places(chosen, (0, 8))
    assert chosen.states["robustness"] == RobustnessState(speedup=2.0, sigma=0.4)


def test_coming_back_finds_everything_again(app):
    at = opened(app)
    began = len(jobs._BOOK)
    at.switch_page(str(PAGES / "home.py")).run()
    at.switch_page(str(PAGES / "robustness.py")).run()
    assert not at.exception
    assert not robustness_progress.unsettled(study_of(session_of(at)), 7)
    assert "are in" not in " ".join(info.value for info in at.info)
    assert len([j for j in jobs._BOOK.values() if j.key[0] == "under noise"]) <= began


def waiting_forever(*inputs):
    while True:
        inputs[-1](0.1, "waiting")
        time.sleep(0.01)


def test_cancelled_work_stays_so_until_it_goes_on(app, monkeypatch):
    with monkeypatch.context() as patch:
        patch.setattr(robustness_work, "under_noise", waiting_forever)
        at = app("robustness.py", settle=False, method=FEW)
        chosen = session_of(at)
        deadline = time.monotonic() + 60
        while not any(j.key[0] == "under noise" and j.active for j in jobs.of(chosen.owner)):
            assert time.monotonic() < deadline
            time.sleep(0.02)
            at.run()
        assert "You may leave the page; the work goes on." in texts(at)
        at.button(key="cancel noise").click().run()
        assert jobs.wait(60)
        at.run()
        assert not at.exception
        assert jobs.of(chosen.owner) == []
        assert "Cancelled after" in texts(at)
        assert not robustness_progress.unsettled(study_of(chosen), 7)
    at.button(key="go on with noise").click().run()
    settled(at)
    assert "Cancelled after" not in texts(at)
    assert at.dataframe[0].value["builds"].unique() == [3]


def setting_of(task):
    """What noise is put on; None where the task is another."""
    return task.key[2] if task.key[0] == "under noise" else None


def test_what_is_known_of_a_method_stands_for_it_until_all_is(app, monkeypatch):
    monkeypatch.setattr(measurement, "measure", waiting_forever)
    chosen = session_of(app("robustness.py", settle=False, method=["flat-kmeans"]))
    monkeypatch.undo()
    study = study_of(chosen)
    for job in jobs.of(chosen.owner):
        jobs.cancel(job)
    assert jobs.wait(10)
    assert study.solved("flat-kmeans") == []
    for number, asked in enumerate(study.grids["flat-kmeans"], 1):
        results.remember(asked.key, asked.make(silent))
        chosen_from = {one.setting.index for one in study.solved("flat-kmeans")}
        assert chosen_from <= {known.index for known in study.grids["flat-kmeans"][:number]}
    results.remember(study.noise.key, study.noise.make(silent))
    first = next(setting_of(task) for _, task in study.tasks(7) if setting_of(task))
    assert first == study.solved("flat-kmeans")[7].setting


def test_what_is_nearest_to_the_slider_comes_first(app):
    study = study_of(session_of(opened(app)))
    for at in (0, 7, 12):
        order = {}
        for wanted, task in study.tasks(at):
            order.setdefault(setting_of(task), wanted)
        for key in FEW:
            solved = study.solved(key)
            places = [order[one.setting] for one in solved]
            assert min(places) == places[at]
            seeds = [order[setting_of(task)] for task in study.others(solved[at])]
            assert min(seeds) > max(places)


def test_a_failure_is_said_and_not_tried_for_ever(app, monkeypatch):
    def fail(*inputs, **known):
        raise DataError("The noise is too large.", "Take less.")

    monkeypatch.setattr(robustness_work, "noisy_queries", fail)
    at = opened(app)
    assert "could not be done" in texts(at)
    assert "The noise is too large." in texts(at)
    assert len(at.dataframe) == 0


@pytest.mark.parametrize(("count", "words"), [(1, "1 query"), (7, "7 queries")])
def test_few_queries_are_chosen_and_scored_on_and_that_is_said(app, count, words):
    at = opened(app, method=["largest-norm"], queries=f"rows {count} 0.1 no")
    assert f"With {words}, fewer than 20, settings were chosen at σ = 0 on what they" in texts(at)
    assert at.dataframe[0].value["queries"].unique() == [count]


def test_no_method_is_a_choice_too(app):
    chosen = session_of(opened(app, method=["none"]))
    view = picture.picture_of(chosen, study_of(chosen))
    assert "Choose some above" in view.scenes[0].sentences[0]


def test_a_link_to_what_is_no_choice_keeps_the_rest(app):
    chosen = session_of(opened(app, method=["exact", "largest-norm"]))
    assert chosen.methods == ["largest-norm"]


@pytest.mark.parametrize("n", [2, 3, 5])
def test_the_smallest_data_has_the_page_too(app, monkeypatch, n):
    monkeypatch.setattr(session, "load_from_catalog", lambda key: small_dataset(n=n, d=1))
    at = opened(app)
    assert set(at.dataframe[0].value["method"]) == {"Flat k-means", "Largest norms"}


def test_candidates_that_depend_on_k_are_asked_for_each(app):
    at = opened(app, method=["ip-tree"])
    chosen = session_of(at)
    chosen.K = 3
    assert all(not method.by_seed for method in study_of(chosen).methods(7).values())


def test_simulated_data_is_named(app, monkeypatch):
    monkeypatch.setattr(session, "load_from_catalog", lambda key: small_dataset(simulated=True))
    at = opened(app, method=["largest-norm"])
    assert "no real people" in texts(at)
    chosen = session_of(at)
    view = picture.picture_of(chosen, study_of(chosen))
    assert "Simulated data" in str(view.scenes[0].layout["annotations"])
    assert at.dataframe[0].value["simulated"].all()


def stepped_view(**changes):
    scene = Scene([{"y": [1.0]}], ["one", "two"])
    steps = Steps("S", ["a", "b"], ["", ""])
    known = {
        **{"figure": {"data": [{}], "layout": {}}, "scenes": [scene, scene]},
        **{"places": [0.0, 1.0], "sliders": (steps, steps), "chosen": (0, 1), "alt": ""},
    }
    return SteppedView(**{**known, **changes})


@pytest.mark.parametrize(
    "changes",
    [
        {"chosen": (2, 0)},
        {"chosen": (0, -1)},
        {"places": [0.0]},
        {"scenes": [Scene([{}], ["one", "two"])]},
        {"scenes": [Scene([], ["one", "two"])] * 2},
        {"scenes": [Scene([{}], ["one"])] * 2},
    ],
)
def test_a_view_that_does_not_fit_its_sliders_is_refused(changes):
    with pytest.raises(ValueError, match="slider"):
        stepped_view(**changes)
    with pytest.raises(ValueError, match="slider"):
        Steps("S", ["a"], [])


@pytest.mark.parametrize(
    ("sent", "read"),
    [
        ({"topic": "", "at": [1, 0], "serial": 1}, (1, 0)),
        ({"topic": "other", "at": [1, 0]}, (0, 1)),
        ({"topic": "", "at": [2, 0]}, (0, 1)),
        ({"topic": "", "at": [0, -1]}, (0, 1)),
        ({"topic": "", "at": ["0", 1]}, (0, 1)),
        ({"topic": "", "at": [1]}, (0, 1)),
        ({}, (0, 1)),
        (None, (0, 1)),
    ],
)
def test_only_what_makes_sense_is_read(sent, read):
    assert read_choice(sent, stepped_view()) == read
