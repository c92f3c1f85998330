import os
import subprocess
import sys

import numpy as np
import pytest

from mips_core.base.errors import DataError
from mips_core.scale.shared_file import shared_file

KILLED = """
import os, sys
from pathlib import Path
from mips_core.scale.shared_file import shared_file
with shared_file(Path(sys.argv[1]), "queries", lambda file: file.write(b"x")):
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
