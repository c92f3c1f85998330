"""A file that is being saved is the old one or the new one, whatever happens to the writer."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

import mips_core
from mips_core.base.atomic_write import UNFINISHED, replacing
from mips_core.base.errors import DataError

ROOT = Path(mips_core.__file__).parents[1]
KILLED = """
import os, random, signal, sys, time
from pathlib import Path
import numpy as np
from mips_core import Dataset, INDEXES, load, rng_for, save
from mips_core.serving.store import stored_index

path, times = Path(sys.argv[1]), int(sys.argv[2])
X = np.random.default_rng(0).normal(size=(9_000, 16)).astype(np.float32)
index = INDEXES["largest-norm"]()
both = [
    stored_index(Dataset(part, name=name), index, 0, index.build(part, rng_for(0)))
    for part, name in ((X, "old"), (X[:4_000], "new"))
]
random.seed(int(sys.argv[3]))
began = time.perf_counter()
save(path, both[0])
once = time.perf_counter() - began
seen, kills, unfinished = set(), 0, 0
while kills < times or len(seen) < 2 or not unfinished:
    kills += 1
    child = os.fork()
    if child == 0:
        while True:
            for stored in reversed(both):
                save(path, stored)
    time.sleep(random.uniform(0, 4 * once))
    os.kill(child, signal.SIGKILL)
    os.waitpid(child, 0)
    found = load(path)
    assert found.n == {"old": 9_000, "new": 4_000}[found.name]
    seen.add(found.name)
    unfinished += len(list(path.parent.iterdir())) > 1
    assert len(list(path.parent.iterdir())) <= 2  # the next save removes what the last one left
save(path, both[0])
assert [left.name for left in path.parent.iterdir()] == [path.name]
print(kills, unfinished)
"""


def run_killed(folder, times, seed=0):
    """Save again and again in children, `times` of them killed; how many were, and left a part."""
    done = subprocess.run(
        [sys.executable, "-c", KILLED, str(folder / "a.mips"), str(times), str(seed)],
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
        check=False,
        timeout=120,
    )
    assert done.returncode == 0, done.stderr
    return tuple(map(int, done.stdout.split()))


@pytest.mark.skipif(not hasattr(os, "fork"), reason="kills a fork")
def test_a_writer_killed_at_any_moment_leaves_the_old_or_the_new_file(tmp_path):
    kills, unfinished = run_killed(tmp_path, 12)
    assert kills >= 12
    assert unfinished > 0


def write(path, content=b"new"):
    with replacing(path) as file:
        file.write(content)


def test_an_error_leaves_the_old_file_and_nothing_else(tmp_path):
    path = tmp_path / "a"
    path.write_bytes(b"old")

    def fail():
        with replacing(path) as file:
            file.write(b"half")
            raise KeyError

    with pytest.raises(KeyError):
        fail()
    assert path.read_bytes() == b"old"
    assert list(tmp_path.iterdir()) == [path]


def test_what_a_dead_writer_left_is_removed_and_what_a_living_one_writes_is_not(tmp_path):
    path, other = tmp_path / "a[1]", tmp_path / f".b.0{UNFINISHED}"
    left = tmp_path / f".a[1].0{UNFINISHED}"
    left.write_bytes(b"half")
    other.write_bytes(b"of another file")
    with replacing(path) as first:
        assert not left.exists()
        first.write(b"first")
        write(path, b"second")
        assert path.read_bytes() == b"second"
    assert path.read_bytes() == b"first"
    assert sorted(tmp_path.iterdir()) == sorted([path, other])


def test_a_link_stays_a_link_and_a_new_file_has_the_usual_rights(tmp_path):
    plain, path, link = tmp_path / "plain", tmp_path / "a", tmp_path / "link"
    plain.write_bytes(b"")
    write(path)
    assert path.stat().st_mode == plain.stat().st_mode
    link.symlink_to(path)
    write(link, b"newer")
    assert link.is_symlink()
    assert path.read_bytes() == b"newer"


def test_where_nothing_can_be_written_that_is_said(tmp_path, monkeypatch):
    with pytest.raises(DataError, match=r"no/a cannot be written: No such file or directory"):
        write(tmp_path / "no" / "a")
    with pytest.raises(DataError, match="cannot be written: it is not a file"):
        write(tmp_path)
    with pytest.raises(DataError, match="cannot be written: it is not a file"):
        write(Path("/dev/null"))
    path = tmp_path / "a"
    path.write_bytes(b"old")
    monkeypatch.setattr(os, "access", lambda *_: False)  # root may write anything
    with pytest.raises(DataError, match="cannot be written: Permission denied"):
        write(path)
    assert path.read_bytes() == b"old"


def test_without_room_the_old_file_stays(tmp_path):
    """A limit on the size of files stands for a full disk."""
    resource = pytest.importorskip("resource")
    path = tmp_path / "a"
    path.write_bytes(b"old")
    limits = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (2**16, limits[1]))
    try:
        with pytest.raises(DataError, match="cannot be written: File too large"):
            write(path, bytes(2**17))
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, limits)
    assert path.read_bytes() == b"old"
    assert list(tmp_path.iterdir()) == [path]
