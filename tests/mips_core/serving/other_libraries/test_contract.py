"""Other libraries keep one contract, and none of them need be there."""

from types import SimpleNamespace

import numpy as np
import pytest

from mips_core.base.errors import Cancelled, MipsError
from mips_core.methods.exact import exact_top_k
from mips_core.serving.other_libraries import RIVALS, available, contract, load, missing, version
from mips_core.serving.other_libraries.hnswlib import HnswlibHNSW
from tests.mips_core.serving.other_libraries.installed import installed, items

SIZES = [1, 2, 5, 64, 800]
GRAPHS = ["faiss-hnsw", "hnswlib-hnsw"]


@pytest.fixture(params=list(RIVALS))
def rival(request):
    """Each rival whose library is installed."""
    return installed(request.param)


def recall(ids, X, Q, K):
    truth = exact_top_k(X, Q, K)
    return np.mean([np.isin(row, found).mean() for row, found in zip(truth, ids, strict=True)])


@pytest.mark.parametrize("n", SIZES)
def test_answers_are_different_items_and_more_effort_finds_what_there_is(rival, n):
    X, Q, K = items(n), items(25, seed=1), min(10, n)
    before = X.copy()
    built = rival.build(X, 3, 2)
    efforts = built.efforts(K)
    assert list(efforts) == sorted(set(efforts))
    for effort in (efforts[0], efforts[len(efforts) // 2], efforts[-1]):
        ids = built.search(Q, K, effort)
        assert (ids.shape, ids.dtype) == ((25, K), np.int64)
        assert ids.min() >= -1
        assert ids.max() < n
        for row in ids:
            assert len(set(row[row >= 0])) == (row >= 0).sum()
    assert recall(built.search(Q, K, efforts[-1]), X, Q, K) >= 0.97
    np.testing.assert_array_equal(X, before)


def test_the_same_seed_on_one_thread_gives_the_same_index(rival):
    X, Q = items(800), items(40, seed=1)
    answers = []
    for _ in range(2):
        built = rival.build(X, 5, 1)
        answers.append(built.search(Q, 10, built.efforts(10)[0]))
    np.testing.assert_array_equal(*answers)


def test_threads_change_no_answer_and_are_given_back(rival):
    X, Q = items(800), items(64, seed=1)
    built = rival.build(X, 0, 1)
    effort = built.efforts(10)[1]
    with built.limited(1):
        alone = built.search(Q, 10, effort)
    with built.limited(2):
        np.testing.assert_array_equal(built.search(Q, 10, effort), alone)
        with pytest.raises(KeyError), built.limited(1):
            raise KeyError
        assert threads_of(built) == 2


def threads_of(built):
    if hasattr(built, "faiss"):
        return built.faiss.omp_get_max_threads()
    return (built if hasattr(built, "num_threads") else built.index).num_threads


def test_building_reports_and_can_be_cancelled(rival):
    reports = []
    rival.build(items(64), 0, 1, lambda fraction, message, partial=None: reports.append(message))
    assert all(rival.label in message for message in reports)
    assert reports

    def cancel(fraction, message, partial=None):
        raise Cancelled

    with pytest.raises(Cancelled):
        rival.build(items(64), 0, 1, cancel)


def test_a_setting_is_told_in_words(rival):
    built = rival.build(items(64), 0, 1)
    assert built.in_words(1) in {
        "32 lists, 1 probe",
        "M = 16, efSearch = 1",
        "M = 16, ef = 1",
        "8 leaves, 1 opened",
    }
    assert built.in_words(1200).endswith((" 1,200", "1,200 probes", "1,200 opened"))


@pytest.mark.parametrize("key", ["hnswlib-hnsw", "scann-tree"])
def test_a_library_that_does_not_count_says_so(key):
    built = installed(key).build(items(64), 0, 1)
    assert built.inner_products(items(3), 5, 10) is None


def test_absent_libraries_are_named_once_with_the_line_that_adds_them(monkeypatch):
    monkeypatch.setattr(contract, "find_spec", lambda package: None)
    assert available() == []
    lines = [
        ("faiss", "pip install faiss-cpu"),
        ("hnswlib", "pip install hnswlib"),
        ("scann", "pip install scann"),
    ]
    assert missing() == lines
    monkeypatch.setattr(contract, "find_spec", lambda package: package == "faiss" or None)
    assert available() == ["faiss-ivf", "faiss-hnsw"]
    assert missing() == lines[1:]


def test_a_library_that_cannot_be_loaded_is_named_with_its_reason(monkeypatch):
    def broken(package):
        raise ImportError("libfoo.so is gone")

    monkeypatch.setattr(contract, "import_module", broken)
    with pytest.raises(MipsError, match=r"hnswlib cannot be loaded: libfoo.so is gone\..*pip"):
        load(HnswlibHNSW)


def test_versions_are_told_where_libraries_tell_them(rival, monkeypatch):
    assert version(rival)[0].isdigit()
    monkeypatch.setattr(contract, "import_module", lambda package: SimpleNamespace())
    monkeypatch.setattr(rival, "package", "no-such-distribution")
    assert version(rival) == "unknown"
