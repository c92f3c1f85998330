from types import SimpleNamespace

import numpy as np
import pytest

from mips_core import INDEXES, Dataset, truth_of
from mips_core.base import limits
from mips_core.base.errors import DataError
from mips_core.base.progress import silent
from mips_core.data.metrics import searched_by
from mips_core.data.queries import QueryRecipe, with_queries
from mips_core.evaluation import builder
from mips_core.scale import dask_engine
from mips_core.scale.engine import Local
from mips_core.scale.write_parts import write_parts
from pages._ui.work import parts_data
from pages._ui.work.measurement import Measurement

X = np.random.default_rng(0).normal(size=(300, 4)).astype(np.float32)


def file_at(path, private=""):
    return SimpleNamespace(name=path.name, private=private, path=lambda: path)


@pytest.fixture
def manifest(tmp_path):
    return write_parts([("X", X)], tmp_path / "words", rows=90)


@pytest.fixture
def cluster(monkeypatch):
    """Threads in place of one; what was asked of them."""
    asked = []

    def started(address):
        asked.append(address)
        return Local(2)

    monkeypatch.setenv(parts_data.VARIABLE, "tls://somewhere:1")
    monkeypatch.setattr(dask_engine, "Dask", started)
    return asked


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


@pytest.mark.parametrize("on_cluster", [False, True])
@pytest.mark.parametrize("exclude_self", [False, True])
def test_a_sample_is_measured_on_all_with_its_own_queries(
    manifest, monkeypatch, cluster, exclude_self, on_cluster
):
    monkeypatch.setattr(limits, "MAX_FILE_BYTES", 1000)
    if not on_cluster:
        monkeypatch.delenv(parts_data.VARIABLE)
    source = parts_data.opened_parts([file_at(manifest.path)], silent).dataset
    sample = with_queries(source, QueryRecipe(count=30, exclude_self=exclude_self))
    assert parts_data.sampled_of(sample) == manifest
    assert parts_data.sampled_of(searched_by(sample, "cosine")) is None
    index = INDEXES["flat-kmeans"](n_clusters=12)
    evaluation = parts_data.measured_on_all(sample, manifest, index, 3, silent)
    assert cluster == ["tls://somewhere:1"] * on_cluster
    own = sample.rows[sample.query_rows] if exclude_self else None
    truth = truth_of(Dataset(X, sample.queries, query_rows=own))
    whole = builder.Builder(X, truth, 10).tried(index, 3).evaluation
    assert evaluation.curve((1, 10)).as_dict() == whole.curve((1, 10)).as_dict()
    assert np.array_equal(evaluation.truth.ids, truth.ids)


def test_what_cannot_be_measured_on_all_says_why(manifest):
    dataset = parts_data.opened_parts([file_at(manifest.path)], silent).dataset
    assert parts_data.sampled_of(dataset) is None  # these are all
    assert parts_data.why_not_on_all(INDEXES["flat-kmeans"](n_clusters=5), manifest) == ""
    for index, told in (
        (INDEXES["pca-tree"](), "cannot be built on vectors in parts"),
        (INDEXES["flat-kmeans"](fit="grouped"), "Set the parameter fit to growing or exact"),
    ):
        assert told in parts_data.why_not_on_all(index, manifest)
