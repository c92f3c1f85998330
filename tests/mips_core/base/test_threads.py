"""How many blocks run at once, and that it never changes a result."""

from threading import Barrier, Thread

import numpy as np
import pytest

from mips_core.base.errors import ParamError
from mips_core.base.threads import (
    between_blocks,
    limited,
    map_blocks,
    n_threads,
    stood_aside,
    working_clock,
)
from mips_core.methods.exact import exact_top_k


@pytest.fixture(autouse=True)
def _four(monkeypatch):
    monkeypatch.setenv("MIPS_THREADS", "4")


def test_the_limit_holds_within_and_ends_with_it():
    with limited(3):
        assert n_threads() == 3
        with limited(1):
            assert n_threads() == 1
        assert n_threads() == 3
    with pytest.raises(KeyError), limited(2):
        raise KeyError
    assert n_threads() == 4


def test_it_never_allows_more_than_the_machine_has():
    with limited(9):
        assert n_threads() == 4


def test_it_counts_for_the_calling_thread_alone():
    seen = []
    with limited(1):
        other = Thread(target=lambda: seen.append(n_threads()))
        other.start()
        other.join()
    assert seen == [4]


def test_so_many_blocks_run_at_once():
    with limited(2):
        together = Barrier(2, timeout=20)  # passed only by two blocks that run at the same time
        assert map_blocks(lambda start, stop: together.wait() >= 0, 2, 1) == [True, True]
    with limited(1):
        order = []
        map_blocks(lambda start, stop: order.append(start), 5, 1)
        assert order == [0, 1, 2, 3, 4]


def test_results_are_the_same_at_any_limit():
    rng = np.random.default_rng(0)
    X, Q = (rng.normal(size=(n, 9)).astype(np.float32) for n in (700, 600))
    found = []
    for most in (1, 2, 4):
        with limited(most):
            found.append(exact_top_k(X, Q, 5))
    np.testing.assert_array_equal(found[0], found[1])
    np.testing.assert_array_equal(found[0], found[2])


@pytest.mark.parametrize("text", ["abc", "0", "-2", "1.5"])
def test_a_number_of_threads_that_is_none_is_refused(monkeypatch, text):
    monkeypatch.setenv("MIPS_THREADS", text)
    with pytest.raises(ParamError, match="MIPS_THREADS is"):
        n_threads()


@pytest.mark.parametrize("most", [1, 4])
def test_what_is_raised_between_blocks_ends_the_work(most):
    done, calls = [], []

    def between():
        calls.append(len(done))
        if len(calls) == 3:
            raise KeyError

    with limited(most), between_blocks(between), pytest.raises(KeyError):
        map_blocks(lambda start, stop: done.append(start), 1000, 1)
    assert len(calls) == 3
    assert len(done) < 1000
    before = len(done)
    map_blocks(lambda start, stop: done.append(start), 3, 1)  # nobody calls any more
    assert (len(calls), len(done) >= before + 3) == (3, True)


def test_the_working_clock_stands_still_for_what_stood_aside():
    began = working_clock()
    stood_aside(1e6)
    assert working_clock() < began - 9e5
    stood_aside(-1e6)
