"""An .npz is measured before it is unpacked, and names in it are only names."""

import zipfile

import numpy as np
import pytest

from mips_core.base import limits
from mips_core.data.readers import Source
from mips_core.data.readers.arrays import binary
from mips_core.data.readers.arrays import npz as npz_reader
from mips_core.data.readers.choices import Choices
from tests.mips_core.data.readers.arrays.npz_writing import X, Y, npy, npz, zipped


def test_damaged_data_is_refused(refusal):
    content = bytearray(npz(np.savez_compressed, x=np.tile(X, (40, 1))))
    content[300:330] = bytes(30)
    assert "damaged" in refusal("bad.npz", bytes(content))


def test_unpacked_size_is_bounded(refusal, monkeypatch):
    content = npz(np.savez_compressed, items=np.ones((500, 50)), queries=np.ones((500, 50)))
    monkeypatch.setattr(limits, "MAX_FILE_BYTES", 300_000)
    text = refusal("bomb.npz", content)
    assert "takes 0 MB when unpacked (“items”, “queries”); the limit is 0 MB" in text


def test_a_bomb_in_a_member_not_taken_is_left_alone(load, monkeypatch):
    content = npz(np.savez_compressed, items=X, other=np.zeros(10**6))
    monkeypatch.setattr(limits, "MAX_FILE_BYTES", 20_000)
    np.testing.assert_array_equal(load("a.npz", content).items, X)


def test_other_members_are_left_out_with_a_note(load):
    data = load("a.npz", zipped(("read me.txt", b"hello"), ("folder/", b""), ("x.npy", npy(X))))
    np.testing.assert_array_equal(data.items, X)
    assert data.notes[0] == "Left out, as they are no arrays: “read me.txt”."


@pytest.mark.parametrize("name", ["..\\x.npy", "../../x.npy", "/etc/x.npy", "C:\\x.npy", ".npy",
                                  "a\nb.npy", "<b>x</b>.npy", "é" * 3000 + ".npy"])  # fmt: skip
def test_names_of_members_are_only_names(load, tmp_path, name):
    before = set(tmp_path.parent.rglob("*"))
    np.testing.assert_array_equal(load("a.npz", zipped((name, npy(X)))).items, X)
    assert set(tmp_path.parent.rglob("*")) - before == {tmp_path / "a.npz"}


def test_a_name_held_twice_is_noted(load):
    data = load("a.npz", zipped(("x.npy", npy(Y)), ("x.npy", npy(X))))
    np.testing.assert_array_equal(data.items, X)
    assert "Held twice, and the last is taken: “x”." in data.notes


@pytest.mark.parametrize("method", [zipfile.ZIP_LZMA, zipfile.ZIP_BZIP2])
def test_packings_numpy_does_not_write_are_refused(refusal, method):
    assert "damaged" in refusal("a.npz", zipped(("x.npy", npy(X)), method=method))


def test_an_encrypted_member_is_refused(refusal):
    content = bytearray(zipped(("x.npy", npy(X))))
    content[6] |= 1
    content[content.index(b"PK\1\2") + 8] |= 1
    assert "encrypted" in refusal("a.npz", bytes(content))


def test_a_size_in_the_directory_is_not_believed(refusal):
    content = bytearray(zipped(("x.npy", npy(X)[:-50])))
    place = content.index(b"PK\1\2") + 24
    content[place : place + 4] = (10**6).to_bytes(4, "little")
    assert refusal("a.npz", bytes(content))


def test_too_many_members_are_refused(refusal, monkeypatch):
    monkeypatch.setattr(limits, "MAX_ARRAYS", 2)
    content = zipped(*[(f"{i}.npy", npy(X)) for i in range(3)])
    assert "3 files; the limit for a .npz is 2" in refusal("a.npz", content)


def test_progress_is_reported_over_all_arrays(tmp_path, monkeypatch):
    path = tmp_path / "a.npz"
    path.write_bytes(npz(items=np.ones((1000, 25)), queries=np.ones((1000, 25))))
    monkeypatch.setattr(binary, "BLOCK", 100_000)
    shares = []
    npz_reader.read(Source.of(path, progress=lambda share, *_: shares.append(share)), Choices())
    assert len(shares) == 4
    assert shares == sorted(shares)
    assert shares[-1] == 1
