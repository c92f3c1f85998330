import numpy as np

from mips_core.data.dataset import Dataset
from mips_core.scale import parts_dataset as module
from mips_core.scale.parts_dataset import is_manifest, parts_dataset
from mips_core.scale.write_parts import write_parts

X = np.random.default_rng(0).normal(size=(200, 3)).astype(np.float16)


def test_all_rows_where_they_fit(tmp_path):
    manifest = write_parts([("X", X)], tmp_path / "words", "float16", rows=70)
    dataset = parts_dataset(manifest, 4 * 200 * 3)
    assert np.array_equal(dataset.items, X.astype(np.float32))
    assert (dataset.name, dataset.notes, dataset.rows) == ("words", (), None)
    assert dataset.fingerprint == manifest.fingerprint() == Dataset(X).fingerprint


def test_else_a_sample_that_says_so_and_which_rows_it_has(tmp_path, monkeypatch):
    manifest = write_parts([("X", X)], tmp_path / "words", "float16", rows=70)
    dataset = parts_dataset(manifest, 4 * 150 * 3)
    assert dataset.n == 150
    assert dataset.name == "words, sample of 150 of 200"
    assert "of the sample" in dataset.notes[0]
    assert np.array_equal(dataset.items, X[dataset.rows].astype(np.float32))
    monkeypatch.setattr(module, "SAMPLE", 50)
    assert set(parts_dataset(manifest, 4 * 150 * 3).rows) <= set(dataset.rows)


def test_manifests_are_told_by_name_and_beginning(tmp_path):
    manifest = write_parts([("X", X)], tmp_path / "x")
    assert is_manifest(manifest.path)
    assert not is_manifest(tmp_path / "x/part-00000.npy")
    (tmp_path / "manifest.json").write_text('{"name": "a web app"}')
    assert not is_manifest(tmp_path / "manifest.json")
