"""Jobs, the memory of results, links and uploads: what stands behind every page."""

import threading
import time
from dataclasses import replace

import numpy as np
import pytest

from mips_core.base.byte_size import byte_size
from mips_core.base.errors import DataError
from mips_core.data.queries import QueryRecipe
from mips_core.methods.kmeans.flat import FlatKMeans
from mips_core.methods.kmeans.hierarchical import HierarchicalKMeans
from mips_core.methods.reductions import PadToSphere
from pages._ui.parts.data_facts import as_text
from pages._ui.state import links
from pages._ui.state.map_state import MapState
from pages._ui.state.page_states import (
    CompareState,
    RobustnessState,
    SearchState,
    TuneState,
    default_states,
)
from pages._ui.state.report_state import ReportState
from pages._ui.state.session import Session
from pages._ui.text.widgets import plain, refusal
from pages._ui.work import jobs, results, uploads
from tests.pages.conftest import MAIN, small_dataset

PAGES = MAIN.parents[1]


class TestJobs:
    def test_a_job_is_shared_by_its_key_and_its_result_remembered(self):
        calls = []

        def work(progress):
            calls.append(progress)
            return 42

        first = jobs.start("answer", "a question", work, "me")
        assert jobs.start("answer", "a question", work, "you") is first
        assert jobs.wait(5)
        assert (first.state, results.recall("answer"), len(calls)) == ("done", 42, 1)
        assert jobs.start("answer", "a question", work, "me") is first

    def test_a_job_whose_result_was_forgotten_runs_again(self):
        first = jobs.start("lost", "", lambda progress: 1, "me")
        jobs.wait(5)
        results._KEPT.clear()
        assert jobs.start("lost", "", lambda progress: 2, "me") is not first
        jobs.wait(5)
        assert results.recall("lost") == 2

    def test_cancel_is_obeyed_at_the_next_report_and_while_waiting(self):
        begun = threading.Event()

        def work(progress):
            for step in range(10_000):
                begun.set()
                progress(step / 10_000, "counting", step)
                time.sleep(0.002)

        running = jobs.start("long", "", work, "me")
        waiting = jobs.start("next", "", lambda progress: 1, "me")
        assert begun.wait(5)
        assert jobs.ahead_of(waiting) == 1
        assert jobs.of("me") == [running, waiting]
        jobs.cancel(waiting)
        jobs.cancel(running)
        assert jobs.wait(1)
        assert (running.state, waiting.state) == ("cancelled", "cancelled")
        assert running.partial is not None
        assert jobs.start("next", "", lambda progress: 1, "me") is waiting
        jobs.forget(waiting)
        assert jobs.find("next") is None

    @pytest.mark.parametrize(
        ("error", "words"),
        [(DataError("Row 3 is short.", "Mend it."), "Row 3 is short. Mend it."),
         (MemoryError(), "not enough memory"), (ZeroDivisionError("1/0"), "The log of the server")],
    )  # fmt: skip
    def test_a_failure_is_told_in_words(self, error, words):
        def work(progress):
            raise error

        job = jobs.start("bad", "", work, "me")
        jobs.wait(5)
        assert job.state == "failed"
        assert words in job.error
        assert "Traceback" not in job.error

    def test_visitors_take_turns_and_the_most_wanted_goes_first(self):
        order, begun, hold = [], threading.Event(), threading.Event()
        jobs.start("hold", "", lambda progress: begun.set() or hold.wait(5), "me")
        assert begun.wait(5)
        for name, owner, wanted in (
            ("a", "me", 5),
            ("b", "me", 1),
            ("c", "you", 9),
            ("d", "you", 8),
        ):
            jobs.start(name, "", lambda progress, name=name: order.append(name), owner, wanted)
        hold.set()
        jobs.wait(5)
        assert order == ["d", "b", "c", "a"]

    def test_who_left_the_page_lets_others_go_first(self, monkeypatch):
        order, begun, hold = [], threading.Event(), threading.Event()
        monkeypatch.setitem(jobs._SEEN, "gone", time.monotonic() - 2 * jobs.AWAY)
        for here in ("me", "you"):
            jobs.seen(here)
        jobs.start("first", "", lambda progress: begun.set() or hold.wait(5), "me")
        assert begun.wait(5)
        for name, owner in (("a", "gone"), ("b", "you"), ("c", "gone"), ("d", "you")):
            jobs.start(name, "", lambda progress, name=name: order.append(name), owner)
        assert jobs.ahead_of(jobs.find("a")) == 3
        assert jobs.start("c", "", order.append, "you") is jobs.find("c")  # as after a refresh
        hold.set()
        jobs.wait(5)
        assert order == ["b", "c", "d", "a"]

    def test_a_lane_does_not_wait_for_the_other(self):
        begun, hold = threading.Event(), threading.Event()
        jobs.start("curve", "", lambda progress: begun.set() or hold.wait(5), "me")
        assert begun.wait(5)
        first, ran = threading.Event(), threading.Event()
        jobs.start("map", "", lambda progress: first.set() or hold.wait(5), "me", lane="child")
        assert first.wait(5)  # though the curve is under way
        later = jobs.start("later map", "", lambda progress: ran.set(), "you", lane="child")
        behind = jobs.start("later curve", "", lambda progress: 1, "you")
        assert (jobs.ahead_of(later), jobs.ahead_of(behind)) == (1, 1)
        assert not ran.is_set()  # one at a time in its lane
        jobs.take_back("you", {"later map", "later curve"})
        assert jobs.find("later map") is None
        assert not jobs.wait(0.05)
        hold.set()
        assert jobs.wait(5)
        assert not ran.is_set()

    def test_a_turn_in_one_lane_is_none_in_the_other(self):
        order, begun, hold = [], threading.Event(), threading.Event()
        jobs.start("map", "", lambda progress: 1, "ann", lane="child")
        assert jobs.wait(5)
        jobs.start("hold", "", lambda progress: begun.set() or hold.wait(5), "somebody")
        assert begun.wait(5)
        for owner in ("ann", "ben"):
            jobs.start(owner, "", lambda progress, owner=owner: order.append(owner), owner)
        hold.set()
        assert jobs.wait(5)
        assert order == ["ann", "ben"]


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


