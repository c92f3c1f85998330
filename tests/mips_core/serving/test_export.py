"""Exports are read by numpy, h5py, the rules of ann-benchmarks, and the readers of the product."""

import io
import json
import tomllib
import zipfile
from pathlib import Path

import h5py
import numpy as np
import pytest

from mips_core.base.errors import DataError
from mips_core.data.dataset import Dataset
from mips_core.data.metrics import MEASURES, searched_by
from mips_core.data.queries import QueryRecipe, with_queries
from mips_core.data.readers import read
from mips_core.evaluation.truth import truth_of
from mips_core.serving import export
from mips_core.serving.export import benchmark_of, write_ann_benchmarks, write_npz

RNG = np.random.default_rng(0)
X = RNG.normal(size=(300, 5)).astype(np.float32)
LABELS = ["tab\t", "é", "日本語", "a\nb", "", *(str(i) for i in range(295))]
DISTANCE = {
    "ip": lambda X, q: -(X @ q),
    "angular": lambda X, q: 1 - X @ q / np.linalg.norm(X, axis=1) / np.linalg.norm(q),
    "euclidean": lambda X, q: np.linalg.norm(X - q, axis=1),
}


def benchmark(metric="inner product", recipe=QueryRecipe(count=20), data=None):  # noqa: B008
    raw = with_queries(Dataset(X, labels=LABELS, name="three hundred"), recipe)
    searched = searched_by(raw if data is None else data, metric)
    return benchmark_of(raw if data is None else data, searched, truth_of(searched), recipe)


def written(write, content):
    file = io.BytesIO()
    write(file, content)
    file.seek(0)
    return file


@pytest.mark.parametrize("exclude_self", [False, True])
@pytest.mark.parametrize("metric", MEASURES)
def test_answers_are_right_by_the_rules_of_ann_benchmarks(metric, exclude_self):
    content = benchmark(metric, QueryRecipe("noisy", 20, exclude_self=exclude_self))
    with h5py.File(written(write_ann_benchmarks, content)) as file:
        assert (file.attrs["type"], file.attrs["point_type"]) == ("dense", "float")
        assert file.attrs["dimension"] == 5
        train, test = file["train"][:], file["test"][:]
        neighbors, distances = file["neighbors"][:], file["distances"][:]
        assert (neighbors.dtype, distances.dtype) == (np.int32, np.float32)
        of = DISTANCE[file.attrs["distance"]]
        own = file["own_rows"][:] if exclude_self else np.full(20, -1)
        assert file.attrs["own_rows_excluded"] == exclude_self
    assert neighbors.shape == distances.shape == (20, 100)
    for q, ids, values, row in zip(test, neighbors, distances, own, strict=True):
        every = of(train.astype(np.float64), q.astype(np.float64))
        every[row if row >= 0 else []] = np.inf
        np.testing.assert_array_equal(ids, np.argsort(every, kind="stable")[:100])
        np.testing.assert_allclose(values, every[ids], atol=1e-6)
        assert (np.diff(values) >= 0).all()
        assert row not in ids


def test_hdf5_holds_what_it_takes_to_make_it_again():
    content = benchmark("cosine", QueryRecipe("noisy", 20, noise=0.25, seed=7))
    with h5py.File(written(write_ann_benchmarks, content)) as file:
        np.testing.assert_array_equal(file["train"][:], X)
        assert list(file["labels"].asstr()) == LABELS
        assert list(file["query_labels"].asstr()) == list(content.query_labels)
        about = dict(file.attrs)
    again = QueryRecipe(
        about["query_source"], 20, noise=about["query_noise"], seed=int(about["query_seed"])
    )
    np.testing.assert_array_equal(with_queries(Dataset(X), again).queries, content.queries)
    assert about["name"] == "three hundred"
    assert about["score"] == "cosine"
    assert about["ties"] == "lower row number first"


def test_npz_holds_the_same():
    content = benchmark("euclidean", QueryRecipe(count=20, exclude_self=True, seed=3))
    with np.load(written(write_npz, content), allow_pickle=False) as file:
        for name in ("items", "queries", "neighbors", "scores", "own_rows"):
            np.testing.assert_array_equal(file[name], getattr(content, name))
        np.testing.assert_array_equal(file["queries"], X[file["own_rows"]])
        assert list(file["labels"]) == LABELS
        about = json.loads(str(file["about"]))
    assert about["query_seed"] == 3
    assert about["score"] == "Euclidean distance"


