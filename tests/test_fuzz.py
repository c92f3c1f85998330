"""The fuzzer finds what it is meant to find, and the same each time."""

import os
import signal
import warnings
from hashlib import blake2b
from pathlib import Path
from random import Random
from time import monotonic, process_time, sleep

import numpy as np
import pytest

from benchmarks.fuzz import judge as judging
from benchmarks.fuzz import workers
from benchmarks.fuzz.judge import Verdict, flaw_of, judge
from benchmarks.fuzz.minimise import minimised
from benchmarks.fuzz.mutants import mutant
from benchmarks.fuzz.packed import opened
from benchmarks.fuzz.seeds import SEEDS
from benchmarks.fuzz.workers import Tally, run
from mips_core.base.errors import DataError
from mips_core.data.dataset import Dataset

X = np.ones((3, 2), np.float32)


def raising(error):
    def way(paths):
        raise error

    return way


def wrapping(paths):
    try:
        {}["x"]
    except KeyError as error:
        raise DataError("a.npy cannot be read.", "Save it again.") from error


def starving(paths):
    try:
        raise MemoryError
    except MemoryError:
        raise DataError("a.npy does not fit into memory.", "Give less.") from None


def flawed(**changes):
    data = Dataset(X, labels=["a", "b", "c"])
    for name, value in changes.items():
        object.__setattr__(data, name, value)
    return lambda paths: data


@pytest.mark.parametrize(
    ("way", "words"),
    [
        (raising(ValueError("x")), "ValueError at test_fuzz.py"),
        (raising(SystemExit(0)), "SystemExit at"),
        (wrapping, "wrapped KeyError at test_fuzz.py"),
        (starving, "out of memory at"),
        (raising(DataError("It is bad.", "Mend it.")), "names no file"),
        (raising(DataError("a.npy is bad.")), "without a remedy"),
        (raising(DataError("a.npy: " + "x" * 9999, "Mend it.")), "characters"),
        (raising(DataError("a.npy: \ud800", "Mend it.")), "no valid text"),
        (lambda paths: warnings.warn("old", stacklevel=1), "UserWarning at"),
        (lambda paths: None, "a NoneType was given"),
        (flawed(items=X * np.nan), "items are not finite"),
        (flawed(items=X.astype(float)), "items are float64"),
        (flawed(items=np.asfortranarray(X)), "items are not in C order"),
        (flawed(labels=["a"]), "labels of another length"),
        (flawed(labels=["a", "b", "\ud800"]), "labels that are no valid text"),
        (flawed(notes=["x" * 9999]), "notes too long"),
        (flawed(queries=X[:, :1].copy()), "queries of another width"),
    ],
)  # fmt: skip
def test_the_judge_sees_every_kind_of_fault(monkeypatch, way, words):
    monkeypatch.setitem(judging.WAYS, "as it is", way)
    verdict = judge([Path("a.npy")])
    assert verdict.outcome == "fault"
    assert words in verdict.what


def test_the_judge_stops_what_hangs(monkeypatch):
    monkeypatch.setattr(judging, "PATIENCE", 0.1)
    monkeypatch.setitem(judging.WAYS, "as it is", lambda paths: sleep(600))
    verdict = judge([Path("a.npy")])
    assert (verdict.outcome, verdict.what) == ("fault", "hangs")


def test_the_judge_sees_what_is_slow(monkeypatch):
    def slow(paths):
        began = process_time()
        while process_time() < began + 0.2:
            pass
        return X

    monkeypatch.setattr(judging, "SECONDS", 0.1)
    monkeypatch.setitem(judging.WAYS, "as it is", slow)
    verdict = judge([Path("a.npy")])
    assert (verdict.outcome, verdict.what) == ("fault", "too slow")
    assert verdict.seconds >= 0.2


