"""The settings of runs in a link, and back."""

import pytest

from mips_core.methods.trees.pca import PCATree
from pages._ui.compare import runs_link, runs_shelf
from tests.pages.conftest import session_of
from tests.pages.runs_page import HOSTILE, keep, new_session, section, settled


def test_a_link_written_by_hand_finds_the_run_of_the_same_numbers():
    text = "pca-tree|0|10|glove-6b-50d|rows_500_0.1_no_0|inner%20product|mine"
    at = settled(new_session(runs=f"shown={text}"))
    [run] = runs_shelf.runs_of(session_of(at))
    assert run.index == PCATree().explicit(400) != PCATree()
    assert runs_shelf.shown(session_of(at)) == [run]
    assert not runs_shelf.missing(session_of(at))


@pytest.mark.parametrize(
    "text",
    ["", "|", "||||", "a|b|c|d|e|f|g", "nothing:x=1|0|10|glove-6b-50d|rows_5_0.1_no_0|cosine|n",
     "flat-kmeans|0|1000|x|rows_5_0.1_no_0|cosine|n", "flat-kmeans|-1|10|x||cosine|n",
     "flat-kmeans|0|10|x||miles|n", "flat-kmeans|0|10|x||cosine|%20", "%00" * 5000],
)  # fmt: skip
def test_a_link_that_cannot_be_read_asks_for_nothing(text):
    assert runs_link.wanted_of_all(text) == []


def test_a_link_says_what_a_run_is():
    at = keep(keep(section(), 1, HOSTILE), 3)
    for run in runs_shelf.runs_of(session_of(at)):
        text = runs_link.text_of(run)
        assert "," not in text
        found = runs_link.wanted_of(text)
        assert (found.index, found.seed, found.ks) == (run.index, run.seed, run.ks)
        assert (found.source, found.recipe) == (run.data.source, run.data.queries)
        assert (found.metric, found.name) == (run.data.metric, run.name)


def test_a_link_of_an_earlier_version_asks_for_the_fit_its_run_had():
    """A run that was grouped says so; `all` was exact before there were groups."""
    rest = "|0|10|x|rows_500_0.1_no_0|inner%20product|mine"
    old = runs_link.wanted_of(f"flat-kmeans:n_clusters=2000{rest}")
    exact, grouped = (
        runs_link.wanted_of(f"flat-kmeans:n_clusters=2000;fit={fit}{rest}")
        for fit in ("exact", "grouped")
    )
    assert old.fits(exact, 1_000_000, exactly=True)
    assert not old.fits(grouped, 1_000_000, exactly=True)
    assert not old.fits(exact, 1_000, exactly=True)  # few items: all and exact are two words
