from math import inf

import numpy as np

from mips_core.methods.clustering.rounds import Round
from mips_core.scale import checkpoints
from mips_core.scale.checkpoints import (
    BuildClock,
    Checkpoint,
    last_checkpoint,
    write_checkpoint,
    write_pass,
)
from mips_core.scale.part_work import labels_path, read_pass, write_array


def state(number):
    rounds = tuple(Round(1 / 3, 2**40 + at, 2, 9) for at in range(number))
    sums = np.ones((2, 3), np.int64), np.ones(2)
    return Checkpoint(np.ones((2, 3), np.float32), *sums, rounds, float(number))


def test_the_last_whole_one_comes_back_and_older_ones_go(tmp_path):
    assert last_checkpoint(tmp_path, range(2)) is None
    for number in (1, 2, 3):
        write_pass(tmp_path, number, np.ones((2, 3), np.float32), np.arange(2))
        for at in range(2):
            write_array(labels_path(tmp_path, number, at), np.zeros(4, np.int32))
        write_checkpoint(tmp_path, state(number), 2)
    last = last_checkpoint(tmp_path, range(2))
    assert (last.rounds, last.seconds) == (state(3).rounds, 3)
    assert not labels_path(tmp_path, 1, 0).exists()
    assert read_pass(tmp_path, 2)[1].tolist() == [0, 1]


def test_one_that_is_damaged_or_lacks_labels_is_passed_over(tmp_path):
    for number in (1, 2, 3):
        write_array(labels_path(tmp_path, number, 0), np.zeros(4, np.int32))
        write_checkpoint(tmp_path, state(number), 0)
    (tmp_path / "state-0003.npz").write_bytes(b"PK damaged")
    assert len(last_checkpoint(tmp_path, range(1)).rounds) == 2
    labels_path(tmp_path, 2, 0).unlink()
    assert last_checkpoint(tmp_path, range(1)) is None


def test_one_of_a_version_that_kept_no_seconds_does_not_know_them(tmp_path):
    write_array(labels_path(tmp_path, 1, 0), np.zeros(4, np.int32))
    write_checkpoint(tmp_path, state(1), 0)
    path = tmp_path / "state-0001.npz"
    with np.load(path) as held:
        before = {name: held[name] for name in held if name != "seconds"}
    np.savez(path, **before)
    assert last_checkpoint(tmp_path, range(1)).seconds == inf


def test_a_clock_goes_on_from_what_others_had_spent(monkeypatch):
    now = [100.0]
    monkeypatch.setattr(checkpoints, "working_clock", lambda: now[0])
    clock = BuildClock(0.5)
    now[0] += 2
    assert clock.seconds == 2.5
    clock.goes_on_after(40)  # what was spent here on looking is in there, too
    now[0] += 1
    assert clock.seconds == 43
    clock.goes_on_after(30)  # an earlier stage
    assert clock.seconds == 43
