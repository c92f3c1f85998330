import numpy as np
import pytest

from mips_core.base.errors import DataError
from mips_core.methods.indexes import INDEXES
from mips_core.scale import shared_file
from mips_core.scale.build_on_parts import build_on_parts, finished_tree
from mips_core.scale.engine import Local
from mips_core.scale.finished import NAME, read_finished, remove_runs, run_folder
from mips_core.scale.write_parts import write_parts

X = np.random.default_rng(0).normal(size=(300, 4)).astype(np.float32)
GROWING = INDEXES["flat-kmeans"](n_clusters=8, fit="growing", max_rounds=3)
HIERARCHICAL = INDEXES["hierarchical-kmeans"](n_clusters=12, max_rounds=2)


@pytest.fixture
def manifest(tmp_path):
    return write_parts([("X", X)], tmp_path / "x", rows=110)


@pytest.mark.parametrize("index", [GROWING, HIERARCHICAL], ids=str)
def test_a_build_leaves_its_clusters_and_labels_and_nothing_else(manifest, index):
    built = build_on_parts(index, manifest, 3, Local(2))
    folder = run_folder(manifest, index, 3)
    stage = built.finest.folder
    assert {path.name for path in folder.iterdir()} == {NAME, stage.name}
    assert len(list(stage.iterdir())) == len(manifest.parts)
    kept = finished_tree(index, manifest, 3)
    assert kept.lift.scale == built.lift.scale
    assert kept.finest.rounds == built.finest.rounds
    for one, other in zip(kept.tree().levels, built.tree().levels, strict=True):
        assert np.array_equal(one.centroids, other.centroids)
        assert np.array_equal(one.labels, other.labels)


def test_labels_of_another_cut_in_the_same_folder_are_not_taken(manifest):
    """As where the manifest was removed, and the vectors were imported again."""
    index = INDEXES["flat-kmeans"](n_clusters=8)
    before = build_on_parts(index, manifest, 3, Local(1)).tree().levels[-1].labels
    manifest.path.unlink()
    again = write_parts([("X", X)], manifest.path.parent, rows=200)
    with pytest.raises(DataError, match="was not built"):
        finished_tree(index, again, 3)
    built = build_on_parts(index, again, 3, Local(1))
    assert np.array_equal(built.tree().levels[-1].labels, before)


def test_one_that_is_not_whole_is_none(manifest):
    folder = run_folder(manifest, GROWING, 0)
    with pytest.raises(DataError, match="was not built"):
        finished_tree(GROWING, manifest, 0)
    built = build_on_parts(GROWING, manifest, 0, Local(1))
    next(built.finest.folder.iterdir()).unlink()
    assert read_finished(folder, range(3)) is None
    assert read_finished(folder) is not None  # the clusters are there
    again = build_on_parts(GROWING, manifest, 0, Local(1))
    assert np.array_equal(again.tree().levels[0].labels, built.labels_of(np.arange(300)))
    (folder / NAME).write_bytes(b"PK damaged")
    assert read_finished(folder) is None


def test_where_nothing_locks_who_was_slower_takes_what_is_finished(manifest, monkeypatch):
    monkeypatch.setattr(shared_file, "fcntl", None)
    whole = build_on_parts(GROWING, manifest, 1, Local(1))

    def finished_meanwhile(fraction, message, partial=None):
        if partial is not None and len(partial.rounds) == 2:
            build_on_parts(GROWING, manifest, 2, Local(1))

    built = build_on_parts(GROWING, manifest, 2, Local(1), finished_meanwhile)
    assert built.tree().levels[0].labels.shape == whole.tree().levels[0].labels.shape
    other = finished_tree(GROWING, manifest, 2)
    assert np.array_equal(built.finest.centroids, other.finest.centroids)


def test_runs_are_removed_and_parts_and_other_files_are_not(manifest):
    build_on_parts(GROWING, manifest, 0, Local(1))
    build_on_parts(GROWING, manifest, 1, Local(1))
    folder = manifest.path.parent
    (folder / "run-of-mine").mkdir()
    (folder / ".queries.0123.unfinished").touch()
    assert remove_runs(folder) == 2
    left = {path.name for path in folder.iterdir()}
    assert left == {manifest.path.name, "run-of-mine", *(part.file for part in manifest.parts)}