def test_the_judge_accepts_what_is_sound_and_passes_on_refusals(monkeypatch):
    assert flaw_of(Dataset(X, X[:1], labels=["a", "b", "c"])) == ""
    assert flaw_of(X) == ""
    monkeypatch.setitem(judging.WAYS, "as it is", raising(DataError("a.npy is bad.", "Mend it.")))
    assert judge([Path("a.npy")]).outcome == "refused"


@pytest.mark.parametrize("key", SEEDS)
def test_seeds_and_mutants_are_the_same_each_time(key):
    assert SEEDS[key]() == SEEDS[key]()
    seeds = SEEDS[key]()
    made = [mutant(key, seeds, number) for number in range(40)]
    assert made == [mutant(key, seeds, number) for number in range(40)]
    assert made != [mutant(key, seeds, number, start=1) for number in range(40)]
    changed = sum(files != seeds[n % len(seeds)].files for n, (files, _) in enumerate(made))
    assert changed > 25


@pytest.mark.parametrize("key", ["npy", "npz", "safetensors", "unpack"])
def test_packed_files_can_be_opened_and_closed_again(key):
    kinds = 0
    for seed in SEEDS[key]():
        found = opened(seed.files[0][1])
        if found is not None:
            form, parts = found
            assert opened(form.join(dict(parts), Random(0)))[1] == parts
            kinds += 1
    assert kinds >= 9


def test_a_fault_is_made_small():
    content = b"x" * 500 + b"bad" + b"y" * 500
    assert minimised(content, lambda tried: b"bad" in tried) == b"bad"


def digest(content):
    return blake2b(content, digest_size=8).hexdigest()


def misbehave(paths, way):
    """Stands in for `judge` in a worker: crashes, hangs and swells over the files named."""
    found = digest(paths[0].read_bytes())
    crashing, hanging, swelling = os.environ["CULPRITS"].split()
    if found == crashing:
        os.kill(os.getpid(), signal.SIGSEGV)
    if found == hanging:
        sleep(600)
    if found == swelling:
        np.ones((workers.SWELL + 100) * 2**17)  # MB of float64
    return Verdict("accepted")


def test_a_worker_that_crashes_hangs_or_swells_gives_the_file_away(monkeypatch):
    seeds = SEEDS["flat_binary"]()
    digests = [digest(mutant("flat_binary", seeds, n)[0][0][1]) for n in range(25)]
    culprits = [name for name in digests if digests.count(name) == 1][2:15:5]
    monkeypatch.setenv("CULPRITS", " ".join(culprits))
    monkeypatch.setattr(workers, "STALL", 4.0)
    others_judged = []  # when: till then the clock stands, for a busy machine swells slowly
    since = lambda: monotonic() - others_judged[0] if others_judged else 0.0  # noqa: E731
    monkeypatch.setattr(workers, "monotonic", since)

    def note(tally):
        if tally.files >= 22:  # all but the batch of the file that hangs
            others_judged.append(monotonic())

    np.ones((workers.SWELL + 400) * 2**17)  # what this process has held is not the workers'
    tally = run("flat_binary", 25, jobs=2, report=note, try_out=misbehave)
    assert (tally.files, tally.accepted) == (25, 22)
    crashed, hung, swollen = ([digests.index(name)] for name in culprits)
    assert tally.faults == {
        "crash, SIGSEGV": crashed, "hang": hung, f"over {workers.SWELL} MB of memory": swollen,
    }  # fmt: skip


def test_workers_judge_every_number_once():
    tally = run("flat_binary", 60, jobs=2)
    assert tally.files == 60
    assert not tally.faults
    assert tally.accepted
    assert tally.refused


def test_tallies_add_up():
    one, two = Tally(accepted=1, slowest=2.0), Tally(refused=3, peak=1.0)
    two.add(7, Verdict("fault", "bad", 0.1))
    one.merge(two)
    assert (one.files, one.faults, one.slowest, one.peak) == (5, {"bad": [7]}, 2.0, 1.0)
