"""The clock of the machine is set while people work: nothing they have is older or newer for it."""

import threading
import time

import pytest

from pages._ui.work import data_files, jobs, results, turns, uploads
from tests.pages.data_page import npy, numbers, press, session_of, texts, understood, upload

DAY = 86_400


@pytest.fixture
def set_clock(monkeypatch):
    """Call with seconds to set it forward, or back; files have the times they had."""
    now, now_ns = time.time, time.time_ns

    def set_it(seconds):
        monkeypatch.setattr(time, "time", lambda: now() + seconds)
        monkeypatch.setattr(time, "time_ns", lambda: now_ns() + seconds * 10**9)

    return set_it


def test_drafts_data_and_ages_outlast_it(at, temporary, earlier_store, set_clock):
    upload(at, "mine.npy", npy(numbers(30)))
    for seconds in (DAY, -DAY):
        set_clock(seconds)
        data_files.sweep()
        uploads.forget_old()
        at.run()
        assert understood(at)["Items"] == "30"
    press(at, "Use this data")
    data = session_of(at).data
    for seconds, age in ((DAY, "1 day ago"), (-DAY, "just now"), (0, "just now")):
        set_clock(seconds)
        uploads.forget_old()
        at.segmented_control(key="data origin").set_value("Earlier").run()
        assert not at.exception
        assert session_of(at).data == data
        assert f"mine.npy · {age}" in texts(at)


def test_turns_waits_and_results_go_on(set_clock, monkeypatch):
    monkeypatch.setattr(results, "UNSEEN_CACHE_BYTES", -1)  # no room: age alone decides
    begun, go_on = threading.Event(), threading.Event()
    jobs.seen("me")
    running = jobs.start("long", "", lambda _: begun.set() or go_on.wait(20), "me", expected=5)
    assert begun.wait(5)
    waiting = jobs.start("next", "", lambda _: 1, "me", expected=5)
    results.remember("kept", 7)
    for seconds in (DAY, -DAY):
        set_clock(seconds)
        assert not turns.away("me")
        assert 0 <= running.seconds < 60
        place, left = jobs.place(waiting)
        assert place == 1
        assert 0 <= left <= 5
        jobs.leave("you", begun=True)
        results.forget_unseen()
        assert results.recall("kept") == 7
    go_on.set()
    assert jobs.wait(5)
    assert (running.state, waiting.state) == ("done", "done")
