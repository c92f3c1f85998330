"""A child that dies, stands still, floods memory or lies ends in words; cancelling ends it."""

import os
import subprocess
import sys
import textwrap
import time
from pathlib import Path

import numpy as np
import pytest

from mips_core.base import limits
from mips_core.base.errors import Cancelled, DataError
from mips_core.data.readers.child import run
from mips_core.data.readers.contract import Source

PARSERS = """
    import ctypes, os, signal, sys, time
    import numpy as np
    from mips_core.base.errors import DataError
    from mips_core.data.readers.choices import Offer, Offers, UnsettledError

    def good(source, room, text):
        room.save("numbers", np.arange(6, dtype=">f8").reshape(2, 3))
        room.save("none", np.empty((0, 4), np.float32))
        return {"text": text, "head": source.head.decode(), "name": source.name}

    def surroundings(source, room):
        loaded = [m for m in ("numba", "scipy", "pandas", "pyarrow", "h5py") if m in sys.modules]
        return {"folder": os.getcwd(), "names": sorted(os.environ), "loaded": loaded}

    def abort(source, room):
        os.abort()

    def broken(source, room):
        raise ZeroDivisionError

    def leave(source, room):
        os._exit(0)

    def killed(source, room):
        os.kill(os.getpid(), signal.SIGKILL)

    def sleep(source, room):
        time.sleep(60)

    def spin(source, room):
        while True:
            pass

    def allocate(source, room):
        return np.ones((1 << 33,), np.uint8).nbytes

    def flood(source, room):
        with open("flood.bin", "wb") as file:
            file.truncate(1 << 40)

    def refuse(source, room):
        raise DataError("It is bad in row 3.", "Mend it.")

    def ask(source, room):
        raise UnsettledError("Two.", "Choose.", Offers((Offer("a", "2 × 3"),), bad_rows=7))

    def short(source, room):
        room.save("numbers", np.arange(6.0))
        room.arrays["numbers"]["shape"] = [10**12]
        return {}

    def objects(source, room):
        room.save("numbers", np.arange(6.0))
        room.arrays["numbers"]["dtype"] = "|O8"
        return {}

    def outside(source, room):
        room.save("numbers", np.arange(6.0))
        room.arrays["../numbers"] = room.arrays.pop("numbers")
        return {}

    def linked(source, room):
        os.symlink(source.path, "numbers.bin")
        room.arrays["numbers"] = {"dtype": "|u1", "shape": [source.size]}
        return {}

    def report(source, room):
        for position in range(1, 5):
            source.reached(position)
            time.sleep(0.5)
        return {}
"""


@pytest.fixture
def ask(tmp_path, monkeypatch):
    """ask(parser, …) runs one of PARSERS in a child over a file of four bytes."""
    (tmp_path / "parsers.py").write_text(textwrap.dedent(PARSERS))
    (tmp_path / "file.xyz").write_bytes(b"data")
    monkeypatch.syspath_prepend(str(tmp_path))

    def ask(parser, progress=lambda fraction, message, partial=None: None, **arguments):
        source = Source.of(tmp_path / "file.xyz", progress=progress)
        return run(f"parsers:{parser}", "XYZ", source, arguments, lambda answer: answer)

    return ask


def refusal(ask, parser):
    with pytest.raises(DataError) as caught:
        ask(parser)
    assert "file.xyz" in caught.value.found
    assert caught.value.remedy
    return str(caught.value)


def test_arrays_and_facts_come_back_as_they_were(ask):
    answer = ask("good", text="“é” \ud800")
    assert answer.facts == {"text": "“é” \ud800", "head": "data", "name": "file.xyz"}
    np.testing.assert_array_equal(answer.arrays["numbers"], np.arange(6.0).reshape(2, 3))
    assert answer.arrays["numbers"].dtype == ">f8"
    assert answer.arrays["none"].shape == (0, 4)


def test_a_child_sees_little_and_leaves_nothing(ask, monkeypatch):
    monkeypatch.setenv("A_SECRET", "1")
    facts = ask("surroundings").facts
    assert "A_SECRET" not in facts["names"]
    assert "HOME" not in facts["names"]
    assert facts["loaded"] == []
    assert not os.path.exists(facts["folder"])  # noqa: PTH110


@pytest.mark.parametrize(
    ("parser", "words"),
    [
        ("abort", "broke down"),
        ("broken", "broke down"),
        ("leave", "broke down"),
        ("nowhere", "broke down"),
        ("killed", "for want of memory"),
        ("allocate", "more memory to read than the limit of 4,096 MB"),
        ("flood", "broke down"),
        ("short", "broke down"),
        ("objects", "broke down"),
        ("outside", "broke down"),
        ("linked", "broke down"),
    ],
)
def test_a_child_that_fails_is_a_refusal(ask, parser, words):
    assert words in refusal(ask, parser)


def test_a_fault_of_the_parser_can_be_traced(ask):
    with pytest.raises(DataError) as caught:
        ask("broken")
    assert "ZeroDivisionError" in str(caught.value.__cause__)


def test_a_child_in_a_loop_is_ended_by_its_processor_time(ask):
    start = time.monotonic()
    assert "longer than a file of its size should" in refusal(ask, "spin")
    assert time.monotonic() - start < 30


def test_a_child_that_stands_still_is_ended(ask, monkeypatch):
    monkeypatch.setattr(limits, "CHILD_STILL_SECONDS", 1)
    start = time.monotonic()
    assert "nothing came of it for 1 seconds" in refusal(ask, "sleep")
    assert time.monotonic() - start < 20


def test_errors_of_the_parser_come_back_whole(ask):
    with pytest.raises(DataError) as caught:
        ask("refuse")
    assert type(caught.value) is DataError
    assert (caught.value.found, caught.value.remedy) == ("It is bad in row 3.", "Mend it.")
    with pytest.raises(DataError) as caught:
        ask("ask")
    assert type(caught.value).__name__ == "UnsettledError"
    assert caught.value.offers.arrays[0].about == "2 × 3"
    assert caught.value.offers.bad_rows == 7


def test_progress_is_passed_on_and_cancelling_ends_the_child(ask):
    shares = []
    ask("report", progress=lambda fraction, message, partial=None: shares.append(fraction))
    assert shares == sorted(shares)
    assert 0 < max(shares) <= 1

    def cancel(fraction, message, partial=None):
        if fraction > 0:
            raise Cancelled

    start = time.monotonic()
    with pytest.raises(Cancelled):
        ask("sleep", progress=lambda fraction, message, partial=None: cancel(1.0, message))
    assert time.monotonic() - start < 5


def test_reading_needs_no_compiled_parts():
    slow = "'numba', 'scipy', 'pandas', 'pyarrow', 'h5py'"
    code = f"import sys, mips_core.data.readers; print({{{slow}}} & {{*sys.modules}})"
    root = Path(limits.__file__).parents[2]
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=root, capture_output=True, text=True, check=True
    )
    assert done.stdout.strip() == "set()"
