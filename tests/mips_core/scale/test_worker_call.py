import pytest

from mips_core.base.errors import DataError
from mips_core.base.threads import n_threads
from mips_core.scale.worker_call import code_name, timed


def add(one, other):
    return one + other + (n_threads() != 1)


def test_a_call_has_one_thread_and_tells_its_time():
    seconds, value = timed(code_name(), add, 2, 3)
    assert value == 5
    assert seconds >= 0


def test_a_worker_of_another_source_is_refused():
    with pytest.raises(DataError, match="another version"):
        timed("other", add, 2, 3)
