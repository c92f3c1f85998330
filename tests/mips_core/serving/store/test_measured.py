"""Data and measurements in files: what comes back is what was kept, or nothing at all."""

from dataclasses import replace

import numpy as np
import pytest

from mips_core import INDEXES, Dataset, evaluate, truth_of
from mips_core.base.byte_size import byte_size
from mips_core.evaluation.builder import Tried, built
from mips_core.methods.soundness import UnsoundError
from mips_core.serving.store import measured
from tests.mips_core.serving.store.built_indexes import data


def whole(**more):
    X, Q, _ = data()
    labels = ["", "a\nb", *(f"item {i}" for i in range(2, len(X)))]
    told = {"labels": labels, "name": "films", "notes": ("Left out: one.",), **more}
    return Dataset(X, Q, **told)


def fields(dataset):
    return [dataset.fingerprint, dataset.query_fingerprint, *(
        getattr(dataset, name) for name in ("name", "notes", "simulated", "logits", "keep_dtype")
    )]  # fmt: skip


@pytest.mark.parametrize(
    "dataset",
    [
        whole(),
        whole(labels=None, query_labels=[f"user {i}" for i in range(20)], simulated=True),
        Dataset(data()[0].astype(np.float64), keep_dtype=True),
        whole(query_rows=np.arange(20)),
    ],
)
def test_a_data_set_comes_back_as_it_was_read(tmp_path, dataset):
    path = tmp_path / "data"
    measured.save_dataset(path, dataset)
    loaded = measured.load_dataset(path, dataset.fingerprint)
    assert fields(loaded) == fields(dataset)
    assert loaded.items.dtype == dataset.items.dtype
    assert loaded.labels == (None if dataset.labels is None else tuple(dataset.labels))
    assert (loaded.query_labels or ()) == tuple(dataset.query_labels or ())
    with pytest.raises(UnsoundError, match="others"):
        measured.load_dataset(path, "0" * 32)


@pytest.mark.parametrize("key", INDEXES)
def test_what_was_built_and_measured_comes_back(tmp_path, key):
    dataset, index = whole(), INDEXES[key]()
    truth, build = truth_of(dataset), built(index.explicit(60), dataset.items, 3)
    index = index.explicit(dataset.n)
    K = 3 if index.depends_on_k else None
    evaluation = evaluate(index, index.searcher(build.structure), truth, 3, K=3)
    tried = Tried(evaluation, build.seconds, byte_size(build.structure))
    places = [tmp_path / name for name in ("built", "truth", "tried")]
    measured.save_built(places[0], index, build)
    measured.save_truth(places[1], truth)
    measured.save_tried(places[2], tried)
    again = measured.load_built(places[0], index, 3, dataset)
    answers = measured.load_truth(places[1], dataset)
    np.testing.assert_array_equal(answers.ids, truth.ids)
    np.testing.assert_array_equal(answers.scores, truth.scores)
    loaded = measured.load_tried(places[2], index, 3, answers, K)
    assert (loaded.seconds, loaded.bytes, again.seconds) == (
        tried.seconds, tried.bytes, build.seconds,
    )  # fmt: skip
    once_more = evaluate(index, index.searcher(again.structure), answers, 3, K=3)
    for other in (loaded.evaluation, once_more):
        assert other.curve((3,)).as_dict() == evaluation.curve((3,)).as_dict()
    with pytest.raises(measured.UNREADABLE):
        measured.load_truth(places[1], replace(dataset, queries=dataset.queries[:2]))
    with pytest.raises(measured.UNREADABLE):
        measured.load_truth(places[2], dataset)


@pytest.mark.parametrize("spoil", ["cut", "empty", "text", "bit"])
def test_a_damaged_file_is_refused(tmp_path, spoil):
    path, dataset = tmp_path / "data", whole()
    measured.save_dataset(path, dataset)
    content = bytearray(path.read_bytes())
    if spoil == "bit":
        content[-9] ^= 1
    spoiled = {"cut": content[: len(content) // 2], "empty": b"", "text": b"hello", "bit": content}
    path.write_bytes(spoiled[spoil])
    with pytest.raises(measured.UNREADABLE):
        measured.load_dataset(path, dataset.fingerprint)
