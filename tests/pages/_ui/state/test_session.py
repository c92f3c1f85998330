"""A visitor's choices: what their pages wait for, and what stays when others are made."""

import threading
from dataclasses import replace

import numpy as np

from mips_core import INDEXES
from mips_core.data.queries import QueryRecipe
from pages._ui.state import session
from pages._ui.state.session import DEFAULT_METHODS, Session
from pages._ui.work import jobs
from tests.pages.conftest import MAIN, session_of, small_dataset

PAGES = MAIN.parents[1]


class TestWishes:
    def asked(self, chosen, release):
        """Jobs a to d, behind one that runs until `release` is set."""
        begun = threading.Event()
        jobs.start("first", "", lambda progress: begun.set() or release.wait(10), chosen.owner)
        assert begun.wait(10)
        for name in "abcd":
            jobs.start(name, "", lambda progress: None, chosen.owner)

    def waiting(self):
        return {name for name in "abcd" if jobs.find(name) is not None}

    def test_what_no_page_waits_for_any_more_is_taken_back(self):
        chosen = Session(small_dataset(), "small", QueryRecipe())
        release = threading.Event()
        self.asked(chosen, release)
        chosen.want("one page", "abc")
        chosen.want("another", "c")
        assert self.waiting() == set("abcd")
        chosen.want("one page", "b")  # other choices were made there
        assert self.waiting() == set(
            "bcd"
        )  # the other page still waits for c, a button asked for d
        chosen.forget_wishes()
        assert self.waiting() == {"d"}
        release.set()

    def test_other_queries_end_what_waits_and_another_page_does_not(self, app):
        at = app("robustness.py", settle=False, method=["flat-kmeans", "pca-tree"])
        chosen = at.session_state["session"]
        assert jobs.of(chosen.owner)
        wanted = set(chosen.wishes["robustness"])
        at.switch_page(str(PAGES / "methods.py")).run()
        assert chosen.wishes["robustness"] == wanted
        chosen.recipe = replace(chosen.recipe, seed=5)
        at.run()
        assert not chosen.wishes["robustness"]
        assert [job.key for job in jobs.of(chosen.owner) if job.state == "waiting"] == []


def test_dropping_an_index_keeps_the_chosen_one_chosen(app):
    names = [f"flat-kmeans:n_clusters={k}" for k in (5, 6, 7)]
    session = session_of(app("build.py", index=names, at="1"))
    assert session.index.n_clusters == 6
    session.drop(session.kept[0])
    assert session.index.n_clusters == 6
    session.drop(session.index)
    assert session.index.n_clusters == 7


def test_data_with_users_shows_the_largest_norms_too(app, monkeypatch):
    rated = small_dataset(queries=small_dataset(n=30).items)
    monkeypatch.setattr(session, "load_from_catalog", lambda key: rated)
    chosen = session_of(app("tradeoff.py", settle=False))
    assert chosen.methods == [*DEFAULT_METHODS, "largest-norm", "head-kmeans"]
    words = session.Session(small_dataset(), "other", chosen.recipe, methods=["flat-kmeans"])
    words.use(rated, "other", chosen.recipe)
    assert words.methods == ["flat-kmeans", "largest-norm", "head-kmeans"]
    alike = replace(rated, items=rated.items / np.linalg.norm(rated.items, axis=1)[:, None])
    session.Session(small_dataset(), "other", chosen.recipe).use(alike, "other", chosen.recipe)
    assert session.fitting(alike) == ["largest-norm"]


def test_a_built_method_joins_those_compared(app):
    session = session_of(app(method=["flat-kmeans"], settle=False))
    session.keep(INDEXES["multi-kmeans"]())
    assert session.methods == ["flat-kmeans", "multi-kmeans"]
    session.keep(INDEXES["exact"]())
    assert session.methods == ["flat-kmeans", "multi-kmeans"]


def test_a_snapshot_stays_as_it_was_and_shares_what_pages_wait_for():
    live = session.usual(small_dataset(), "small")
    seen = live.snapshot()
    K, kept, effort = seen.K, seen.kept, seen.effort
    live.K, live.recipe, live.effort = 3, replace(live.recipe, seed=5), effort + 1
    live.keep(INDEXES["srp-hash"]())
    live.methods.clear()
    assert (seen.K, seen.seed, seen.kept, seen.effort) == (K, 0, kept, effort)
    assert seen.methods == session.usual(small_dataset(), "small").methods
    seen.want("one page", "a")
    assert live.wishes == {"one page": frozenset("a")}
    assert live.owner == seen.owner
