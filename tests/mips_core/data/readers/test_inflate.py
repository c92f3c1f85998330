"""No archive can grow, hang or name a path of its own."""

import bz2
import lzma
import zipfile

import numpy as np
import pytest

from mips_core.base import limits
from tests.mips_core.data.readers.packing import PACKERS, TEXT, X, npy, zipped


@pytest.mark.parametrize("suffix", ["gz", "bz2", "xz"])
def test_streams_in_a_row_are_one_file(load, suffix):
    pack = PACKERS[suffix]
    half = len(TEXT) // 2
    packed = pack(TEXT[:half]) + pack(TEXT[half:])
    np.testing.assert_array_equal(load(f"x.txt.{suffix}", packed).items, X)


@pytest.mark.parametrize("suffix", PACKERS)
def test_a_packed_file_cut_anywhere_is_refused(refusal, suffix):
    packed = PACKERS[suffix](npy(X))
    for cut in (len(packed) - 1, len(packed) // 2, 12):
        assert "damaged or cut short" in refusal(f"x.npy.{suffix}", packed[:cut])


def many_streams(raw):
    return bz2.compress(raw[: 2**20]) * 8


@pytest.mark.parametrize("pack", [*PACKERS.values(), lambda raw: zipped(("bomb.txt", raw))])
def test_what_grows_is_bounded(refusal, monkeypatch, pack):
    monkeypatch.setattr(limits, "MAX_FILE_BYTES", 3 * 2**20)
    found = refusal("bomb.txt", pack(b"0 " * 2**21))
    assert "when unpacked" in found
    assert "limit is 3 MB" in found


@pytest.mark.parametrize("pack", [bz2.compress, lzma.compress, many_streams])
def test_a_small_file_that_grows_out_of_proportion_is_refused(refusal, monkeypatch, pack):
    monkeypatch.setattr(limits, "SMALL_UNPACKED_BYTES", 2**20)
    found = refusal("bomb.txt", pack(bytes(2**23)))
    assert "grows more than 1,500 times" in found


def test_members_of_a_zip_share_one_limit(refusal, monkeypatch):
    monkeypatch.setattr(limits, "MAX_FILE_BYTES", 3 * 2**20)
    many = zipped(*((f"{i}.txt", b"0 " * 2**19) for i in range(5)))
    assert "limit is 3 MB" in refusal("bombs.zip", many)


def test_an_xz_header_cannot_ask_for_more_memory_than_allowed(refusal, monkeypatch):
    monkeypatch.setattr(limits, "MAX_UNPACKER_BYTES", 2**20)
    greedy = lzma.compress(TEXT, preset=9)  # its dictionary has 64 MB
    assert "damaged" in refusal("x.txt.xz", greedy)


@pytest.mark.parametrize(
    ("content", "words"),
    [
        (zipped(("x.txt", TEXT))[:-30], "ZIP archive"),
        (zipped(("empty.txt", b"")), "no files"),
        (zipped(("xl/workbook.xml", b"<x/>"), ("[Content_Types].xml", b"<x/>")), "Excel"),
        (zipped(("model/data.pkl", b"\x80\2."), ("model/version", b"3")), "PyTorch"),
    ],
    ids=["cut", "empty", "excel", "torch"],
)
def test_zips_that_hold_no_data(refusal, content, words):
    assert words in refusal("x.zip", content)


def test_a_member_with_a_wrong_checksum_is_refused(refusal):
    raw = bytearray(zipped(("x.txt", TEXT), method=zipfile.ZIP_STORED))
    raw[raw.find(b"w3")] ^= 1
    assert "damaged" in refusal("x.zip", bytes(raw))


def test_an_encrypted_zip_is_named(refusal):
    raw = bytearray(zipped(("x.txt", TEXT)))
    raw[6] |= 1
    raw[raw.find(b"PK\1\2") + 8] |= 1
    assert "encrypted" in refusal("x.zip", bytes(raw))


def test_too_many_files_are_refused_before_they_are_listed(refusal, monkeypatch):
    monkeypatch.setattr(limits, "MAX_FILES", 2)
    assert "limit is 2" in refusal("x.zip", zipped(*((f"{i}.txt", TEXT) for i in range(3))))
    long = zipped(*((f"{'n' * 800}{i}.txt", TEXT) for i in range(3)))
    assert "too many files" in refusal("x.zip", long)
