"""Earlier data on disk: whole or not at all, within a limit, and never an error."""

import json
import os
import signal
import stat
import subprocess
import sys
import time

import numpy as np
import pytest

from mips_core import Dataset
from pages._ui.work import earlier_store, uploads
from pages._ui.work.earlier_store import ABOUT, DATA, EarlierStore
from pages._ui.work.uploads import DataOrigin

VIEW = {"data": ["x"], "k": ["7"]}


def some(seed=0, n=200):
    return Dataset(np.random.default_rng(seed).normal(size=(n, 8)).astype(np.float32), name="films")


def origin(dataset, **more):
    return DataOrigin("films", dataset.n, dataset.d, ("films.csv",), 1234, **more)


def put(store, dataset, view=VIEW, **more):
    store.keep(dataset, origin(dataset, **more))
    store.keep_view(dataset.fingerprint, view)
    assert store.settle()
    return dataset.fingerprint


@pytest.fixture
def store(tmp_path):
    return EarlierStore(tmp_path / "earlier", 2**20)


def again(store):
    """The same folder, seen by a program that was started later."""
    uploads._UPLOADS.forget()
    uploads._ORIGINS.clear()
    return EarlierStore(store.folder, store.room)


def test_what_was_used_is_there_for_the_next_program_and_read_by_nobody_else(store):
    dataset = some()
    name = put(store, dataset)
    later = again(store)
    [entry] = later.entries()
    assert (entry.data, entry.origin, entry.words) == (name, origin(dataset), VIEW)
    assert entry.size > dataset.items.nbytes
    np.testing.assert_array_equal(later.find(name).items, dataset.items)
    assert uploads.origin_of(name) == origin(dataset)
    assert later.keeps(name)
    for folder in (store.folder, store.folder / name):
        assert stat.S_IMODE(folder.stat().st_mode) == 0o700


def test_of_data_in_the_data_folder_no_copy_is_made(store):
    name = put(store, some(), folder=True)
    assert [path.name for path in (store.folder / name).iterdir()] == [ABOUT]
    later = again(store)
    assert later.find(name) is None
    assert later.entry(name).origin.folder


@pytest.mark.parametrize("damaged", [DATA, ABOUT])
@pytest.mark.parametrize("how", ["cut", "empty", "bit", "pickle"])
def test_a_damaged_entry_is_dropped(store, damaged, how):
    name = put(store, some())
    path = store.folder / name / damaged
    whole = path.read_bytes()
    flipped = bytes([*whole[:-30], whole[-30] ^ 128, *whole[-29:]])
    pickle = b"\x80\x04cos\nsystem\n(S'touch /tmp/no'\ntR."
    path.write_bytes({"cut": whole[:40], "empty": b"", "bit": flipped, "pickle": pickle}[how])
    later = again(store)
    assert later.find(name) is None
    assert later.entries() == []
    os.utime(store.folder / name, (1e9, 1e9))
    later.tidy()
    assert not (store.folder / name).exists()


def test_items_of_another_fingerprint_are_not_taken(store):
    name, other = put(store, some()), put(store, some(1))
    (store.folder / name / DATA).write_bytes((store.folder / other / DATA).read_bytes())
    assert again(store).find(name) is None


@pytest.mark.parametrize("name", ["..", "../../etc", "a" * 31, "A" * 32, ""])
def test_only_fingerprints_lead_anywhere(store, name):
    put(store, some())
    assert store.entry(name) is None
    assert store.find(name) is None
    store.delete(name)
    assert len(store.entries()) == 1


