"""Jobs: one at a time in a lane, visitors by turns, each known by its key."""

import random
import threading
import time

import pytest

from mips_core.base import limits
from mips_core.base.threads import map_blocks, working_clock
from mips_core.scale.shared_file import alone
from pages._ui.work import jobs, looks, results, turns
from pages._ui.work.job import LATER


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
        results.forget_all()
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
        assert jobs.place(waiting) == (1, None)
        assert jobs.of("me") == [running, waiting]
        jobs.cancel(waiting)
        jobs.cancel(running)
        assert jobs.wait(1)
        assert (running.state, waiting.state) == ("cancelled", "cancelled")
        assert running.partial is not None
        assert jobs.start("next", "", lambda progress: 1, "me") is waiting
        jobs.forget(waiting)
        assert jobs.find("next") is None

    def test_a_job_that_others_have_joined_goes_on_for_them_as_long_as_they_are_here(self):
        begun, release = threading.Event(), threading.Event()

        def work(progress):
            begun.set()
            release.wait(5)
            progress(0.5, "half")

        job = jobs.start("shared", "", work, "me")
        assert begun.wait(5)
        for visitor in ("me", "you", "she"):
            jobs.seen(visitor)
            jobs.join(job, visitor)
        jobs.cancel(job, "me")
        assert (job.stop, job.owner in ("you", "she")) == (False, True)
        jobs.leave(job.owner, begun=True)
        assert not job.stop
        assert jobs.find("shared") is job
        jobs.cancel(job, "me")  # who waits no more
        assert not job.stop
        jobs.join(job, "me")
        jobs.cancel(job)  # its owner
        assert (job.stop, job.owner) == (False, "me")
        jobs.cancel(job, "me")
        assert job.stop
        release.set()
        assert jobs.wait(5)
        assert job.state == "cancelled"

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
        monkeypatch.setitem(turns.SEEN, "gone", time.monotonic() - 2 * limits.AWAY_SECONDS)
        for here in ("me", "you"):
            jobs.seen(here)
        jobs.start("first", "", lambda progress: begun.set() or hold.wait(5), "me")
        assert begun.wait(5)
        for name, owner in (("a", "gone"), ("b", "you"), ("c", "gone"), ("d", "you")):
            jobs.start(name, "", lambda progress, name=name: order.append(name), owner)
        assert jobs.place(jobs.find("c")) == (4, None)  # behind all who are here
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
        assert (later.state, behind.state) == ("waiting", "waiting")
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

    def test_what_nobody_asked_for_gives_way_and_is_not_waited_for(self):
        order, begun = [], threading.Event()

        def all_settings(progress):
            order.append("begun")
            begun.set()
            while "mine" not in order:
                progress(0.5, "measuring")
                time.sleep(0.002)

        ahead = jobs.start("all", "", all_settings, "me", LATER)
        assert begun.wait(5)
        more = jobs.start("more", "", lambda progress: order.append("more"), "you", LATER + 1)
        mine = jobs.start("mine", "", lambda progress: order.append("mine"), "me", 3)
        assert jobs.place(mine)[0] == 1
        assert jobs.wait(5)
        assert [job.state for job in (ahead, more, mine)] == ["done"] * 3
        assert order == ["begun", "mine", "more"]  # it went on from where it was

    def test_what_was_asked_for_before_is_waited_for(self):
        begun, hold = threading.Event(), threading.Event()
        jobs.start("hold", "", lambda progress: begun.set() or hold.wait(5), "you")
        assert begun.wait(5)
        for key, owner, wanted in (("a", "me", 0), ("b", "you", 0), ("c", "me", LATER)):
            jobs.start(key, "", lambda progress: 1, owner, wanted, expected=5)
        jobs.find("hold").expected = 2
        _, seconds = jobs.place(jobs.start("mine", "", lambda progress: 1, "me", 1))
        assert 5 <= seconds <= 5 + 2 * limits.SLICE_SECONDS
        hold.set()
        assert jobs.wait(5)

    @pytest.mark.parametrize("begun", [True, False])
    def test_jobs_of_who_left_end_unless_somebody_looks(self, monkeypatch, begun):
        clock, started, hold = [1000.0], threading.Event(), threading.Event()
        monkeypatch.setattr(jobs, "monotonic", lambda: clock[0])

        def work(progress):
            started.set()
            assert hold.wait(10)
            progress(0.5, "half")

        jobs.seen("me")
        running = jobs.start("runs", "", work, "me")
        assert started.wait(5)
        for key, owner in (("mine", "me"), ("shared", "me"), ("yours", "you")):
            jobs.start(key, "", lambda progress: 1, owner)
        for job in jobs._BOOK.values():
            job.looked = clock[0]
        clock[0] += limits.AWAY_SECONDS + 1
        jobs.find("shared")
        jobs.leave("me", begun=begun)
        assert (jobs.find("runs") is None) == begun
        assert jobs.find("mine") is None
        assert "me" not in turns.SEEN
        again = jobs.start("mine", "", lambda progress: 2, "you")  # not as one that was cancelled
        hold.set()
        assert jobs.wait(10)
        assert running.state == ("cancelled" if begun else "done")
        assert {jobs.find(key).state for key in ("shared", "yours")} == {"done"}
        assert (again.state, results.recall("mine")) == ("done", 2)

    def test_it_is_quiet_when_nobody_looks_and_nothing_is_computed(self, monkeypatch):
        clock = [1000.0]
        monkeypatch.setattr(jobs, "monotonic", lambda: clock[0])
        monkeypatch.setattr(turns, "SEEN", {})
        assert jobs.quiet_for() > 1e9
        jobs.seen("me")
        clock[0] += 7
        assert jobs.quiet_for() == 7
        begun, hold = threading.Event(), threading.Event()
        jobs.start("hold", "", lambda progress: begun.set() or hold.wait(5), "me")
        assert begun.wait(5)
        assert jobs.quiet_for() == 0
        hold.set()
        assert jobs.wait(5)
        assert jobs.quiet_for() == 7


