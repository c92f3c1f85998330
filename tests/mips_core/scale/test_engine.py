import gc
import operator
import time
import weakref
from threading import Event

import pytest

from mips_core.base.errors import Cancelled
from mips_core.base.threads import map_blocks, n_threads, working_clock
from mips_core.scale.engine import Local, combined


def square(x):
    return x * x


def threads_within(_):
    return n_threads()


def slow(x):
    time.sleep(0.05)
    return x


def fails(x):
    raise ValueError(f"task {x}")


def test_every_task_comes_back_once_with_its_number():
    done = dict(Local(3).run(square, [(x,) for x in range(20)], "key"))
    assert done == {x: x * x for x in range(20)}
    assert list(Local(2).run(square, [], "key")) == []


@pytest.mark.parametrize("workers", [1, 2, 5])
@pytest.mark.parametrize("n", [1, 7, 100])
def test_reduce_is_the_sum_whatever_the_grouping(workers, n):
    total = Local(workers).reduce(square, [(x,) for x in range(n)], operator.add, "key")
    assert total == sum(x * x for x in range(n))


def test_a_task_has_one_thread_and_a_group_is_one_task():
    assert dict(Local(2).run(threads_within, [(0,)], "key")) == {0: 1}
    assert combined(square, operator.add, [(2,), (3,)]) == 13


def test_cancel_drops_what_has_not_begun_and_errors_come_through():
    def stop(fraction, message, partial=None):
        if fraction > 0:
            raise Cancelled

    began = time.perf_counter()
    with pytest.raises(Cancelled):
        list(Local(1).run(slow, [(x,) for x in range(100)], "key", stop))
    assert time.perf_counter() - began < 2
    with pytest.raises(ValueError, match="task 3"):
        list(Local(1).run(fails, [(3,)], "key"))


BLOCKS = []  # that were worked on


def block(start, stop):
    time.sleep(0.02)
    BLOCKS.append(start)


def long_work(blocks):
    began = working_clock()
    map_blocks(block, blocks, 1)
    return working_clock() - began


def test_a_cancel_ends_what_has_begun_after_a_block():
    BLOCKS.clear()

    def stop(fraction, message, partial=None):
        raise Cancelled

    began = time.perf_counter()
    with pytest.raises(Cancelled):
        list(Local(2).run(long_work, [(500,)] * 2, "key", stop))
    assert time.perf_counter() - began < 5  # all of it would take 10
    assert len(BLOCKS) < 500


def test_threads_stand_aside_while_who_waits_for_them_does():
    BLOCKS.clear()
    counts, aside = [], Event()

    def stand_aside(fraction, message, partial=None):
        if not aside.is_set():
            aside.set()
            time.sleep(0.2)  # the blocks under way come to their end
            counts.append(len(BLOCKS))
            time.sleep(1)
            counts.append(len(BLOCKS))

    (_, first), (_, second) = Local(2).run(long_work, [(40,)] * 2, "key", stand_aside)
    assert counts[0] == counts[1] < 80 == len(BLOCKS)
    assert max(first, second) < 40 * 0.02 + 1  # that second is not theirs


def test_what_was_handed_on_is_not_held():
    class Large:
        pass

    held = []
    for _, value in Local(1).run(lambda: Large(), [()] * 6, "key"):
        held.append(weakref.ref(value))
        del value
        gc.collect()
        assert sum(one() is not None for one in held[:-1]) == 0
