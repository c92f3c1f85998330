"""Tune, run headless: the answer from what is known, the search behind it, what can be done."""

import json
import time
from dataclasses import replace

import numpy as np
import pytest
from streamlit.testing.v1 import AppTest

from mips_core import INDEXES, DataError, Dataset
from mips_core.studies.tuning import Budget, Need, cheapest, most_precise
from mips_core.studies.tuning.wording import close_call_in_words
from pages._ui.state import session as choices
from pages._ui.tune import growth_work, recommendation
from pages._ui.tune import search as tune_search
from pages._ui.work import jobs, measurement
from tests.pages.conftest import MAIN, small_dataset
from tests.pages.test_pages import session_of, texts

FEW = ["srp-hash", "largest-norm"]  # nothing of them is known from other pages


def opened(method=FEW, **address):
    """Tune as a visitor with this link sees it; Home, passed on the way, has measured its own."""
    at = AppTest.from_file(MAIN, default_timeout=60)
    for name, value in {"method": method, **address}.items():
        at.query_params[name] = value
    at.run()  # the pages are known after a first run
    at.switch_page(str(MAIN.parents[1] / "tune.py"))
    assert jobs.wait(60)
    return at.run()


def search(at):
    """Press the button and look until nothing more comes."""
    at.button(key="tune find").click().run()
    return look(at)


def look(at):
    while tune_search.watching(session_of(at)):
        assert jobs.wait(60)
        at.run()
    return at.run()  # what ended since the last look


def words(at):
    return " ".join([texts(at), *(warning.value for warning in at.warning)])


def slide(at, name, value):
    """Move a slider, as the browser would."""
    at.session_state[f"tune {name}"] = {"choice": {"value": value, "serial": time.monotonic()}}
    return at.run()


def sliders(at):
    """Labels and values of the sliders on the page."""
    found = [json.loads(e.proto.json) for e in at.get("bidi_component")
             if e.proto.component_name == "mips_value"]  # fmt: skip
    return {told["label"]: told["values"][told["at"]] for told in found}


def known(at):
    return tune_search.known(session_of(at))


def table(at):
    return at.dataframe[0].value


@pytest.fixture
def use(monkeypatch):
    """Put a data set in the place of the small one."""
    return lambda dataset: monkeypatch.setattr(choices, "load_from_catalog", lambda key: dataset)


def test_nothing_starts_without_the_button():
    at = opened()
    assert not at.exception
    assert "Nothing was tried yet" in words(at)
    assert not jobs.of(session_of(at).owner)
    assert not known(at)
    assert sliders(at) == {"Precision@10, at least": 0.95, "Sure of it": 0.95}


def test_what_other_pages_measured_is_answered_from_at_once():
    at = opened(method=["flat-kmeans", "srp-hash"])
    (tried,) = known(at)
    assert tried.evaluation.index.key == "flat-kmeans"
    assert "settings of 1 index tried" in words(at)
    assert "The search would try" in words(at)
    assert at.success[0].value.startswith("**Flat k-means, 20 clusters")


def test_the_search_tries_every_grid_and_between_and_answers_as_the_library_does():
    at = search(opened())
    assert not at.exception
    n, d = small_dataset().n, small_dataset().d
    tried = {t.evaluation.index for t in known(at)}
    grids = {step.explicit(n) for key in FEW for step in INDEXES[key].grid(n, d)}
    assert grids < tried
    assert {index.key for index in tried} == set(FEW)
    tuned = cheapest(known(at), 10, Need(0.95, 0.95))
    assert at.success[0].value == tuned.in_words().removesuffix(close_call_in_words(tuned)).strip()
    chosen = table(at)[table(at)["answer"]]
    assert chosen["inner_products"].tolist() == [tuned.chosen.cost]
    assert table(at)["inner_products"].is_monotonic_increasing
    assert set(table(at)["queries"]) == {tuned.m_held_out}
    assert "would try" not in words(at)


def test_sliders_change_the_answer_and_start_nothing():
    at = search(opened())
    before, count = at.success[0].value, len(known(at))
    slide(at, "precision", 0.7)
    assert at.success[0].value != before
    need = Need(0.7, 0.95)
    assert table(at)["inner_products"].min() <= cheapest(known(at), 10, need).chosen.cost
    slide(at, "confidence", 0.999)
    assert "with 99.9% confidence" in at.success[0].value
    assert sliders(at) == {"Precision@10, at least": 0.7, "Sure of it": 0.999}
    assert (len(known(at)), jobs.of(session_of(at).owner)) == (count, [])
    assert at.query_params["tune"] == "precision=0.7,confidence=0.999"


