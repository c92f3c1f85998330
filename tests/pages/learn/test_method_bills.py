"""Lesson 10: the bills of the core, and what the lesson says of them."""

import numpy as np
import pytest

from mips_core import INDEXES, exact_top_k, rng_for, shipped
from mips_core.figures.styles import METHODS
from pages._ui.parts.lesson import stored
from pages.learn.method_bills import LESSON, QUERIES, SIZES, bills_of
from tests.pages.wire_reader import unpack

CHEAP = ("flat-kmeans", "hierarchical-kmeans", "largest-norm", "exact")  # built in a moment
EIGHT = 7  # where 8 answers are wanted


@pytest.fixture(scope="module")
def data():
    return unpack(stored.packed("method_bills"))


def bill(data, key, query=0, wanted=EIGHT):
    return data["spent"][0][list(METHODS).index(key)][query][wanted]


def asked():
    words = shipped("glove-6b-50d")
    return words.items, words.items[[words.labels.index(word) for word in QUERIES]]


@pytest.mark.parametrize("key", CHEAP)
def test_a_fresh_bill_is_the_stored_one(data, key):
    X, Q = asked()
    at = list(METHODS).index(key)
    for size, n in enumerate(SIZES):
        efforts, spent, reached, parts = bills_of(key, X[:n], Q)
        assert (data["efforts"][size][at] == efforts).all()
        assert (data["spent"][size][at] == spent.astype(np.float32)).all()
        assert (data["reached"][size][at] == reached).all()
        assert data["parts"][at] == parts


def test_every_method_is_there():
    assert unpack(stored.packed("method_bills"))["keys"] == list(METHODS)


def test_the_bills_of_guitar(data):
    total = {key: round(float(bill(data, key).sum())) for key in METHODS}
    assert QUERIES[0] == "guitar"
    assert bill(data, "hierarchical-kmeans").tolist() == [67, 27, 0]
    assert bill(data, "flat-kmeans").tolist() == [141, 149, 0]
    assert data["reached"][0][list(METHODS).index("flat-kmeans")][0][EIGHT] == 10
    assert [total[key] for key in ("hierarchical-kmeans", "flat-kmeans", "srp-hash")] == [
        *(94, 290, 2_075),
    ]
    assert [total[key] for key in ("product-quantization", "largest-norm", "exact")] == [
        *(1_919, 3_621, 20_000),
    ]
    assert [total[key] for key in ("pca-tree", "ip-tree")] == [6_254, 12_587]


def test_a_bill_is_that_of_the_steps_of_one_search(data):
    X, Q = asked()
    index = INDEXES["hierarchical-kmeans"]()
    searcher = index.searcher(index.build(X, rng_for(0)))
    effort = int(data["efforts"][0][list(METHODS).index(index.key)][0][EIGHT])
    steps = searcher.trace(Q[0], effort, 10)
    assert [step.spent for step in steps] == [27, 40, 27]
    assert len(set(exact_top_k(X, Q[:1], 10)[0]) & set(steps[-1].scored)) == 8
    less = searcher.trace(Q[0], effort - 1, 10)[-1].scored
    assert len(set(exact_top_k(X, Q[:1], 10)[0]) & set(less)) < 8


def test_steps_and_answer_say_what_is_so(data):
    facts = data["facts"]
    assert (facts["flat_centroids"], facts["flat_words"], facts["flat"]) == (141, 149, 290)
    assert bill(data, "exact").sum() == 20_000
    assert facts["additions_many"] == 2 * facts["additions_few"]
    assert facts["tables_many"] == facts["tables_few"]
    assert facts["projections_many"] == facts["projections_few"]
    assert (facts["centroids_few"], facts["centroids_many"]) == (100, 141)
    assert 1.5 < facts["buckets_many"] / facts["buckets_few"] <= 2
    assert 1.3 < facts["opened_many"] / facts["opened_few"] < 1.5
    forty = LESSON.steps[2].state["axis"] / LESSON.steps[3].state["axis"]
    assert forty == 40