class TestLongWork:
    """Blocks of work, each as long as the test says."""

    def test_it_is_cancelled_between_two_blocks(self):
        begun = threading.Event()

        def work(progress):
            map_blocks(lambda start, stop: begun.set() or time.sleep(0.02), 4_000, 1)

        job = jobs.start("long", "", work, "me")
        assert begun.wait(5)
        jobs.cancel(job)
        assert jobs.wait(20)  # it would take 40 s
        assert job.state == "cancelled"

    def test_it_stands_aside_for_the_next_visitor_and_its_clock_stands_still(self, monkeypatch):
        monkeypatch.setattr(limits, "SLICE_SECONDS", 0)
        monkeypatch.setattr(jobs, "LOOK", 0.0)
        begun, aside, order = threading.Event(), [], []

        def long(progress):
            before = working_clock(), time.perf_counter()
            begun.set()
            while "short" not in order:
                progress(0.5, "half")
                map_blocks(lambda start, stop: time.sleep(0.001), 3, 1)
            order.append("long")
            after = working_clock(), time.perf_counter()
            aside.append((after[1] - before[1]) - (after[0] - before[0]))

        def short(progress):
            first = jobs.find("long")
            order.append((first.aside, first.state, jobs.running("measure").owner))
            time.sleep(0.05)
            order.append("short")

        for owner in ("me", "you"):
            jobs.seen(owner)
        job = jobs.start("long", "", long, "me")
        assert begun.wait(5)
        jobs.start("short", "", short, "you")
        assert jobs.wait(10)
        assert order == [(True, "running", "you"), "short", "long"]
        assert aside[0] >= 0.05
        assert job.state == "done"

    def test_cancelled_while_it_stands_aside_it_ends_at_once(self, monkeypatch):
        monkeypatch.setattr(limits, "SLICE_SECONDS", 0)
        monkeypatch.setattr(jobs, "LOOK", 0.0)
        begun, first, hold = threading.Event(), threading.Event(), threading.Event()

        def long(progress):
            begun.set()
            while True:
                progress(0.5, "half")
                time.sleep(0.001)

        for owner in ("me", "you"):
            jobs.seen(owner)
        job = jobs.start("long", "", long, "me")
        assert begun.wait(5)
        jobs.start("short", "", lambda progress: first.set() or hold.wait(10), "you")
        assert first.wait(5)
        assert job.aside
        jobs.cancel(job)
        with jobs._CHANGED:
            assert jobs._CHANGED.wait_for(lambda: job.state == "cancelled", 5)
        assert jobs.running("measure").key == "short"  # which goes on
        hold.set()
        assert jobs.wait(5)

    @pytest.mark.parametrize("why", ["away", "later"])
    def test_two_of_one_lock_do_not_wait_for_each_other(self, monkeypatch, tmp_path, why):
        monkeypatch.setattr(jobs, "LOOK", 0.0)
        begun, asked = threading.Event(), threading.Event()

        def work(progress):
            with alone(tmp_path / "run", lambda told: progress(0.0, told)):
                begun.set()
                assert asked.wait(5)
                for _ in range(3):
                    progress(0.5, "half")

        seen = time.monotonic() - 2 * limits.AWAY_SECONDS * (why == "away")
        monkeypatch.setitem(turns.SEEN, "ann", seen)
        holds = jobs.start("holds", "", work, "ann", LATER if why == "later" else 0)
        assert begun.wait(5)
        jobs.seen("ben")
        waits = jobs.start("waits", "", work, "ben")
        asked.set()
        assert jobs.wait(5)
        assert (holds.state, waits.state) == ("done", "done")

    def test_reading_a_file_waits_for_no_build(self):
        begun, hold = threading.Event(), threading.Event()
        jobs.start("build", "", lambda progress: begun.set() or hold.wait(10), "me")
        assert begun.wait(5)
        reading = jobs.start("file", "", lambda progress: 1, "me", lane="read")
        with jobs._CHANGED:
            assert jobs._CHANGED.wait_for(lambda: reading.state == "done", 5)
        hold.set()

    def test_it_ends_where_it_takes_too_long(self, monkeypatch):
        monkeypatch.setattr(limits, "MAX_JOB_SECONDS", 0)
        monkeypatch.setattr(jobs, "LOOK", 0.0)
        job = jobs.start("long", "", lambda progress: [progress(0, "") for _ in range(9)], "me")
        assert jobs.wait(5)
        assert "longer than" in job.error

    def test_one_visitor_asks_for_so_much_at_most(self, monkeypatch):
        monkeypatch.setattr(limits, "MAX_JOBS", 1)
        hold = threading.Event()
        jobs.start("first", "", lambda progress: hold.wait(10), "me")
        refused = jobs.start("second", "", lambda progress: 1, "me")
        assert refused.state == "failed"
        assert "1 things that you asked for are still to come" in refused.error
        assert jobs.start("third", "", lambda progress: 1, "you").state == "waiting"
        hold.set()
        assert jobs.wait(5)