def test_why_what_is_cheaper_is_not_the_answer_is_said():
    at = search(opened())
    assert "from the safest to the cheapest, until one fails" in words(at)
    tuned = cheapest(known(at), 10, Need(0.95, 0.95))
    sure = replace(tuned.chosen, interval=(0.96, 1.0), verdict="cannot tell")
    assert "was not tested" in recommendation.order_in_words(tuned, [sure])
    unsure = replace(sure, interval=(0.94, 1.0))
    assert "was not tested" not in recommendation.order_in_words(tuned, [unsure])
    none = recommendation.order_in_words(replace(tuned, chosen=None), [sure])
    assert "until one fails, here the first. What was not tested" in none


def test_another_k_is_answered_at_once():
    at = search(opened())
    at.segmented_control(key="context K 10").set_value(1).run()
    assert not at.exception
    assert "of the true top 1," in at.success[0].value
    assert "precision@1" in table(at).columns
    assert tune_search.under_way(session_of(at))


def test_a_target_that_nothing_reaches_says_the_best_there_is():
    at = slide(search(opened()), "precision", 1.0)
    (said,) = at.warning
    best = cheapest(known(at), 10, Need(1.0, 0.95)).best
    assert "No setting reaches 1 at 95% confidence" in said.value
    assert best.setting.in_words(400) in said.value
    assert "tune use" not in {button.key for button in at.button}
    assert not table(at)["answer"].any()


def test_a_budget_is_kept_and_one_that_nothing_keeps_is_said():
    at = search(opened())
    at.segmented_control(key="tune known").set_value("budget").run()
    next(f for f in at.number_input if f.label.startswith("Inner products")).set_value(120).run()
    assert not at.exception
    assert at.success[0].value == most_precise(known(at), 10, Budget(120)).in_words()
    assert at.query_params["tune"] == "known=budget,inner_products=120"
    assert sliders(at) == {}
    next(f for f in at.number_input if f.label.startswith("Seconds")).set_value(1e-9).run()
    assert "No setting keeps the budget" in at.warning[0].value
    assert not at.dataframe  # rather than an empty table
    next(f for f in at.number_input if f.label.startswith("Seconds")).set_value(None).run()
    assert at.success[0].value == most_precise(known(at), 10, Budget(120)).in_words()


def test_using_the_setting_keeps_the_index_and_the_effort():
    at = search(opened())
    setting = cheapest(known(at), 10, Need(0.95, 0.95)).chosen.setting
    at.button(key="tune use").click().run()
    session = session_of(at)
    assert session.index == setting.index
    assert session.effort == setting.effort
    assert "under the slider" in words(at)
    assert at.button(key="tune use").disabled
    assert at.query_params["effort"] == str(setting.effort)


def test_settling_the_close_call_asks_more_queries_and_searches_again():
    at = search(opened(queries="rows 100 0.1 no"))
    tuned = cheapest(known(at), 10, Need(0.95, 0.95))
    assert tuned.queries_needed > 100
    assert close_call_in_words(tuned) in words(at)
    at.button(key="tune settle").click().run()
    look(at)
    assert session_of(at).recipe.count == min(tuned.queries_needed, 400)
    assert {t.evaluation.truth.m for t in known(at)} == {session_of(at).dataset.m}
    assert len(known(at)) >= 2


class Gate:
    """Lets so many measurements through; the others wait until it is opened, or are cancelled."""

    def __init__(self, measure):
        self.measure, self.through, self.asked = measure, 1000, 0

    def __call__(self, *inputs):
        self.asked += 1
        while self.asked > self.through:
            inputs[-1](0.5, "waiting")
            time.sleep(0.01)
        return self.measure(*inputs)


def test_a_search_shows_its_best_can_be_cancelled_and_gone_on_with(monkeypatch):
    gate = Gate(measurement.measure)
    monkeypatch.setattr(measurement, "measure", gate)
    at = opened()
    gate.asked, gate.through = 0, 2
    at.button(key="tune find").click().run()
    while gate.asked < 3:
        time.sleep(0.01)
    at.run()
    assert len(known(at)) == 2
    assert "**2 of" in words(at)
    assert "The best so far is shown" in words(at)
    assert at.success or at.warning
    assert at.button(key="tune find").disabled
    at.button(key="cancel settings").click().run()
    assert jobs.wait(5)
    at.run()
    assert "Cancelled after 2 of" in words(at)
    assert at.success or at.warning
    assert not at.button(key="tune find").disabled
    assert not tune_search.watching(session_of(at))
    gate.through = 1000
    at.button(key="go on").click().run()
    look(at)
    assert "Cancelled" not in words(at)
    assert len(known(at)) == len(tune_search.wanted(session_of(at)))


def test_leaving_and_returning_keeps_all_and_a_link_asks_the_same():
    at = search(slide(opened(), "precision", 0.8))
    said, link = at.success[0].value, dict(at.query_params)
    at.switch_page(str(MAIN.parents[1] / "home.py")).run()
    at.switch_page(str(MAIN.parents[1] / "tune.py")).run()
    assert at.success[0].value == said
    other = opened(**{name: value for name, value in link.items() if name != "method"})
    assert other.success[0].value == said
    assert sliders(other)["Precision@10, at least"] == 0.8


