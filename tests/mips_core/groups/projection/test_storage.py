"""Layouts on disk: what is stored comes back; nothing that happens to the folder is an error."""

import os
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest

from mips_core.base import cache_folder
from mips_core.groups.projection import Layout, ProjectionRecipe, storage
from mips_core.groups.projection.storage import layout_key, store_layout, stored_layout


@pytest.fixture(autouse=True)
def folder(tmp_path, monkeypatch):
    """Where layouts are kept."""
    monkeypatch.setenv(cache_folder.VARIABLE, str(tmp_path / "cache"))
    return tmp_path / "cache" / "layouts"


def some(n=10, **known):
    xy = np.random.default_rng(n).normal(size=(n, 2)).astype(np.float32)
    return Layout(xy, "umap", **known)


def assert_same(loaded, layout):
    for name in ("method", "settled", "note", "epoch", "epochs", "reproducible"):
        assert getattr(loaded, name) == getattr(layout, name)
    np.testing.assert_array_equal(loaded.xy, layout.xy)
    assert (loaded.fitted is None) == (layout.fitted is None)
    if layout.fitted is not None:
        np.testing.assert_array_equal(loaded.fitted, layout.fitted)


@pytest.mark.parametrize(
    "layout",
    [
        some(),
        some(note="“quoted” ünd\nmore", epoch=200, epochs=200, reproducible=False),
        some(fitted=np.array([0, 3, 9])),
        Layout(np.zeros((1, 2), np.float32), "pca"),
    ],
)
def test_what_is_stored_comes_back(layout):
    assert stored_layout("key") is None
    store_layout("key", layout)
    assert_same(stored_layout("key"), layout)
    assert stored_layout("other") is None


@pytest.mark.parametrize("spoil", ["cut", "empty", "text", "pickle", "shape", "nan", "ids", "told"])
def test_a_damaged_file_is_absent_and_removed(folder, spoil):
    store_layout("key", some(400))
    path = folder / "key.npz"
    arrays = dict(np.load(path))
    bad = {
        "pickle": {"xy": np.array([{}], object)},
        "shape": {"xy": np.zeros((4, 3), np.float32)},
        "nan": {"xy": np.full((4, 2), np.nan, np.float32)},
        "ids": {"fitted": np.array([3, 400])},
        "told": {"told": np.array('{"colour": 1}')},
    }
    if spoil in bad:
        np.savez(path, **(arrays | bad[spoil]))
    else:
        whole = path.read_bytes()
        path.write_bytes({"cut": whole[: len(whole) // 2], "empty": b"", "text": b"hello"}[spoil])
    assert stored_layout("key") is None
    assert not path.exists()


def test_the_least_lately_used_are_removed(folder, monkeypatch):
    store_layout("first", some(1000))
    size = (folder / "first.npz").stat().st_size
    monkeypatch.setattr(storage, "MAX_LAYOUT_BYTES", 2 * size + size // 2)
    store_layout("second", some(1000))
    for age, key in ((50, "second"), (100, "first")):
        os.utime(folder / f"{key}.npz", (1e9 - age, 1e9 - age))
    assert stored_layout("first") is not None  # used now
    store_layout("third", some(1000))
    assert sorted(path.stem for path in folder.iterdir()) == ["first", "third"]
    store_layout("huge", some(10_000))
    assert stored_layout("huge") is None


def test_what_was_left_half_written_is_removed_later(folder):
    store_layout("key", some())
    left = folder / ".a.npz.0.unfinished"
    left.write_bytes(b"half")
    store_layout("key", some())
    assert not left.exists()


def test_many_writers_and_readers_at_once_see_whole_layouts(folder):
    layouts = [some(300, epoch=epoch) for epoch in range(4)]

    def work(turn):
        store_layout("key", layouts[turn % 4])
        return stored_layout("key")

    with ThreadPoolExecutor(8) as pool:
        loaded = list(pool.map(work, range(80)))
    assert all(layout is not None and len(layout.xy) == 300 for layout in loaded)
    assert [path.name for path in folder.iterdir()] == ["key.npz"]


def test_a_folder_that_cannot_be_made_is_no_error(tmp_path, monkeypatch):
    (tmp_path / "file").write_text("in the way")
    for place in (tmp_path / "file", "/proc/none"):
        monkeypatch.setenv(cache_folder.VARIABLE, str(place))
        store_layout("key", some())
        assert stored_layout("key") is None


def test_keys_name_all_that_makes_the_layout(monkeypatch):
    rows = np.arange(12, dtype=np.float32).reshape(6, 2)
    other = rows.copy()
    other[3, 1] += 1
    recipes = [ProjectionRecipe(), ProjectionRecipe(seed=1), ProjectionRecipe(min_dist=0.2)]
    keys = {layout_key(table, recipe) for table in (rows, other) for recipe in recipes}
    assert len(keys) == 6
    assert layout_key(rows.copy(), ProjectionRecipe()) in keys
    monkeypatch.setattr(storage, "METHOD", 0)
    assert layout_key(rows, ProjectionRecipe()) not in keys
