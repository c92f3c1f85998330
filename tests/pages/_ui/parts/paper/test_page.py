"""The Paper page: what is measured, how far it is, and what comes of it."""

import pytest

from mips_core.studies.paper.one_set import OneSet
from mips_core.studies.paper.units import UnitFolder
from pages._ui.parts.paper import work
from pages._ui.state.paper_state import PaperState
from pages._ui.work import jobs
from tests.mips_core.studies.paper.paper_cases import few, whole
from tests.pages._ui.parts.paper.conftest import said
from tests.pages.conftest import begin_anew, session_of, small_dataset


def pressed(at):
    at.button(key="paper measure").click().run()
    assert jobs.wait(300)
    at.run()
    assert not at.exception
    return at


def test_nothing_is_measured_before_the_button_is_pressed(opened, monkeypatch):
    monkeypatch.setattr(work, "run_paper", lambda sets, *more: whole())
    at = opened()
    assert work.paper_of(session_of(at)).job is None
    assert "Measure the paper’s figures anew" in said(at)
    assert "Searched by inner product: small" in said(at)
    pressed(at)
    assert "Figure 2: Few words, in place of words" in said(at)
    assert "comparisons were made" in said(at)
    assert "paper measure" not in {button.key for button in at.button}


def leaves_parts(sets, shelf, *more):
    """A run of which two parts are kept."""
    for name in "ab":
        shelf.get([name], lambda: {"hits": 1})
    return whole()


@pytest.mark.usefixtures("earlier_store")
def test_what_an_earlier_server_measured_shows_by_itself(opened, monkeypatch):
    monkeypatch.setattr(work, "run_paper", leaves_parts)
    at = opened("data=own")
    assert work.paper_of(session_of(at)).job is None
    pressed(at)
    begin_anew()
    at = opened("data=own")
    assert "comparisons were made" in said(at)
    session_of(at).states["paper"] = PaperState(data="own", size="full")
    assert work.dropped(session_of(at)) is None


@pytest.mark.usefixtures("earlier_store")
def test_what_was_dropped_is_measured_again_only_when_asked(opened, monkeypatch):
    monkeypatch.setattr(work, "run_paper", leaves_parts)
    pressed(opened("data=own"))
    begin_anew()
    folder = work.cache_folder() / "paper"
    mark = UnitFolder(folder).kept(work._whole(session_of(opened("data=own"))))
    (folder / mark["parts"][0]).unlink()
    begin_anew()
    at = opened("data=own")
    assert work.paper_of(session_of(at)).job is None
    assert "1 part was dropped to make room for newer work" in said(at)
    assert at.button(key="paper measure").label == "Go on"
    pressed(at)
    assert "comparisons were made" in said(at)
    assert work.dropped(session_of(at)) == 0


@pytest.mark.usefixtures("earlier_store")
def test_parts_stay_within_their_limit(opened, monkeypatch):
    monkeypatch.setattr(work, "run_paper", leaves_parts)
    monkeypatch.setattr(work, "MAX_PAPER_BYTES", 0)
    pressed(opened("data=own"))
    assert not list((work.cache_folder() / "paper").iterdir())


def test_experiments_say_what_stands_in_for_the_papers_data(opened):
    at = opened("")
    box = at.selectbox[0]
    assert box.options[0] == "Figures 2 and 3: word2vec GoogleNews"
    assert "the words that ship in place of word2vec GoogleNews" in said(at)
    box.select("netflix").run()
    assert "simulated ratings in place of Netflix" in said(at)
    assert at.query_params["paper"] == "data=netflix"
    at.segmented_control(key="paper size quick").set_value("full").run()
    assert "quarter of an hour" in said(at)
    assert at.query_params["paper"] == "data=netflix,size=full"


def test_a_run_that_is_stopped_keeps_its_figures_and_goes_on(opened, monkeypatch):
    few(monkeypatch)
    monkeypatch.setattr(work, "OFTEN", 0.0)
    run, asked = work.run_paper, []

    def stops(sets, shelf, quick, progress):
        def tell(fraction, message, partial=None):
            progress(fraction, message, partial)
            if partial is not None and len(partial.sets[0].sums) > 2:
                progress.due = 0.0
                jobs.cancel(work.paper_of(session_of(at)).job)

        return run(sets, shelf, quick, tell)

    at = opened()
    monkeypatch.setattr(work, "run_paper", stops)
    pressed(at)
    assert "Cancelled" in said(at)
    assert "Figure 2: small" in said(at)
    assert at.button(key="paper measure").label == "Go on"
    make = work.RememberedUnits.get

    def get(shelf, names, made):
        return make(shelf, names, lambda: asked.append(str(names)) or made())

    monkeypatch.setattr(work.RememberedUnits, "get", get)
    monkeypatch.setattr(work, "run_paper", lambda sets, shelf, *more: [
        OneSet(sets[0], shelf, True).method(name, more[1]) for name in ("flat", "pca-tree")
    ] and whole())  # fmt: skip
    pressed(at)
    assert any("PCATree" in names for names in asked)
    assert not any("FlatKMeans" in names for names in asked)


def test_data_that_cannot_be_asked_are_refused_in_words(opened, use):
    use(small_dataset(n=2))
    assert pressed(opened()).error
