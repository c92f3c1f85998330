import operator
import time

import pytest

from mips_core.base.errors import Cancelled
from mips_core.base.threads import n_threads
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
