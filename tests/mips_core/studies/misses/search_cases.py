"""Searches of every index at every effort, for tests that follow them."""

from functools import cache

import numpy as np

from mips_core import INDEXES, Dataset, rng_for
from mips_core.base.params import params_of
from mips_core.data.metrics import searched_by
from mips_core.groups.clusters import describe
from mips_core.groups.typed_queries.one_query import (
    question_of_item,
    question_of_query,
    true_answers,
)
from mips_core.studies.misses import follow
from tests.mips_core.evaluation.asked_alone import ask

K = 4


def smooth(n=300, d=5, m=4):
    """Items of unequal norm, some of them repeated."""
    rng = np.random.default_rng(3)
    X, Q = rng.normal(size=(n, d)) * rng.lognormal(0, 0.4, (n, 1)), rng.normal(size=(m, d))
    X[20:24] = X[7]
    return X.astype(np.float32), Q.astype(np.float32)


SPECS = {
    key: cls(n_tables=12) if "n_tables" in params_of(cls) else cls() for key, cls in INDEXES.items()
}
SPECS |= {
    "hierarchical-3": INDEXES["hierarchical-kmeans"](n_levels=3, n_clusters=80),
    "coarse-probes": INDEXES["hierarchical-kmeans"](n_clusters=80, coarse_probes=2),
    "head-copies": INDEXES["head-kmeans"](head=0.05, copies=2),
    "top-down-copies": INDEXES["top-down-kmeans"](leaf_size=6, epsilon=0.3),
    "pca-tree-plain": INDEXES["pca-tree"](boosting=False),
}
BUILT = {}


def built(index, dataset):
    """A searcher and its levels, made once for all tests."""
    name = index, dataset.fingerprint, dataset.labels is None
    if name not in BUILT:
        searcher = index.searcher(index.build(dataset.items, rng_for(0)))
        BUILT[name] = searcher, describe(searcher, index, dataset)
    return BUILT[name]


class SearchCase:
    """An index built on a data set, its levels, and a question with its true answers."""

    def __init__(self, index, dataset, question=None, k=K):
        self.index, self.dataset = index, dataset
        self.searcher, self.levels = built(index, dataset)
        self.question = question or question_of_query(dataset, 0, k)
        self.true = true_answers(dataset.items, self.question)
        self.efforts = list(self.searcher.efforts())

    def followed(self):
        return follow(
            self.searcher, self.index, self.dataset, self.question, self.true, self.levels
        )

    def ask(self, effort):
        return ask(self.searcher, self.dataset.items, self.question, self.true, effort)

    @cache  # noqa: B019, it lives as long as a test
    def candidates(self, effort):
        case = len(self.true.ids) + len(self.question.exclude)
        return set(self.searcher.candidates(self.question.query[None], effort, case).ids.tolist())


def questions(exclude, metric):
    X, Q = smooth()
    rows = np.array([3, -1, 7, 200]) if exclude else None
    dataset = searched_by(
        Dataset(X, Q, query_rows=rows, labels=[f"w{i}" for i in range(300)]), metric
    )
    yield dataset, question_of_query(dataset, 0, K)
    yield dataset, question_of_query(dataset, 1, 1)
    yield dataset, question_of_item(dataset, 20, K, exclude_self=exclude)


def number(text):
    return int(text.replace(",", "")) if text else 1
