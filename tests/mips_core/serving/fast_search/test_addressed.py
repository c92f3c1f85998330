"""A table of addresses names its own arrays, as long as they live."""

import pickle

import numpy as np
import pytest

from mips_core import INDEXES, rng_for
from mips_core.serving.fast_search import retriever_of


@pytest.mark.parametrize(
    ("key", "options"), [("flat-kmeans", {}), ("head-kmeans", {"probing": "centroid"})]
)
def test_a_copy_has_addresses_of_its_own(key, options):
    rng = np.random.default_rng(0)
    X, Q = (rng.normal(size=(n, 7)).astype(np.float32) for n in (300, 3))
    index = INDEXES[key](**options)
    searcher = index.searcher(index.build(X, rng_for(0)))
    retriever = retriever_of(searcher, X, codes=True)
    answers = retriever.search(Q, 5, 4)
    copy = pickle.loads(pickle.dumps(retriever.addressed))
    assert set(copy.table[6:17]).isdisjoint(retriever.addressed.table[6:17])
    ids, scores = np.empty((3, 5), np.int64), np.empty((3, 5))
    assert copy.answer(Q, 4, ids, scores) == 0
    np.testing.assert_array_equal(ids, answers[0])
    np.testing.assert_array_equal(scores, answers[1])
