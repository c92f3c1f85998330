"""The search behind Tune: what it tries, and how it goes on."""

import re
import time
from dataclasses import replace

import pytest

from mips_core import INDEXES
from mips_core.base.text import counted
from mips_core.studies import forecast
from mips_core.studies.tuning import Need, cheapest, in_words, scouting
from mips_core.studies.tuning.standing import Omission
from mips_core.studies.tuning.wording import close_call_in_words
from pages._ui.state.session import usual
from pages._ui.state.settings import ladder
from pages._ui.tune import search as tune_search
from pages._ui.tune.answer import answer_of
from pages._ui.work import jobs, measurement
from tests.pages.conftest import session_of, small_dataset
from tests.pages.tune_page import FEW, known, look, opened, search, slide, table, words


def test_the_search_tries_every_grid_and_between_and_answers_as_the_library_does():
    at = search(opened())
    assert not at.exception
    n, d = small_dataset().n, small_dataset().d
    tried = {t.evaluation.index for t in known(at)}
    grids = {step.explicit(n) for key in FEW for step in INDEXES[key].grid(n, d)}
    assert grids < tried
    assert {index.key for index in tried} == set(FEW)
    tuned = cheapest(known(at), 10, Need(0.95, 0.95))
    assert at.success[0].value == in_words(tuned).removesuffix(close_call_in_words(tuned)).strip()
    chosen = table(at)[table(at)["answer"]]
    assert chosen["inner_products"].tolist() == [tuned.chosen.cost]
    assert table(at)["inner_products"].is_monotonic_increasing
    assert set(table(at)["queries"]) == {tuned.m_held_out}
    assert "would try" not in words(at)


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


def provisional(at, count):
    """Whether the best of so many settings is shown, and nothing is promised of it."""
    assert not at.success
    assert "holds" not in set(table(at)["verdict"])
    assert not table(at)["answer"].any()
    assert not {"tune use", "tune settle"} & {button.key for button in at.button}
    return re.search(rf":gray\[\*\*Provisional: (best )?of {count} of \d+ settings", words(at))


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
    assert "the rest may make it cheaper or dearer" in words(at)
    assert provisional(at, 2)
    assert at.button(key="tune find").disabled
    at.button(key="cancel settings").click().run()
    assert jobs.wait(5)
    at.run()
    assert "Cancelled after 2 of" in words(at)
    assert provisional(at, 2)
    assert not at.button(key="tune find").disabled
    assert not tune_search.watching(session_of(at))
    gate.through = 1000
    at.button(key="go on").click().run()
    look(at)
    assert "Cancelled" not in words(at)
    assert len(known(at)) == len(tune_search.wanted(session_of(at)))


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


def test_an_index_whose_candidates_depend_on_k_is_asked_at_each():
    at = search(opened(method=["ip-tree"]))
    assert "of the true top 10" in at.success[0].value
    at.segmented_control(key="context K 10").set_value(1).run()
    assert "Nothing was tried yet" in words(at)


@pytest.fixture
def many(monkeypatch):
    """The small set counts as many items, of which samples are taken."""
    monkeypatch.setattr(forecast, "LARGE", 300)
    monkeypatch.setattr(scouting, "SAMPLES", (100, 200))
    monkeypatch.setattr(scouting, "KEPT", (6, 3))
    monkeypatch.setattr(scouting, "EACH", 0)


def test_of_many_items_the_likeliest_on_samples_are_built_and_the_page_says_so(many):
    at = opened(["flat-kmeans", "srp-hash"])
    session = session_of(at)
    grids = {one.index for one in tune_search.wanted(session)}
    search(at)
    assert not at.exception
    told, wanted = tune_search.samples(session).result, tune_search.wanted(session)
    likely = told.indexes
    assert {one.index for one in wanted} >= set(likely)
    assert len({index.structure_key() for index in likely}) <= 3
    assert len(wanted) <= len(likely) + 2 < len(grids)
    tuned = cheapest([tried for one in wanted if (tried := one.result)], 10, Need(0.95, 0.95))
    assert at.success[0].value == in_words(tuned).removesuffix(close_call_in_words(tuned)).strip()
    others = len(grids - {one.index for one in wanted})
    assert f"{others} other settings were tried on samples" in words(at)
    assert "What is promised does not rest on samples" in words(at)
    for one in told.left_out:
        assert one.in_words() in words(at)
    assert bool(told.left_out) == (len({index.key for index in likely}) < 2)
    assert search(at).success[0].value == at.success[0].value


def test_what_samples_told_for_another_target_is_no_reason_for_this_one(many, monkeypatch):
    gone = Omission("srp-hash", "SRP", 100, "seems to cost 9.0× the best on all items")

    def told(*inputs):
        return replace(scouting.likeliest(*inputs), left_out=(gone,))

    monkeypatch.setattr(tune_search, "likeliest", told)
    at = search(opened(["flat-kmeans", "srp-hash"]))
    assert gone.in_words() in words(at)
    slide(at, "precision", 0.6)
    assert gone.in_words() not in words(at)
    assert "seemed dearer" not in words(at)
    assert "on samples alone, for another target than this: press *Find the cheapest" in words(at)
    assert not at.button(key="tune find").disabled
    assert answer_of(session_of(at)).left_out == ()
    search(at)
    assert gone.in_words() in words(at)
    assert "another target" not in words(at)


def test_only_what_was_tried_on_samples_is_said_to_be(many):
    """In faiss nothing else is, where that is a must; some of it is built after all."""
    at = search(opened(["flat-kmeans", "srp-hash"], tune="faiss=yes"))
    session = session_of(at)
    assert not at.exception
    grid = set(INDEXES["flat-kmeans"].grid(session.source.n, session.source.d))
    built = {one.index for one in tune_search.wanted(session)}
    others = len({index.explicit(session.source.n) for index in grid} - built)
    said = counted(others, "other setting was", "other settings were")
    assert f"{said} tried on samples" in words(at)


def test_where_nothing_runs_in_faiss_no_sample_is_looked_at(many):
    at = search(opened(["srp-hash"]))
    at.toggle(key="tune faiss").set_value(True).run()
    assert jobs.wait(60)
    at.run()
    assert tune_search.samples(session_of(at)) is None
    assert "None of the methods chosen runs in faiss." in words(at)
    assert not at.exception


def test_samples_stay_wherever_the_slider_stands(many):
    session = usual(small_dataset(), "small")
    session.methods = ["flat-kmeans", "hierarchical-kmeans"]
    before = tune_search.samples(session)
    for step in ladder(session.index, session.source.n, session.source.d):
        session.put_under_slider(step, 1)
        assert tune_search.samples(session).key == before.key


def test_samples_show_how_far_they_are_and_are_cancelled(many, monkeypatch):
    def waits(*inputs):
        while True:
            inputs[-1](0.25, "sample of 100 items: flat")
            time.sleep(0.01)

    monkeypatch.setattr(tune_search, "likeliest", waits)
    at = opened()
    at.button(key="tune find").click().run()
    look = tune_search.samples(session_of(at))
    while look.job is None or not look.job.fraction:
        time.sleep(0.01)
    at.run()
    assert tune_search.busy(session_of(at))
    assert "sample of 100 items" in "".join(bar.proto.text for bar in at.get("progress"))
    assert not at.success
    at.button(key="tune cancel samples").click().run()
    assert jobs.wait(5)
    at.run()
    assert not tune_search.watching(session_of(at))
    assert not at.button(key="tune find").disabled
    assert not at.success
