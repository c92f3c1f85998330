"""The memory of results: one budget, least recently used goes first."""

from threading import Event, Thread

import numpy as np
import pytest

from mips_core.base.byte_size import byte_size
from mips_core.base.errors import DataError
from pages._ui.work import jobs, results
from pages._ui.work.task import once
from tests.pages.conftest import small_dataset


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

    def test_what_replaces_a_result_takes_its_room(self, monkeypatch):
        monkeypatch.setattr(results, "CACHE_BYTES", 1700)
        results.remember("a", np.zeros(100))
        for _ in range(5):
            results.remember("b", np.zeros(100))
        assert results.recall("a") is not None

    def test_the_running_total_is_the_sum_of_all_that_is_held(self, monkeypatch):
        monkeypatch.setattr(results, "CACHE_BYTES", 5000)
        rng = np.random.default_rng(0)
        shared = [np.zeros(size) for size in (10, 50, 100)]
        for _ in range(200):
            held = [shared[at] for at in rng.choice(3, rng.integers(3), replace=False)]
            results.remember(int(rng.integers(12)), [*held, np.zeros(rng.integers(1, 200))])
            assert results._TOTAL[0] == byte_size([e.value for e in results._ENTRIES.values()])
        results.forget_all()
        assert (results._TOTAL, results._SIZES, +results._HOLDERS) == ([0], {}, {})

    def test_what_nobody_looks_at_goes_where_it_takes_too_much(self, monkeypatch):
        clock = [0.0]
        monkeypatch.setattr(results, "monotonic", lambda: clock[0])
        monkeypatch.setattr(results, "UNSEEN_CACHE_BYTES", 1700)
        for name in "abcd":
            results.remember(name, np.zeros(100))
        clock[0] = results.UNSEEN_SECONDS - 1
        results.recall("a")
        results.forget_unseen()
        assert all(name in results._ENTRIES for name in "abcd")  # nothing is old enough
        clock[0] += 2
        results.forget_unseen()
        assert list(results._ENTRIES) == ["d", "a"]  # the rest fits into what is left to it

    def test_while_nobody_is_there_more_goes_and_sooner(self, monkeypatch):
        clock = [0.0]
        monkeypatch.setattr(results, "monotonic", lambda: clock[0])
        monkeypatch.setattr(results, "ALONE_CACHE_BYTES", 900)
        monkeypatch.setattr(results, "CACHE_BYTES", 2000)
        for name in "vwxyz":
            results.remember(name, np.zeros(100))
        assert results._LOST["v"] == 1
        results.forget_unseen(alone=True)
        assert list(results._ENTRIES) == ["y", "z"]  # too young to go
        clock[0] = results.ALONE_SECONDS
        results.forget_unseen()
        assert list(results._ENTRIES) == ["y", "z"]
        results.forget_unseen(alone=True)
        assert list(results._ENTRIES) == ["z"]
        assert not results._LOST

    def test_what_grew_since_it_was_kept_is_counted(self, monkeypatch):
        monkeypatch.setattr(results, "UNSEEN_CACHE_BYTES", 1000)
        grows = {"at first": np.zeros(10)}
        results.remember("grows", grows)
        grows["read off"] = np.zeros(500)
        results.forget_unseen()
        assert results._TOTAL == [4080]

    def test_an_array_held_twice_counts_once(self):
        array = np.zeros(100)
        dataset = small_dataset(n=50, d=4)
        assert byte_size([array, array[::2], {"again": array}]) == 800
        assert byte_size(dataset) == 50 * 4 * 4


def test_pages_remember_and_recall_while_all_is_counted_anew(monkeypatch):
    results.remember("counted", np.zeros(10))
    look = results.arrays_in
    asked = []

    def from_a_page(value):
        if not asked:  # another thread: the lock would let this one in again
            asked.append(True)
            page = Thread(target=lambda: results.remember("counted", np.zeros(20)), daemon=True)
            page.start()
            page.join(30)
            asked.append(page.is_alive())
        return look(value)

    monkeypatch.setattr(results, "arrays_in", from_a_page)
    results.forget_unseen()
    assert asked == [True, False]
    assert byte_size(results.recall("counted")) == 160
    assert results._TOTAL[0] == 160


def _refused():
    raise DataError("The file was written over.", "Open it again.")


@pytest.mark.parametrize("ends", [lambda: "of other content", _refused])
def test_what_was_begun_before_its_content_was_forgotten_is_made_anew(ends):
    key, part, begun, goes_on = ("result", ("content", 3)), ("part", "content"), Event(), Event()

    def work(progress):
        begun.set()
        assert goes_on.wait(20)
        once(part, lambda: "of other content")  # of what was made before
        once("no content", lambda: 1)
        return ends()

    jobs.start(key, "", work, "me")
    assert begun.wait(20)
    results.forget_of("content")
    results.remember(part, "of this one")
    results.forget_of("another")
    goes_on.set()
    assert jobs.wait(20)
    assert results.recall(key) is None
    assert results.recall(part) == "of this one"
    assert results.recall("no content") == 1
    jobs.start(key, "", lambda progress: once(part, lambda: 2), "me")
    assert jobs.wait(20)
    assert results.recall(key) == "of this one"


def test_who_forgets_content_goes_on_with_what_is_there_instead():
    def read():
        results.forget_of("content")
        return once(("facts", "content"), lambda: "of this one")

    assert once("reading", read) == "of this one"
    assert results.recall(("facts", "content")) == "of this one"
