"""Lists scanned on more than a tile: every method, many near ties, threads, memory."""

import numpy as np
import pytest

from mips_core import INDEXES, DataError, ParamError, rng_for
from mips_core.base import threads
from mips_core.methods.baselines import ExactSearch
from mips_core.methods.kmeans.flat import FlatKMeans
from mips_core.methods.kmeans.hierarchical import HierarchicalKMeans
from mips_core.methods.search import search_checked
from mips_core.serving.fast_search import retriever_of
from mips_core.serving.fast_search.blocks import ROWS, width
from mips_core.serving.fast_search.retriever import FEW, MOST_ANSWERS


def made_up(n, d, m, seed=0):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n, d)) * rng.lognormal(size=(n, 1))
    X[10:30] = X[5]
    return X.astype(np.float32), rng.normal(size=(m, d)).astype(np.float32)


def searcher_on(X, index):
    return index.searcher(index.build(X, rng_for(0)))


def assert_equal(answers, expected):
    for ours, theirs in zip(answers, expected, strict=True):
        np.testing.assert_array_equal(ours, theirs)


@pytest.mark.parametrize("cls", INDEXES.values(), ids=INDEXES)
def test_every_method_answers_as_search_does(cls):
    X, Q = made_up(400, 6, FEW + 5)
    index = cls()
    searcher = searcher_on(X, index)
    retriever = retriever_of(searcher, X, codes=True)
    assert retriever.nbytes >= X.nbytes
    efforts = list(searcher.efforts())
    for effort in {efforts[0], efforts[len(efforts) // 2], efforts[-1]}:
        expected = search_checked(searcher, X, Q, 7, effort)
        assert_equal(retriever.search(Q, 7, effort), expected)
        assert_equal(retriever.search(Q[:2], 7, effort), [part[:2] for part in expected])


@pytest.mark.parametrize("codes", [False, True])
@pytest.mark.parametrize("index", [FlatKMeans(n_clusters=3), HierarchicalKMeans()])
def test_more_items_and_queries_than_a_tile(index, codes):
    X, Q = made_up(3000, 20, 600)
    searcher = searcher_on(X, index)
    retriever = retriever_of(searcher, X, codes=codes)
    for K, effort in ((1, 1), (10, 2), (150, 2)):
        expected = search_checked(searcher, X, Q, K, effort)
        assert_equal(retriever.search_checked(Q, K, effort), expected)
        assert_equal(retriever.search_checked(Q[:5], K, effort), [part[:5] for part in expected])


def test_more_near_ties_than_a_shortlist_holds():
    X, Q = made_up(2000, 5, FEW + 4)
    X[:1500] = X[0]
    Q[3] = 0
    searcher = searcher_on(X, FlatKMeans(n_clusters=4))
    for codes in (False, True):
        retriever = retriever_of(searcher, X, codes=codes)
        expected = search_checked(searcher, X, Q, 3, 4)
        assert list(expected[0][3]) == [0, 1, 2]
        assert_equal(retriever.search(Q, 3, 4), expected)
        assert_equal(retriever.search(Q[3:4], 3, 4), [part[3:4] for part in expected])


def test_nearly_all_items_asked_for():
    X, Q = made_up(MOST_ANSWERS + 100, 3, 20)
    for index in (FlatKMeans(), ExactSearch()):
        searcher = searcher_on(X, index)
        for K in (MOST_ANSWERS, MOST_ANSWERS + 50, len(X) + 5):
            effort = searcher.efforts()[-1]
            expected = search_checked(searcher, X, Q, K, effort)
            assert_equal(retriever_of(searcher, X).search_checked(Q, K, effort), expected)


def test_no_query_gets_no_answers():
    X, Q = made_up(50, 3, 1)
    for index in (FlatKMeans(), ExactSearch()):
        ids, scores = retriever_of(searcher_on(X, index), X).search(Q[:0], 4, 1)
        assert ids.shape == scores.shape == (0, 4)


def test_threads_do_not_matter(monkeypatch):
    X, Q = made_up(2000, 10, 501)
    searcher = searcher_on(X, FlatKMeans())
    retriever = retriever_of(searcher, X)
    monkeypatch.setenv("MIPS_THREADS", "3")
    several = retriever.search(Q, 10, 5)
    with threads.limited(1):
        assert_equal(several, retriever.search(Q, 10, 5))


def test_a_retriever_takes_little_more_memory_than_the_items():
    X, _ = made_up(1000, 100, 1)
    searcher = searcher_on(X, FlatKMeans())
    without = retriever_of(searcher, X).nbytes
    assert without <= 1.03 * X.nbytes
    coded = len(X) + len(searcher.tree.levels[0].sizes) * (ROWS + 1)  # lists in whole blocks
    most = coded * (width(X.shape[1]) + np.float32().nbytes) + 1000
    assert without + len(X) * width(X.shape[1]) < retriever_of(searcher, X, codes=True).nbytes
    assert retriever_of(searcher, X, codes=True).nbytes <= without + most


@pytest.mark.parametrize("key", ["flat-kmeans", "exact", "srp-hash"])
def test_what_cannot_be_asked_is_refused_in_words(key):
    X = made_up(30, 4, 1)[0]
    searcher = searcher_on(X, INDEXES[key]())
    with pytest.raises(DataError, match=r"holds 30 items, X has 29"):
        retriever_of(searcher, X[1:])
    retriever = retriever_of(searcher, X)
    effort = searcher.efforts()[-1]
    with pytest.raises(DataError, match=r"have 3 dimensions, the items 4"):
        retriever.search(X[:2, :3], 5, effort)
    with pytest.raises(DataError, match=r"nan in row 1"):
        retriever.search([[1, 2, 3, 4], [1, 2, 3, np.nan]], 5, effort)
    with pytest.raises(ParamError, match=r"K is 0"):
        retriever.search(X[:2], 0, effort)
    with pytest.raises(ParamError, match=r"is not offered"):
        retriever.search(X[:2], 5, 10**6)
