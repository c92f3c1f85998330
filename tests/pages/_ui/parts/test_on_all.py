"""The section on all vectors: its button, what stands there meanwhile, and after."""

from dataclasses import replace
from threading import Event

import pytest

from mips_core import INDEXES
from mips_core.base.errors import DataError
from pages._ui.text.widgets import plain
from pages._ui.tune import search
from pages._ui.work import jobs
from pages._ui.work import on_all as work
from tests.pages.conftest import MAIN, session_of, texts

PLACES = [
    ("build.py", "build on all", "built_on_all"),
    ("tradeoff.py", "on all", "measured_on_all"),
    ("tune.py", "tune on all", "tuned_on_all"),
]


def keys(at):
    return {button.key for button in at.button}


@pytest.fixture
def held(monkeypatch):
    """Let the work of a name wait until the event that this gives is set."""

    def hold(name):
        go_on, done = Event(), getattr(work, name)

        def slow(*what, **how):
            *_, progress = what
            while not go_on.wait(0.01):
                progress(0.3, "the third part")
            return done(*what, **how)

        monkeypatch.setattr(work, name, slow)
        return go_on

    return hold


def begun(at, key):
    """Press the button of this key; the job."""
    at.button(key=key).click().run()
    (job,) = (job for job in jobs.of(session_of(at).owner) if "on all 400" in job.label)
    return job


@pytest.mark.parametrize(("page", "key", "name"), PLACES)
def test_it_lasts_while_the_page_is_left_is_cancelled_and_goes_on(sampled, held, page, key, name):
    at, go_on = sampled.go(page), held(name)
    job = begun(at, key)
    assert f"cancel {key}" in keys(at)
    assert key not in keys(at)
    at.switch_page(str(MAIN.parents[1] / "home.py")).run()
    assert job.active
    at.switch_page(str(MAIN.parents[1] / page)).run()
    at.button(key=f"cancel {key}").click().run()
    assert jobs.wait(60)
    at.run()
    assert "**Cancelled.**" in texts(at)
    go_on.set()
    at.button(key=key).click().run()
    assert jobs.wait(60)
    at.run()
    assert not at.exception
    assert key not in keys(at)
    assert "Cancelled" not in texts(at)


def another_seed(session):
    session.recipe = replace(session.recipe, seed=5)


def another_precision(session):
    search.change(session, precision=0.8)


def another_k(session):
    session.K = 5


def no_method(session):
    session.methods = []


def a_method_without_parts(session):
    session.position = 1


def other_clusters(session):
    session.keep(INDEXES["flat-kmeans"](n_clusters=7))


CHANGES = [
    (PLACES[0], [another_seed, a_method_without_parts, other_clusters]),
    (PLACES[1], [another_seed, a_method_without_parts, other_clusters]),
    (PLACES[2], [another_precision, another_k, no_method]),
]


@pytest.mark.parametrize(
    ("place", "change"), [(place, change) for place, changes in CHANGES for change in changes]
)
def test_what_is_under_way_stays_with_its_own_name_when_another_is_asked_for(
    sampled, held, place, change
):
    page, key, name = place
    at, go_on = sampled.go(page), held(name)
    job = begun(at, key)
    earlier = f"cancel earlier {job.number}"
    assert earlier not in keys(at)
    change(session_of(at))
    at.run()
    assert not at.exception
    assert f"cancel {key}" not in keys(at)
    assert (key in keys(at)) == (change not in (no_method, a_method_without_parts))
    assert "Still under way, for what was asked before:" in texts(at)
    assert any(plain(job.label) in bar.proto.text for bar in at.get("progress"))
    at.button(key=earlier).click().run()
    assert jobs.wait_for(job, 60)
    at.run()
    assert job.state == "cancelled"
    assert "Still under way" not in texts(at)
    go_on.set()


@pytest.mark.parametrize(("page", "key", "name"), PLACES)
def test_why_it_failed_is_told_and_it_can_be_asked_again(sampled, monkeypatch, page, key, name):
    at = sampled.go(page)

    def fails(*what, **how):
        raise DataError("The part part-00001.npy cannot be read: gone.", "Import again.")

    monkeypatch.setattr(work, name, fails)
    at.button(key=key).click().run()
    assert jobs.wait(60)
    at.run()
    assert not at.exception
    assert plain("The part part-00001.npy cannot be read: gone. Import again.") in texts(at)
    assert key in keys(at)


@pytest.mark.parametrize(("page", "key", "name"), PLACES)
def test_without_a_sample_there_is_no_section(app, page, key, name):
    at = app(page, method="flat-kmeans")
    assert not at.exception
    assert not any(header.value.startswith("On all") for header in at.subheader)


@pytest.mark.parametrize(("page", "key", "name"), PLACES)
def test_other_seeds_are_other_work(sampled, page, key, name):
    at = sampled.go(page)
    at.button(key=key).click().run()
    assert jobs.wait(60)
    at.run()
    assert key not in keys(at)
    session = session_of(at)
    session.recipe = replace(session.recipe, seed=5)
    at.run()
    assert key in keys(at)
