import pytest

from mips_core.base.errors import DataError
from mips_core.base.threads import n_threads
from mips_core.scale import worker_call
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


@pytest.mark.parametrize("other", ["numpy", "numba", "Python"])
def test_workers_of_other_versions_have_another_name(monkeypatch, other):
    have = worker_call.version
    assert code_name.__wrapped__() == code_name()
    monkeypatch.setattr(worker_call, "version", lambda name: "0.1" if name == other else have(name))
    if other == "Python":
        monkeypatch.setattr(worker_call, "python_version_tuple", lambda: ("2", "7", "18"))
    assert code_name.__wrapped__() != code_name()
    with pytest.raises(DataError, match="Python, numpy or numba"):
        timed(code_name.__wrapped__(), add, 2, 3)