class TestResults:
    def test_the_budget_forgets_what_was_used_longest_ago(self, monkeypatch):
        monkeypatch.setattr(results, "CACHE_BYTES", 3000)
        for name in "abc":
            results.remember(name, np.zeros(100))  # 800 bytes each
        assert results.recall("a") is not None
        results.remember("d", [np.zeros(50), {"x": np.zeros(50)}])
        assert results.recall("b") is None
        assert all(results.recall(name) is not None for name in "acd")

    def test_results_that_push_each_other_out_are_not_made_for_ever(self, monkeypatch):
        monkeypatch.setattr(results, "CACHE_BYTES", 1000)
        made = []

        def look():  # as a page does: what is not known is asked for
            for name in "ab":
                jobs.start(
                    ("big", name),
                    "",
                    lambda progress, n=name: made.append(n) or np.zeros(100),
                    "me",
                )
                assert jobs.wait(10)

        for _ in range(6):
            look()
        assert len(made) <= 6
        assert any(results.crowded(("big", name)) for name in "ab")
        lost = next(name for name in "ab" if results.crowded(("big", name)))
        jobs.forget(jobs.find(("big", lost)))  # the visitor asks again
        count = len(made)
        look()
        assert len(made) == count + 1

    def test_an_array_that_several_results_share_counts_once_in_the_budget(self, monkeypatch):
        monkeypatch.setattr(results, "CACHE_BYTES", 1000)
        array = np.zeros(100)
        for name in "abc":
            results.remember(name, [array])
        assert all(results.recall(name) is not None for name in "abc")
        results.remember("d", np.zeros(100))
        assert [name for name in "abcd" if results.recall(name) is not None] == ["d"]

    def test_remembering_does_not_look_through_what_is_kept_already(self, monkeypatch):
        looked = []
        look = results.arrays_in
        monkeypatch.setattr(results, "arrays_in", lambda value: looked.append(value) or look(value))
        for name in "abc":
            results.remember(name, name)
        assert looked == ["a", "b", "c"]

    def test_an_array_held_twice_counts_once(self):
        array = np.zeros(100)
        dataset = small_dataset(n=50, d=4)
        assert byte_size([array, array[::2], {"again": array}]) == 800
        assert byte_size(dataset) == 50 * 4 * 4


