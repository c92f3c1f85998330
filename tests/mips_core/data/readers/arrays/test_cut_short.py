"""A file that is cut short under its mapping: the process lives, and only for that fault."""

import signal
import subprocess
import sys
from textwrap import dedent

import pytest

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="is kept so on Linux alone")

BEGINNING = """
    import os, sys
    import numpy as np
    from mips_core.data.readers.arrays import cut_short

    X = np.ones((2_000, 10), np.float32)

    def mapped(name):
        path = sys.argv[1] + name
        X.tofile(path)
        return path, np.memmap(path, np.float32, "c", 0, X.shape)
"""


def run(tmp_path, script):
    """The process that ran `script`, which may be ended by a signal."""
    whole = dedent(BEGINNING) + dedent(script)
    return subprocess.run(
        [sys.executable, "-c", whole, f"{tmp_path}/"], capture_output=True, text=True, timeout=60
    )


@pytest.mark.parametrize("left", [0, 1, 4096, 40 * 1024 + 4])
def test_what_is_gone_reads_as_zeros_and_the_process_goes_on(tmp_path, left):
    done = run(tmp_path, f"""
        path, array = mapped("cut")
        cut_short.guard(array, array._mmap)
        assert cut_short.ready()
        os.truncate(path, {left})
        print(int(np.asarray(array).sum()), array.flags.writeable)
        array[-1] = 7  # of its own, as before
        print(int(array[-1].sum()))
    """)  # fmt: skip
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.split() == [str(left // 4), "True", "70"]


@pytest.mark.parametrize("kept", [False, True])
def test_the_same_fault_elsewhere_ends_the_process_as_ever(tmp_path, kept):
    done = run(tmp_path, f"""
        if {kept}:
            other = mapped("kept")[1]
            cut_short.guard(other, other._mmap)
        assert cut_short.ready() == {kept}
        path, array = mapped("cut")
        os.truncate(path, 0)
        print(array.sum())
    """)  # fmt: skip
    assert done.returncode == -signal.SIGBUS


def test_an_array_that_is_gone_leaves_its_place_to_another(tmp_path):
    done = run(tmp_path, """
        for _ in range(3):
            path, array = mapped("cut")
            cut_short.guard(array, array._mmap)
            print(np.flatnonzero(cut_short._PLACES[:, 1]))
            del array
        kept = [np.memmap(path, np.float32, "c", 0, X.shape) for _ in range(cut_short.ROOM + 1)]
        for array in kept:
            cut_short.guard(array, array._mmap)
        print(cut_short._PLACES.all(), len({*cut_short._PLACES[:, 0]}) == cut_short.ROOM)
    """)  # fmt: skip
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.splitlines() == ["[0]"] * 3 + ["True True"]