def test_what_was_used_longest_ago_goes_first_and_data_after_what_was_measured(store):
    names = [put(store, some(seed)) for seed in range(3)]
    for age, name in enumerate(names):
        store.write(name, "f" * 32, lambda path: path.write_bytes(b"1" * 4000))
        assert store.settle()
        for path in (store.folder / name).iterdir():
            os.utime(path, (1e9 + age, 1e9 + age))
    one = sum(path.stat().st_size for path in (store.folder / names[0]).iterdir())
    store.room = 3 * one - 3000
    store.tidy()
    left = {name: sorted(path.name for path in (store.folder / name).iterdir()) for name in names}
    assert left == {names[0]: [ABOUT, DATA]} | {name: [ABOUT, DATA, "f" * 32] for name in names[1:]}
    assert store.find(names[0]) is not None  # used now
    store.room = 5 * (one - 4000) // 2
    store.tidy()
    assert {entry.data for entry in store.entries()} == {names[0], names[2]}


def set_clock(folder, forward):
    """As if the clock were set forward by so many seconds: what is there seems older."""
    for path in folder.rglob("*"):
        seems = path.stat().st_mtime - forward
        os.utime(path, (seems, seems))


def test_a_clock_set_forward_takes_nothing_that_is_being_kept(store):
    dataset = some()
    store.keep(dataset, origin(dataset))
    assert store.settle()
    set_clock(store.folder, 86_400)
    store.tidy()  # before it is known how these data are looked at
    store.keep_view(dataset.fingerprint, VIEW)
    assert store.settle()
    assert again(store).find(dataset.fingerprint) is not None


def test_a_clock_set_back_does_not_make_what_was_used_before_the_last_used(store):
    before = put(store, some())
    set_clock(store.folder, -86_400)
    store = again(store)
    now = put(store, some(1))
    assert {entry.data for entry in store.entries()} == {before, now}
    store.room = store.entry(now).size + 1
    store.tidy()
    assert [entry.data for entry in store.entries()] == [now]


def test_data_larger_than_all_room_are_not_kept(store):
    store.room = 100
    put(store, some())
    assert store.entries() == []


def test_deleted_data_come_back_only_when_they_are_used_anew(store):
    name = put(store, some())
    store.delete(name)
    store.keep_view(name, {"k": ["8"]})
    assert store.settle()
    assert store.entries() == []
    assert not store.keeps(name)
    put(store, some())
    assert [entry.data for entry in store.entries()] == [name]


def test_a_full_disk_is_told_until_there_is_room(store, monkeypatch):
    def full(path, dataset):
        raise OSError(28, "No space left on device")

    with monkeypatch.context() as patch:
        patch.setattr(earlier_store.files(), "save_dataset", full)
        put(store, some(), view={})
        assert "No space" in store.problem
    put(store, some())
    assert store.problem == ""


@pytest.mark.parametrize("place", ["file", "/proc/none"])
def test_a_folder_that_cannot_be_made_is_said(tmp_path, place):
    (tmp_path / "file").write_text("in the way")
    with pytest.raises(OSError, match="irectory"):
        EarlierStore(tmp_path / place / "earlier", 2**20)


WRITER = """
import sys
from pathlib import Path
from tests.pages._ui.work.test_earlier_store import EarlierStore, earlier_store, put, some
earlier_store.files()
store = EarlierStore(Path(sys.argv[1]), 2**30)
print("begun", flush=True)
for turn in range(10**6):
    put(store, some(turn % 3, n=20_000), view={"k": [str(turn)]})
"""


def test_a_writer_that_is_killed_leaves_nothing_half(tmp_path):
    folder, sizes = tmp_path / "earlier", {some(seed, n=20_000).fingerprint for seed in range(3)}
    seen = set()
    for turn in range(6):
        command = [sys.executable, "-c", WRITER, str(folder)]
        with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
            assert process.stdout.readline() == "begun\n"
            time.sleep(0.02 + 0.07 * turn)
            process.send_signal(signal.SIGKILL)
        store = EarlierStore(folder, 2**30)
        for entry in store.entries():
            assert store.find(entry.data).n == 20_000
            json.loads((folder / entry.data / ABOUT).read_text())
            seen.add(entry.data)
        store.tidy()
        assert not list(folder.rglob("*.unfinished"))
    assert seen
    assert seen <= sizes
