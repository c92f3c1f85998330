import json
from pathlib import Path

import numpy as np
import pytest

from mips_core.base.errors import DataError
from mips_core.scale.manifest import NAME, read_manifest
from mips_core.scale.write_parts import write_parts


@pytest.fixture
def written(tmp_path):
    X = np.random.default_rng(0).normal(size=(50, 3)).astype(np.float32)
    return write_parts([("X", X)], tmp_path / "parts", rows=20), X


def changed(manifest, **changes):
    fields = json.loads(manifest.path.read_text())
    fields.update(changes)
    manifest.path.write_text(json.dumps(fields))


def test_it_comes_back_as_it_was_written_and_its_rows_are_mapped(written):
    manifest, X = written
    again = read_manifest(manifest.path.parent)
    assert again == manifest == read_manifest(manifest.path)
    rows = [again.rows(at) for at in range(3)]
    assert np.array_equal(np.concatenate(rows), X)
    assert isinstance(rows[0].base, np.memmap)
    ids = np.array([49, 0, 20, 19, 20])
    assert np.array_equal(again.take(ids), X[ids])


@pytest.mark.parametrize(
    "file", ["../part-00000.npy", "/etc/hosts.npy", "a/b.npy", ".hidden.npy", "part.pkl", ""]
)
def test_a_manifest_names_plain_files_beside_it_and_nothing_else(written, file):
    manifest, _ = written
    parts = json.loads(manifest.path.read_text())["parts"]
    parts[0]["file"] = file
    changed(manifest, parts=parts)
    with pytest.raises(DataError, match="no plain"):
        read_manifest(manifest.path)


@pytest.mark.parametrize(
    ("changes", "told"),
    [
        ({"n": 51}, "do not hold 51 rows"),
        ({"n": "50"}, "size is no size"),
        ({"d": 0}, "size is no size"),
        ({"dtype": "object"}, "dtype is none"),
        ({"key": "x"}, "its key"),
        ({"format": "other"}, "format is not ours"),
        ({"version": 2}, "version 2"),
        ({"parts": []}, "leave gaps"),
    ],
)
def test_what_is_not_sound_is_refused_with_its_reason(written, changes, told):
    manifest, _ = written
    changed(manifest, **changes)
    with pytest.raises(DataError, match=told):
        read_manifest(manifest.path)


def test_a_part_that_changed_or_is_gone_is_told_by_name(written):
    manifest, X = written
    manifest.check_content()
    path = manifest.path.parent / "part-00001.npy"
    np.save(path, X[:20])
    assert manifest.rows(1).shape == (20, 3)
    with pytest.raises(DataError, match=r"part-00001\.npy has changed"):
        manifest.check_content()
    np.save(path, np.array([{}], object), allow_pickle=True)
    with pytest.raises(DataError, match="cannot be read"):
        manifest.rows(1)
    np.save(path, X[:19])
    with pytest.raises(DataError, match="holds 19 rows"):
        manifest.rows(1)
    path.unlink()
    path.symlink_to("part-00000.npy")
    with pytest.raises(DataError, match="link"):
        manifest.rows(1)


def test_no_manifest_is_told_as_that(tmp_path):
    with pytest.raises(DataError, match="was not found"):
        read_manifest(tmp_path)
    for text in ("", "[]", "{}", '"x"', "[" * 100_000):
        (tmp_path / NAME).write_text(text)
        with pytest.raises(DataError, match="is no manifest"):
            read_manifest(tmp_path)


@pytest.mark.skipif(not Path("/proc/self/smaps").exists(), reason="Linux tells what is in memory")
def test_of_blocks_memory_holds_the_last_alone(tmp_path):
    X = np.random.default_rng(0).normal(size=(200_000, 20)).astype(np.float32)
    rows = write_parts([("X", X)], tmp_path / "x").blocks(0)
    assert (len(rows), rows.shape) == (200_000, X.shape)
    for first in range(0, len(X), 20_000):
        assert np.array_equal(rows[first : first + 20_000], X[first : first + 20_000])
        place = Path("/proc/self/smaps").read_text().split("part-00000.npy", 1)[1]
        resident = int(place.split("Rss:", 1)[1].split()[0]) * 1024
        assert 0 < resident < X.nbytes / 2  # pages come in groups
    assert np.array_equal(rows[np.array([3, 199_999])], X[[3, 199_999]])