@pytest.mark.parametrize(
    ("write", "name"), [(write_npz, "e.npz"), (write_ann_benchmarks, "e.hdf5")]
)
@pytest.mark.parametrize("metric", MEASURES)
def test_the_product_reads_what_it_wrote(write, name, metric, tmp_path):
    content = benchmark(metric)
    write(tmp_path / name, content)
    data = read(tmp_path / name)
    np.testing.assert_array_equal(data.items, content.items)
    np.testing.assert_array_equal(data.queries, content.queries)
    assert list(data.labels)[5:] == LABELS[5:]
    again = searched_by(data, metric)
    np.testing.assert_array_equal(truth_of(again).ids[:, :100], content.neighbors)


@pytest.mark.parametrize("write", [write_npz, write_ann_benchmarks])
def test_the_same_data_make_the_same_bytes(write, monkeypatch):
    first = written(write, benchmark()).getvalue()
    monkeypatch.setattr("time.time", lambda: 2e9)
    monkeypatch.setattr("time.localtime", lambda *a: (2033, 5, 18, 3, 33, 20, 2, 138, 0))
    assert written(write, benchmark()).getvalue() == first
    assert written(write, benchmark("cosine")).getvalue() != first


def test_queries_that_rank_nothing_are_left_out():
    Q = RNG.normal(size=(5, 5)).astype(np.float32)
    Q[[0, 3]] = 0
    data = Dataset(X, Q, query_labels=list("abcde"))
    content = benchmark("cosine", data=data)
    np.testing.assert_array_equal(content.queries, Q[[1, 2, 4]])
    assert content.query_labels == ["b", "c", "e"]
    assert content.about["queries_left_out"] == 2
    assert content.neighbors.shape == (3, 100)


def test_a_softmax_layer_and_one_item_and_stored_dtypes():
    layer = with_queries(Dataset(X, logits=True), QueryRecipe(count=3))
    content = benchmark(data=layer)
    assert (content.about["logits"], content.about["score"]) == (True, "logit")
    assert (content.queries[:, -1] == 1).all()
    one = benchmark("euclidean", data=Dataset(X[:1], X[:2]))
    assert one.neighbors.tolist() == [[0], [0]]
    whole = np.arange(12, dtype=np.uint8).reshape(4, 3)
    kept = benchmark(data=Dataset(whole, whole[:2], keep_dtype=True))
    assert kept.items.dtype == kept.queries.dtype == np.float32


def test_answers_of_other_data_are_refused():
    raw = with_queries(Dataset(X), QueryRecipe(count=20))
    fewer = with_queries(Dataset(X), QueryRecipe(count=19))
    with pytest.raises(DataError, match="belong to other data"):
        benchmark_of(raw, raw, truth_of(fewer))


def test_labels_no_file_can_hold_as_they_are():
    labels = ["a\0b", "\ud800", *LABELS[2:]]
    data = Dataset(X, X[:2], labels=labels)
    with h5py.File(written(write_ann_benchmarks, benchmark(data=data))) as file:
        assert list(file["labels"].asstr()[:2]) == ["a\ufffdb", "?"]


def test_labels_too_long_for_an_npz(monkeypatch):
    monkeypatch.setattr(export, "MAX_TEXT_BYTES", 2**20)
    data = Dataset(X, X[:2], labels=["x" * 5000, *LABELS[1:]])
    with pytest.raises(DataError, match=r"5,000 characters.* 6 MB; the limit is 1 MB. Export HDF5"):
        written(write_npz, benchmark(data=data))
    written(write_ann_benchmarks, benchmark(data=data))


@pytest.mark.parametrize("write", [write_npz, write_ann_benchmarks])
def test_a_folder_that_is_not_there(write, tmp_path):
    with pytest.raises(DataError, match=r"out.file cannot be written: .*No such file"):
        write(tmp_path / "none" / "out.file", benchmark())


def test_an_npz_is_a_zip_without_a_date():
    with zipfile.ZipFile(written(write_npz, benchmark())) as archive:
        assert {entry.date_time for entry in archive.infolist()} == {(1980, 1, 1, 0, 0, 0)}


def test_the_version_is_that_of_the_project():
    project = tomllib.loads((Path(__file__).parents[3] / "pyproject.toml").read_text())["project"]
    assert export.MADE_BY.endswith(project["version"])
