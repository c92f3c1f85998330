import numpy as np
import pytest

from mips_core import INDEXES, truth_of
from mips_core.base import limits
from mips_core.base.errors import DataError
from mips_core.base.progress import silent
from mips_core.data.queries import QueryRecipe, with_queries
from mips_core.evaluation import builder
from pages._ui.work import parts_data
from pages._ui.work.measurement import Measurement
from tests.pages._ui.work.parts_files import X, file_at


def test_a_manifest_opens_as_its_vectors_and_an_uploaded_one_never(manifest):
    opened = parts_data.opened_parts([file_at(manifest.path)], silent)
    assert np.array_equal(opened.dataset.items, X)
    assert (opened.dataset.name, opened.stored) == ("words", "float32")
    assert not opened.may_be_ratings
    assert parts_data.opened_parts([file_at(manifest.path, "ab12")], silent) is None
    part = file_at(manifest.path.parent / "part-00000.npy")
    assert parts_data.opened_parts([part], silent) is None
    assert parts_data.opened_parts([file_at(manifest.path), part], silent) is None
    part.path().unlink()
    with pytest.raises(DataError, match="cannot be read"):
        parts_data.opened_parts([file_at(manifest.path)], silent)


def test_what_is_measured_there_is_what_is_measured_here(manifest, cluster):
    source = parts_data.opened_parts([file_at(manifest.path)], silent).dataset
    dataset = with_queries(source, QueryRecipe(count=40, exclude_self=True))
    index = INDEXES["flat-kmeans"](n_clusters=12)
    tried = Measurement(dataset, index, 3, 10).here()
    assert cluster == ["tls://somewhere:1"] * 2  # for the build and for the true answers
    truth = truth_of(dataset)
    whole = builder.Builder(X, truth, 10).tried(index, 3)
    assert tried.evaluation.curve((1, 10)).as_dict() == whole.evaluation.curve((1, 10)).as_dict()
    assert np.array_equal(tried.evaluation.truth.ids, truth.ids)
    (run,) = manifest.path.parent.glob("run-*")  # a command, or another visitor, may be at it too
    before = [(path.name, path.stat().st_mtime_ns) for path in sorted(run.iterdir())]
    assert parts_data.built_there(dataset, index, 3, silent) is not None
    assert [(path.name, path.stat().st_mtime_ns) for path in sorted(run.iterdir())] == before
    with np.load(run / "finished.npz") as held:
        np.savez(run / "finished.npz", **{**held, "seconds": 1000.0})
    again = parts_data.built_there(dataset, index, 3, silent)
    assert 1000 <= again.seconds < 1100  # of the build, not of looking for it
    other = INDEXES["pca-tree"]()
    assert parts_data.built_there(dataset, other, 0, silent) is None
    assert Measurement(dataset, other, 0, 10).here().bytes > 0


def test_without_a_cluster_and_for_a_sample_all_is_done_here(manifest, monkeypatch, cluster):
    dataset = parts_data.opened_parts([file_at(manifest.path)], silent).dataset
    assert parts_data.on_cluster(dataset)
    monkeypatch.setattr(limits, "MAX_FILE_BYTES", 1000)
    sample = parts_data.opened_parts([file_at(manifest.path)], silent).dataset
    assert sample.n == 62
    assert not parts_data.on_cluster(sample)
    monkeypatch.delenv(parts_data.VARIABLE)
    assert not parts_data.on_cluster(dataset)
