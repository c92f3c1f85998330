"""Archives: every kind gives the same data, and none can grow, hang or name a path of its own."""

import bz2
import gzip
import io
import lzma
import zipfile

import numpy as np
import pytest

from mips_core.base import limits
from mips_core.base.errors import Cancelled, DataError
from mips_core.data.readers import read

X = np.random.default_rng(0).normal(size=(6, 4)).round(4).astype(np.float32)
Y = np.random.default_rng(1).normal(size=(9, 4)).round(4).astype(np.float32)
TEXT = "\n".join(f"w{i} " + " ".join(f"{v:.4f}" for v in row) for i, row in enumerate(X)).encode()
PACKERS = {"gz": gzip.compress, "bz2": bz2.compress, "xz": lzma.compress}


def npy(array):
    file = io.BytesIO()
    np.save(file, array)
    return file.getvalue()


def zipped(*members, method=zipfile.ZIP_DEFLATED):
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w", method) as archive:
        for name, content in members:
            archive.writestr(name, content)
    return file.getvalue()


@pytest.mark.parametrize("suffix", PACKERS)
@pytest.mark.parametrize(("name", "content"), [("x.npy", npy(X)), ("x.txt", TEXT)])
def test_one_packed_file_reads_as_itself(load, suffix, name, content):
    packed = PACKERS[suffix](content)
    for given in (f"{name}.{suffix}", "nameless"):
        data = load(given, packed)
        np.testing.assert_array_equal(data.items, load(name, content).items)
        assert data.name == ("x" if given != "nameless" else "nameless")


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


@pytest.mark.parametrize("suffix", PACKERS)
def test_a_packed_file_within_another_is_named(refusal, suffix):
    found = refusal("x.npy.gz", gzip.compress(PACKERS[suffix](npy(X))))
    assert "inside another" in found


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


def test_a_zip_of_one_file_reads_as_that_file(load):
    data = load("any.zip", zipped(("folder/x.txt", TEXT)))
    np.testing.assert_array_equal(data.items, X)
    assert data.name == "x"


def test_a_zip_holds_items_queries_and_labels(load):
    labels = "\n".join("abcdef")
    data = load(
        "all.zip",
        zipped(
            ("all/", b""),
            ("all/README.md", b"what this is"),
            ("__MACOSX/all/._items.npy", b"\0\5\x16\7"),
            ("all/.DS_Store", b"\0\0\0\1"),
            ("all/queries.npy.gz", gzip.compress(npy(Y))),
            ("all/items.npy", npy(X)),
            ("all/labels.txt", labels),
        ),
    )
    np.testing.assert_array_equal(data.items, X)
    np.testing.assert_array_equal(data.queries, Y)
    assert data.labels == list("abcdef")
    assert any("README.md" in note for note in data.notes)


def test_members_with_hostile_names_stay_inside(load, tmp_path):
    hostile = zipped(("../../evil.txt", TEXT))
    assert load("x.zip", hostile).name == "evil"
    assert not list(tmp_path.parent.glob("evil*"))


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


def test_a_zip_within_a_zip_is_named(tmp_path):
    (tmp_path / "x.zip").write_bytes(zipped(("in.zip", zipped(("x.txt", TEXT)))))
    with pytest.raises(DataError, match=r"^x\.zip: in\.zip is a ZIP archive.*inside another"):
        read(tmp_path / "x.zip")


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


def test_unpacking_reports_and_can_be_stopped(tmp_path):
    path = tmp_path / "x.txt.gz"
    path.write_bytes(gzip.compress(TEXT))
    said = []

    def report(fraction, message, partial=None):
        said.append((fraction, message))

    read(path, progress=report)
    assert any("Unpacking x.txt.gz" in message for _, message in said)
    assert all(0 <= fraction <= 1 for fraction, _ in said)

    def stop(fraction, message, partial=None):
        raise Cancelled

    with pytest.raises(Cancelled):
        read(path, progress=stop)


def test_no_copy_is_left(tmp_path, monkeypatch):
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    (tmp_path / "x.zip").write_bytes(zipped(("x.txt", TEXT)))
    read(tmp_path / "x.zip")
    (tmp_path / "bad.zip").write_bytes(zipped(("bad.txt", b"a b c")))
    with pytest.raises(DataError):
        read(tmp_path / "bad.zip")
    assert sorted(path.name for path in tmp_path.iterdir()) == ["bad.zip", "x.zip"]


@pytest.mark.parametrize("encoding", ["utf-16-le", "utf-16-be"])
def test_text_in_utf16_is_read(load, encoding):
    text = "\ufeff" + TEXT.decode().replace("w3", "Señor") + "\n"
    data = load("x.txt", text.encode(encoding))
    np.testing.assert_array_equal(data.items, X)
    assert data.labels[3] == "Señor"


def test_a_count_that_looks_like_a_mark_is_a_count(load):
    n = 0xFEFF  # its bytes are those of a UTF-16 mark
    numbers = np.arange(2 * n, dtype=np.float32)
    data = load("x.fbin", np.array([n, 2], "<i4").tobytes() + numbers.tobytes())
    np.testing.assert_array_equal(data.items.ravel(), numbers)
