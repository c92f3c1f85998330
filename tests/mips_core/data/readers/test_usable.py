"""Vectors as stored to those that can be searched: the same numbers, mapped where they may be."""

import os
import sys
import tempfile
import tracemalloc

import numpy as np
import pytest

from mips_core.base.errors import Cancelled, DataError
from mips_core.data.open_files import open_files
from mips_core.data.readers import Choices, UnsettledError, read
from mips_core.data.readers.arrays import binary, cut_short
from mips_core.data.readers.contract import Source
from mips_core.data.readers.understanding import understand
from mips_core.data.readers.usable import EXACT, converted, unusable

X = np.random.default_rng(0).normal(size=(20_001, 7)).astype(np.float32)  # of several blocks


@pytest.fixture
def mapping(monkeypatch):
    """Small files are mapped, too."""
    monkeypatch.setattr(binary, "MAPPED", 0)


def fbin(array):
    return np.array(array.shape, "<i4").tobytes() + array.tobytes()


def saved(folder, name, array):
    path = folder / name
    if name.endswith(".npy"):
        np.save(path, array)
    else:
        path.write_bytes(fbin(array))
    return path


@pytest.mark.parametrize("name", ["x.npy", "x.fbin"])
def test_a_lasting_file_is_mapped_and_all_else_is_copied(tmp_path, mapping, name):
    path = saved(tmp_path, name, X)
    mapped = open_files(path, lasting=True).dataset
    copied = open_files(path).dataset
    assert mapped.is_mapped
    assert mapped.items.flags.writeable  # as kernels expect it
    assert not copied.is_mapped
    np.testing.assert_array_equal(mapped.items, X)
    assert mapped.fingerprint == copied.fingerprint
    assert mapped.notes == copied.notes


@pytest.mark.parametrize(
    ("name", "array"),
    [
        ("x.npy", X.astype(float)),
        ("x.npy", np.asfortranarray(X)),
        ("x.npy", X.astype(">f4")),
        ("x.npy", X.astype(np.float16)),
        ("x.npy", (X * 100).astype(np.int64)),
        ("x.f16bin", X.astype(np.float16)),
        ("x.u8bin", (X * 100).astype(np.uint8)),
    ],
)
def test_what_is_stored_otherwise_is_converted_to_the_same_bits(tmp_path, mapping, name, array):
    path = saved(tmp_path, name, array)
    data = open_files(path, lasting=True).dataset
    assert not data.is_mapped
    np.testing.assert_array_equal(data.items, array.astype(np.float32))
    kept = read(path, keep_dtype=True).items
    assert kept.dtype == array.dtype.newbyteorder("=")
    np.testing.assert_array_equal(kept, array)


def test_a_packed_file_is_never_mapped(tmp_path, mapping):
    import gzip

    path = tmp_path / "x.npy.gz"
    path.write_bytes(gzip.compress(saved(tmp_path, "x.npy", X).read_bytes()))
    assert not open_files(path, lasting=True).dataset.is_mapped


@pytest.mark.parametrize("lasting", [False, True])
def test_bad_rows_of_a_mapped_file_are_named_or_left_out(tmp_path, mapping, lasting):
    bad = X.copy()
    bad[[3, 15_000]] = np.nan
    path = saved(tmp_path, "x.npy", bad)
    with pytest.raises(UnsettledError, match="row 3, column 0, and 1 more") as caught:
        understand(path, lasting=lasting)
    assert caught.value.offers.bad_rows == 2
    from mips_core.data.readers import Choices

    data = understand(path, Choices(skip_bad=True), lasting=lasting).dataset
    np.testing.assert_array_equal(data.items, np.delete(X, [3, 15_000], axis=0))
    assert data.rows is not None
    assert data.rows[-1] == len(X) - 1


def test_a_mapped_file_is_reported_on_and_can_be_stopped(tmp_path, mapping):
    path, seen = saved(tmp_path, "x.npy", X), []
    open_files(path, progress=lambda share, words, partial=None: seen.append((share, words)))
    assert seen[-1] == (1.0, "Reading x.npy: 100%")
    assert [share for share, _ in seen] == sorted({share for share, _ in seen})
    assert len(seen) == 3

    def stop(share, words, partial=None):
        raise Cancelled

    with pytest.raises(Cancelled):
        open_files(path, progress=stop)


