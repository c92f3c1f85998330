"""Ledger and clock in sentences, and what to know of a run."""

from dataclasses import replace

import pytest

from mips_core.studies.wall_clock.wording import in_words, remarks
from tests.mips_core.studies.wall_clock.clock_cases import EXACT, OURS, timed_row, timed_run


def test_ledger_and_clock_are_set_side_by_side():
    assert in_words(timed_run(EXACT, OURS)) == (
        "By inner products **Flat k-means** saves **31.0×**, by the clock **9.0×**. One query took "
        "100 µs on one thread, the quicker exact search 900 µs."
    )
    rival = timed_row("faiss IVF", "rival", 5e-5, 12.0)
    assert in_words(timed_run(EXACT, OURS, rival)).endswith(
        "**faiss IVF** took least time of all: 50 µs, by the clock 18.0×, by inner products 12.0×."
    )  # fmt: skip
    silent = replace(rival, speedup=None)
    assert in_words(timed_run(EXACT, silent)) == (
        "**faiss IVF** took least time of all: 50 µs, by the clock 18.0×."
    )


def test_what_saves_inner_products_and_no_time_is_said():
    slow = timed_row("Flat k-means", "method", 18e-4, 31.0)
    assert in_words(timed_run(EXACT, slow)) == (
        "By inner products **Flat k-means** saves **31.0×**, by the clock nothing: it takes "
        "**2.0×** as long. One query took 1.8 ms on one thread, the quicker exact search 900 µs. "
        "Of all searches here exact search took least time."
    )


def test_what_saves_nothing_at_all_is_said():
    dear = timed_row("Flat k-means", "method", 9e-4, 0.5)
    assert in_words(timed_run(EXACT, dear)).startswith(
        "By inner products **Flat k-means** saves nothing: it takes **2.0×** as many, by the clock "
        "nothing: it takes **1.0×** as long."
    )  # fmt: skip


def test_what_to_know_of_a_run_is_said():
    assert remarks(timed_run(EXACT, OURS)) == ()
    busy = timed_run(timed_row("Exact search", "exact", 9e-4, 1.0, busy=3.0))
    assert busy.waiting == pytest.approx(3)
    assert remarks(busy)[0].startswith("The machine was busy: the clock ran 3.0× as long")
    absent = timed_run(EXACT, absent=(("faiss", "pip install faiss-cpu"),))
    assert remarks(absent) == (
        "**faiss is not installed.** `pip install faiss-cpu` adds its timings.",
    )
