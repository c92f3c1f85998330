"""The memory of results: one budget, least recently used goes first."""

import numpy as np

from mips_core.base.byte_size import byte_size
from pages._ui.work import jobs, results
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

    def test_an_array_held_twice_counts_once(self):
        array = np.zeros(100)
        dataset = small_dataset(n=50, d=4)
        assert byte_size([array, array[::2], {"again": array}]) == 800
        assert byte_size(dataset) == 50 * 4 * 4