def test_conversion_takes_no_second_copy(tmp_path, mapping):
    large = np.tile(X, (8, 1)).astype(float)
    stored = binary.mapped(
        Source.of(saved(tmp_path, "x.npy", large)), large.dtype, large.shape, 128
    )
    tracemalloc.start()
    out, bad, rounded = converted(stored, keep_dtype=False)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    np.testing.assert_array_equal(out, large.astype(np.float32))
    assert (len(bad), rounded) == (0, False)
    assert peak < 1.3 * out.nbytes


def test_whole_numbers_that_are_rounded_are_told(tmp_path, mapping):
    whole = np.ones((20_000, 2), np.int64)
    for last, rounded in ((EXACT, False), (-EXACT - 1, True)):
        whole[-1, -1] = last
        path = saved(tmp_path, "x.npy", whole)
        assert any("are rounded" in note for note in read(path).notes) == rounded


def test_a_file_that_became_shorter_is_refused(tmp_path, mapping):
    source = Source.of(saved(tmp_path, "x.npy", X))
    with source.path.open("r+b") as file:
        file.truncate(1000)
    with pytest.raises(DataError, match="became shorter"):
        binary.mapped(source, X.dtype, X.shape, 128)


def test_unusable_rows():
    block = np.array([[1, 2], [np.nan, 1], [1, np.inf], [1e16, 1], [-1e15, 1]], np.float32)
    assert unusable(block).tolist() == [False, True, True, True, False]


@pytest.mark.parametrize("full", [False, True])
def test_wide_numbers_of_an_archive_wait_on_disk_or_where_that_is_full_in_memory(
    tmp_path, mapping, monkeypatch, full
):
    def refuse(*_):
        raise OSError(28, "No space left on device")

    if full and hasattr(os, "posix_fallocate"):
        monkeypatch.setattr(os, "posix_fallocate", refuse)
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path / "temporary"))
    (tmp_path / "temporary").mkdir()
    for order in "CF":
        np.savez_compressed(tmp_path / "x.npz", x=np.array(X, float, order=order))
        np.testing.assert_array_equal(read(tmp_path / "x.npz").items, X)
        np.testing.assert_array_equal(read(tmp_path / "x.npz", keep_dtype=True).items, X)
    room = binary.room_for(9, np.dtype(float))
    assert isinstance(room, np.memmap) != full or os.name == "nt"
    assert list((tmp_path / "temporary").iterdir()) == []


@pytest.mark.parametrize("name", ["x.npy", "x.f16bin"])
def test_float16_that_is_kept_is_mapped_and_has_the_name_of_its_float32(tmp_path, mapping, name):
    path = saved(tmp_path, name, X.astype(np.float16))
    opened = open_files(path, Choices(keep_float16=True), lasting=True)
    read_whole = open_files(path, lasting=True)
    assert (opened.dataset.is_mapped, read_whole.dataset.is_mapped) == (True, False)
    assert (opened.offers.float16, read_whole.offers.float16) == (True, True)
    assert opened.dataset.items.dtype == np.float16
    assert opened.dataset.fingerprint == read_whole.dataset.fingerprint
    assert opened.dataset.notes == read_whole.dataset.notes


@pytest.mark.parametrize("name", ["x.npy", "x.fbin"])
def test_what_is_no_float16_is_read_the_same_where_that_is_to_be_kept(tmp_path, name):
    path = saved(tmp_path, name, X)
    opened = open_files(path, Choices(keep_float16=True))
    assert (opened.dataset.items.dtype, opened.offers.float16) == (np.float32, False)


@pytest.mark.skipif(sys.platform != "linux", reason="is outlived on Linux alone")
def test_a_file_that_is_cut_short_while_it_is_read_is_refused(tmp_path, mapping):
    path = saved(tmp_path, "x.npy", X)
    assert open_files(path, lasting=True).dataset.is_mapped
    assert cut_short.ready()

    def cut(fraction, message, partial=None):
        if fraction > 0:
            os.truncate(path, 5000)

    with pytest.raises(DataError, match=r"x\.npy became shorter while it was read"):
        open_files(path, lasting=True, progress=cut)
