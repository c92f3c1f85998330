import os
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from time import sleep

import numpy as np
import pytest

from mips_core.base.errors import Cancelled, DataError
from mips_core.scale import shared_file as module
from mips_core.scale.shared_file import alone, shared_file

KILLED = """
import os, sys
from pathlib import Path
from mips_core.scale.shared_file import alone, shared_file
folder = Path(sys.argv[1])
with shared_file(folder, "queries", lambda file: file.write(b"x")), alone(folder / "run", print):
    os._exit(9)
"""


def test_it_is_there_as_long_as_the_block_and_left_by_no_error(tmp_path):
    with shared_file(tmp_path, "queries", lambda file: np.save(file, np.arange(3))) as path:
        assert np.load(path).tolist() == [0, 1, 2]
        with shared_file(tmp_path, "queries", lambda file: None) as other:
            assert path.exists()  # its holder lives
            assert other != path
    with pytest.raises(TimeoutError, match="own"), shared_file(tmp_path, "a", lambda file: None):
        raise TimeoutError("its own")
    assert list(tmp_path.iterdir()) == []


def test_what_a_killed_process_left_goes_with_the_next(tmp_path):
    process = subprocess.run([sys.executable, "-c", KILLED, tmp_path])
    assert process.returncode == 9
    assert len(list(tmp_path.iterdir())) == 2
    with alone(tmp_path / "run", pytest.fail):
        pass
    (left,) = tmp_path.iterdir()
    with shared_file(tmp_path, "queries", lambda file: None):
        assert not left.exists()
    assert list(tmp_path.iterdir()) == []


def test_a_folder_that_takes_no_file_is_told(tmp_path):
    with (
        pytest.raises(DataError, match="cannot be written"),
        shared_file(tmp_path / "none", "a", lambda file: None),
    ):
        pass

    def full(file):
        raise OSError(28, os.strerror(28))

    with pytest.raises(DataError, match="No space"), shared_file(tmp_path, "a", full):
        pass
    assert list(tmp_path.iterdir()) == []


def test_one_block_at_a_time_and_who_waits_may_give_up(tmp_path, monkeypatch):
    monkeypatch.setattr(module, "LOOK_SECONDS", 0.001)
    inside, most = [], []

    def enter(number):
        with alone(tmp_path / "run", lambda told: None):
            inside.append(number)
            most.append(len(inside))
            sleep(0.002)
            inside.remove(number)

    with ThreadPoolExecutor(8) as pool:
        list(pool.map(enter, range(40)))
    assert (max(most), len(most)) == (1, 40)

    def give_up(told):
        assert "waiting" in told
        raise Cancelled

    with alone(tmp_path / "run", pytest.fail):
        with pytest.raises(Cancelled), alone(tmp_path / "run", give_up):
            pass
        with alone(tmp_path / "other", pytest.fail):
            pass
    assert list(tmp_path.iterdir()) == []
    with pytest.raises(DataError, match="cannot be written"), alone(tmp_path / "a" / "b", print):
        pass


def test_where_the_storage_has_no_locks_all_go_in_at_once(tmp_path, monkeypatch):
    def none(*_):
        raise OSError(37, "No locks available")

    monkeypatch.setattr(module.fcntl, "flock", none)
    with alone(tmp_path / "run", pytest.fail), alone(tmp_path / "run", pytest.fail):
        pass
    assert list(tmp_path.iterdir()) == []