def test_other_queries_need_the_button_again():
    at = search(opened())
    at.number_input(key="context seed 0").set_value(4).run()
    assert "Nothing was tried yet" in words(at)
    assert not jobs.of(session_of(at).owner)
    assert not at.button(key="tune find").disabled


def test_another_method_needs_the_button_again():
    at = search(opened())
    session_of(at).methods.append("pca-tree")
    at.run()
    assert "The search would try" in words(at)
    assert not jobs.of(session_of(at).owner)


@pytest.mark.parametrize("count", [1, 19])
def test_too_few_queries_are_said(count):
    at = opened(method=["flat-kmeans"], queries=f"rows {count} 0.1 no")
    assert not at.exception
    (said,) = at.warning  # once, also where something is known from other pages
    assert f"{count} quer" in said.value
    assert "half of them are held out" in said.value
    assert "Nothing was tried yet" not in words(at)
    assert at.button(key="tune find").disabled


def test_no_method_is_said():
    at = opened(method="none")
    assert "No method is chosen" in words(at)
    assert at.button(key="tune find").disabled


@pytest.mark.parametrize("n", [1, 5])
def test_very_few_items_and_k_beyond_them(use, n):
    X = np.random.default_rng(1).normal(size=(n, 4)).astype(np.float32)
    queries = np.random.default_rng(2).normal(size=(40, 4)).astype(np.float32)
    use(Dataset(X, queries, name="tiny"))
    at = search(opened(method=["flat-kmeans", "largest-norm"], k="100"))
    assert not at.exception
    assert f"of the true top {n}" in words(at) or f"Precision@{n}" in str(sliders(at))
    assert at.success or at.warning


def test_all_items_alike(use):
    use(Dataset(np.ones((50, 3), np.float32), name="equal"))
    at = search(opened())
    assert not at.exception
    assert at.success or at.warning


def test_an_index_whose_candidates_depend_on_k_is_asked_at_each():
    at = search(opened(method=["ip-tree"]))
    assert "of the true top 10" in at.success[0].value
    at.segmented_control(key="context K 10").set_value(1).run()
    assert "Nothing was tried yet" in words(at)


def test_cosine_and_simulated_data(use):
    use(small_dataset(simulated=True))
    at = search(opened(metric="cosine"))
    assert not at.exception
    assert "Simulated ratings" in words(at)
    assert set(table(at)["simulated"]) == {True}
    assert set(table(at)["metric"]) == {"cosine"}


def grows(at):
    """Measure how it scales, and look until it is there."""
    at.button(key="tune scale").click().run()
    assert jobs.wait(60)
    return at.run()


def test_how_the_answer_grows_is_measured_and_told(use):
    use(small_dataset(n=1200))
    at = opened(method=["flat-kmeans"], queries="rows 100 0.1 no")
    assert "If the data grows" in [expander.label for expander in at.expander]
    assert "extrapolated from sub-samples of this data" in words(at)
    grows(at)
    assert not at.exception
    assert "At **12,000 items** (10 times as many)" in words(at)
    assert at.dataframe[1].value["items"].tolist() == [150, 300, 600, 1200]
    next(f for f in at.number_input if f.label == "Items then").set_value(30_000).run()
    assert "At **30,000 items** (25 times as many)" in words(at)
    assert at.query_params["tune"] == "items=30000"
    slide(at, "precision", 0.8)
    assert at.button(key="tune scale")  # another target is another measurement


def test_few_items_cannot_be_extrapolated():
    at = opened(method=["flat-kmeans"])
    assert "it takes 1,000 or more" in words(at)
    assert "tune scale" not in {button.key for button in at.button}


def test_measuring_growth_can_be_cancelled(use, monkeypatch):
    def slow(*asked, progress):
        while True:
            progress(0.1, "waiting")
            time.sleep(0.01)

    use(small_dataset(n=1200))
    at = opened(method=["flat-kmeans"], queries="rows 100 0.1 no")
    with monkeypatch.context() as patch:
        patch.setattr(growth_work, "measure_scaling", slow)
        at.button(key="tune scale").click().run()
        assert at.button(key="tune scale").disabled
        at.button(key="cancel scaling").click().run()
        assert jobs.wait(5)
        at.run()
        assert "Cancelled" in words(at)
    grows(at)
    assert "prediction intervals" in words(at)


def test_growth_that_fails_is_said(use, monkeypatch):
    def broken(*asked, progress):
        raise DataError("Nothing to *see*.", "Look elsewhere.")

    use(small_dataset(n=1200))
    monkeypatch.setattr(growth_work, "measure_scaling", broken)
    at = grows(opened(method=["flat-kmeans"], queries="rows 100 0.1 no"))
    assert any("Nothing to \\*see\\*" in error.value for error in at.error)
