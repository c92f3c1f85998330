"""Medians of times a made-up clock tells; the collector comes back."""

import gc
from contextlib import contextmanager

import numpy as np
import pytest

from mips_core.studies.wall_clock import WAYS, stopwatch
from mips_core.studies.wall_clock.stopwatch import ALONE, CALLS, ROUNDS, SECONDS, Watch

# Taking time


class Time:
    """A clock that only searches move, by what each query takes; the processor works half of it."""

    def __init__(self, monkeypatch, seconds):
        self.now, self.seconds, self.wanted, self.limits = 0.0, seconds, [], []
        monkeypatch.setattr(stopwatch, "perf_counter", lambda: self.now)
        monkeypatch.setattr(stopwatch, "thread_time", lambda: self.now / 2)
        monkeypatch.setattr(stopwatch, "process_time", lambda: self.now / 2)

    def ask(self, Q):
        assert not gc.isenabled()
        self.wanted.append(len(Q))
        self.now += sum(self.seconds(int(q[0])) for q in Q)
        return np.zeros((len(Q), 1), np.int64)

    @contextmanager
    def limited(self, threads):
        self.limits.append(threads)
        yield


def numbered(m):
    return np.arange(m, dtype=np.float32)[:, None]


def test_times_are_medians_over_rounds_and_then_over_queries(monkeypatch):
    time = Time(monkeypatch, lambda i: time.factor * (i + 1) * 1e-4)
    watch, Q = Watch(), numbered(101)
    for time.factor in (1, 50, 1):  # one round is disturbed
        watch.time_singles(time.ask, time.limited, Q)
        watch.time_batch(time.ask, time.limited, Q, 1)
        watch.time_batch(time.ask, time.limited, Q, 4)
    took = watch.took(101, 4)
    single = took["one by one"]
    assert single.seconds == pytest.approx(51e-4)  # of 1 to 101 tenths of a millisecond
    assert single.p95 == pytest.approx(96e-4)
    assert single.processor == pytest.approx(single.mean / 2)
    assert single.calls == time.wanted.count(1)
    assert took["batch"].seconds == pytest.approx(51e-4)
    assert took["batch"].p95 is None
    assert [took[way].threads for way in WAYS] == [1, 1, 4]
    assert took["batch, all threads"].calls == 3 * 101
    assert time.limits == [1, 1, 4] * 3
    assert gc.isenabled()


@pytest.mark.parametrize("m", [1, 7, 150])
def test_few_queries_are_asked_over_and_over_and_slow_ones_not_for_long(monkeypatch, m):
    time = Time(monkeypatch, lambda i: 1e-6)
    watch = Watch()
    for _ in range(ROUNDS):
        watch.time_singles(time.ask, time.limited, numbered(m))
    assert CALLS <= len(watch.singles) <= max(CALLS + ROUNDS, ROUNDS * m)
    assert set(watch.queries) == set(range(m))
    slow, watch = Time(monkeypatch, lambda i: 0.3), Watch()
    for _ in range(ROUNDS):
        watch.time_singles(slow.ask, slow.limited, numbered(m))
    assert SECONDS <= slow.now <= SECONDS + 0.3 * ROUNDS


def test_a_search_that_fails_leaves_the_clock_as_it_was(monkeypatch):
    def fail(i):
        raise KeyError

    time = Time(monkeypatch, fail)
    with pytest.raises(KeyError):
        Watch().time_singles(time.ask, time.limited, numbered(3))
    with pytest.raises(KeyError):
        Watch().time_batch(time.ask, time.limited, numbered(3), 2)
    assert gc.isenabled()
    assert not ALONE.locked()
