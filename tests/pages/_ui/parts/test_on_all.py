"""The section on all vectors: its button, what stands there meanwhile, and after."""

from dataclasses import replace
from threading import Event

import pytest

from mips_core.base.errors import DataError
from pages._ui.text.widgets import plain
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


@pytest.mark.parametrize(("page", "key", "name"), PLACES)
def test_it_lasts_while_the_page_is_left_is_cancelled_and_goes_on(
    sampled, monkeypatch, page, key, name
):
    at, held, done = sampled.go(page), Event(), getattr(work, name)

    def slow(*what, **how):
        *_, progress = what
        while not held.wait(0.01):
            progress(0.3, "the third part")
        return done(*what, **how)

    monkeypatch.setattr(work, name, slow)
    at.button(key=key).click().run()
    (job,) = (job for job in jobs.of(session_of(at).owner) if "on all 400" in job.label)
    assert f"cancel {key}" in keys(at)
    assert key not in keys(at)
    at.switch_page(str(MAIN.parents[1] / "home.py")).run()
    assert job.active
    at.switch_page(str(MAIN.parents[1] / page)).run()
    at.button(key=f"cancel {key}").click().run()
    assert jobs.wait(60)
    at.run()
    assert "**Cancelled.**" in texts(at)
    held.set()
    at.button(key=key).click().run()
    assert jobs.wait(60)
    at.run()
    assert not at.exception
    assert key not in keys(at)
    assert "Cancelled" not in texts(at)


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