class TestLinks:
    link = links.Link(
        "glove", QueryRecipe("noisy", 77, 0.25, True, 3), 17,
        (FlatKMeans(n_clusters=9, reduction=PadToSphere()), HierarchicalKMeans(n_levels=3)),
        1, 12, "built", ("flat-kmeans",), "cosine", "item 3",
        default_states()
        | {"robustness": RobustnessState(50, 0.1, "clean", "relative"), "compare": CompareState(),
         "tune": TuneState("budget", inner_products=700), "search": SearchState(False),
         "map": MapState("pca", follow=True, names=False, apart=0.25),
         "report": ReportState("slider", "Words, 50% off & more", "One\ntwo = <b>ü</b>, #3")},
    )  # fmt: skip
    usual = links.Link("usual", QueryRecipe(), 10, (FlatKMeans(),), 0, 5, "best", ("exact",))

    def test_a_view_survives_its_link(self):
        assert links.link_of(links.words_of(self.link), self.usual) == self.link
        assert links.link_of({}, self.usual) == self.usual
        bare = replace(self.link, methods=())
        assert links.link_of(links.words_of(bare), self.usual) == bare

    @pytest.mark.parametrize(
        "words",
        [
            {"k": ["-3"]}, {"k": ["9" * 50]}, {"index": ["nothing"]}, {"effort": ["ten"]},
            {"index": ["flat-kmeans:n_clusters=1e9"]}, {"index": ["flat-kmeans:n_clusters"]},
            {"at": ["7"]}, {"queries": ["rows many"]}, {"queries": ["'; drop"]}, {"seed": ["٣"]},
            {"show": ["<b>"]}, {"method": ["<b>"]}, {"metric": ["hamming"]}, {"metric": []},
            {"robustness": ["sigma=9"]}, {"tune": ["known"]}, {"compare": ["a=b=c,"]},
            {"title": [], "note": [""]}, {"map": ["follow=perhaps"]}, {"map": ["layout=tsne"]},
        ],
    )  # fmt: skip
    def test_nonsense_in_a_link_leaves_the_defaults(self, words):
        link = links.link_of(words, self.usual)
        assert link.indexes == self.usual.indexes
        assert 1 <= link.K <= 100
        assert link.recipe == self.usual.recipe
        assert (link.position, link.show, link.methods) == (0, "best", ("exact",))
        assert link.metric == "inner product"
        assert link.states == default_states()


def test_uploads_are_found_while_held_and_linger(monkeypatch):
    dataset = small_dataset(n=20)
    name = dataset.fingerprint
    uploads.hold(dataset)
    assert uploads.find(name) is dataset
    del dataset
    assert uploads.find(name) is not None
    monkeypatch.setattr(uploads, "monotonic", lambda: time.monotonic() + uploads.LINGER + 1)
    assert uploads.find(name) is None


def test_text_from_files_cannot_become_markdown():
    assert plain("**a** [b](c) <i> $x$ :red[d]") == (
        "\\*\\*a\\*\\* \\[b\\]\\(c\\) \\<i\\> \\$x\\$ \\:red\\[d\\]"
    )
    joined = plain("HTTPS://a.b http://a.b www.a.b a@b.c at@10").replace("\\", "").split(" ")
    assert joined == [
        "HTTPS:\u2060//a.b",
        "http:\u2060//a.b",
        "www\u2060.a.b",
        "a\u2060@b.c",
        "at@10",
    ]
    assert as_text("\u202eone\ntwo\ud800") == " one two?"  # turns nothing that follows it
    error = DataError("a_b.csv: row 3.", "Mend it.")
    assert refusal(error, "Done.") == "**a\\_b\\.csv\\: row 3\\.** Mend it\\. Done."