class Asking:
    """Two visitors who ask for one job, cancel it for themselves and go on, in any order."""

    def __init__(self):
        self.begun, self.release = threading.Event(), threading.Event()
        self.wants = dict.fromkeys(("ann", "bob"), False)

    def work(self, progress):
        self.begun.set()
        while not self.release.wait(0.002):
            progress(0.5, "half")
        return "made"

    def act(self, who, what):
        jobs.seen(who)
        looks.asks(who)
        job = jobs.find("both")
        if what == "ask":
            seen = jobs.start("both", "", self.work, who)
            self.wants[who] = self.wants[who] or (seen.active and not seen.stop)
        elif what == "cancel" and job is not None and job.active:
            jobs.cancel(job, who)
            self.wants[who] = False
        elif what == "go on" and job is not None and not job.active:
            jobs.forget(job)
            jobs.start("both", "", self.work, who)
            self.wants[who] = True


ACTS = ["ask", "cancel", "go on"]


@pytest.mark.parametrize("seed", range(60))
def test_what_one_visitor_cancels_goes_on_for_the_other(seed):
    asking, draw = Asking(), random.Random(seed)
    try:
        for _ in range(8):
            who = draw.choice(["ann", "bob"])
            asking.act(who, draw.choice(ACTS))
            job = jobs._BOOK.get("both")
            if job is None:
                continue
            if not any(asking.wants.values()):
                assert job.stop or not job.active
                if draw.random() < 0.5:  # else the next act comes before it has ended
                    jobs.wait(5)
            else:
                assert job.active
                assert not job.stop
                assert asking.wants[job.owner]
            for each, wants in asking.wants.items():
                looks.asks(each)
                seen = jobs.find("both")
                assert seen.active or not wants
                assert (seen is job) == (each not in job.given_up)
                assert seen is job or (seen.state, seen.goes_on) == ("cancelled", True)
        wanted = any(asking.wants.values())
        with jobs._CHANGED:
            assert wanted or jobs._CHANGED.wait_for(lambda: jobs.running("measure") is None, 5)
        asking.release.set()
        assert jobs.wait(5)
        assert results.recall("both") == ("made" if wanted else None)
    finally:
        looks.asks("")


@pytest.mark.parametrize("who", ["bob", "ann"])
def test_who_asks_while_a_cancel_is_under_way_gets_a_new_job(who):
    begun, release = threading.Event(), threading.Event()

    def work(progress):
        begun.set()
        assert release.wait(5)
        progress(0.5, "half")
        return "made"

    try:
        ends = jobs.start("both", "", work, "ann")
        assert begun.wait(5)
        jobs.cancel(ends, "ann")
        assert jobs.start("both", "", work, "ann") is ends  # pages ask at every run
        if who == "ann":
            jobs.forget(ends)
        new = jobs.start("both", "", work, who)
        assert new is not ends
        assert (new.state, new.owner, new.stop) == ("waiting", who, False)
        looks.asks("ann")
        seen = jobs.start("both", "", work, "ann")
        assert seen is jobs.find("both")
        assert (seen is new) == (who == "ann")
        assert who == "ann" or (seen.state, seen.goes_on) == ("cancelled", True)
        release.set()
        assert jobs.wait(5)
        assert (ends.state, new.state) == ("cancelled", "done")
        assert results.recall("both") == "made"
    finally:
        looks.asks("")


def test_what_one_visitor_has_no_choice_left_for_is_begun_for_the_other():
    hold, begun = threading.Event(), threading.Event()
    jobs.start("hold", "", lambda progress: begun.set() or hold.wait(5), "ann")
    assert begun.wait(5)
    for who in ("ann", "bob"):
        jobs.seen(who)
        jobs.start("both", "", lambda progress: 1, who)
    jobs.take_back("ann", ["both"])
    assert (jobs.find("both").owner, jobs.find("both").state) == ("bob", "waiting")
    jobs.take_back("bob", ["both"])
    assert jobs.find("both") is None
    hold.set()
    assert jobs.wait(5)
