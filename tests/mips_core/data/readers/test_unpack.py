"""Files are found and unpacked: every kind gives the same data, and no copy is left."""

import gzip

import numpy as np
import pytest

from mips_core.base.errors import Cancelled, DataError
from mips_core.data.readers import read
from tests.mips_core.data.readers.packing import PACKERS, TEXT, X, npy, zipped

Y = np.random.default_rng(1).normal(size=(9, 4)).round(4).astype(np.float32)


@pytest.mark.parametrize("suffix", PACKERS)
@pytest.mark.parametrize(("name", "content"), [("x.npy", npy(X)), ("x.txt", TEXT)])
def test_one_packed_file_reads_as_itself(load, suffix, name, content):
    packed = PACKERS[suffix](content)
    for given in (f"{name}.{suffix}", "nameless"):
        data = load(given, packed)
        np.testing.assert_array_equal(data.items, load(name, content).items)
        assert data.name == ("x" if given != "nameless" else "nameless")


@pytest.mark.parametrize("suffix", PACKERS)
def test_a_packed_file_within_another_is_named(refusal, suffix):
    found = refusal("x.npy.gz", gzip.compress(PACKERS[suffix](npy(X))))
    assert "inside another" in found


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


def test_a_zip_within_a_zip_is_named(tmp_path):
    (tmp_path / "x.zip").write_bytes(zipped(("in.zip", zipped(("x.txt", TEXT)))))
    with pytest.raises(DataError, match=r"^x\.zip: in\.zip is a ZIP archive.*inside another"):
        read(tmp_path / "x.zip")


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
