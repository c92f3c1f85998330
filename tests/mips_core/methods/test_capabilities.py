"""What another library is told finds the same; which indexes keep up with changing items."""

import numpy as np
import pytest

from mips_core import INDEXES, rng_for
from mips_core.methods.capabilities import Descending, Updatable, Updated
from mips_core.methods.kmeans.flat import FlatKMeans
from mips_core.methods.kmeans.head import HeadKMeans
from mips_core.methods.kmeans.hierarchical import HierarchicalKMeans

RUN_ELSEWHERE = {
    "flat": FlatKMeans(n_clusters=9),
    "beam": HierarchicalKMeans(n_levels=3),
    "coarse probes": HierarchicalKMeans(n_levels=2, coarse_probes=3),
    "head": HeadKMeans(head=0.1, n_clusters=8),
    "head by centroids": HeadKMeans(head=0.1, n_clusters=8, probing="centroid"),
    "no head": HeadKMeans(head=0.0, n_clusters=8, probing="mean"),
}


def run(descent, q):
    """Items found for q (d,): lists of lists, each level chosen by inner products."""
    asked = np.append(q, np.linalg.norm(q)) if descent.asks_norm else q
    assert len(asked) == descent.width
    rows, numbers = descent.centroids, np.arange(len(descent.centroids))
    for lists, probes in zip(descent.lists, descent.probes, strict=True):
        wide = np.zeros((len(rows), descent.width), np.float64)
        both = min(descent.width, rows.shape[1])
        wide[:, :both] = rows[:, :both]
        best = numbers[np.argsort(-(wide @ asked), kind="stable")[:probes]]
        numbers = np.concatenate(
            [lists.members[lists.starts[c] : lists.starts[c + 1]] for c in best]
        )
        rows = lists.rows[numbers]
    return set(numbers.tolist())


@pytest.mark.parametrize("index", RUN_ELSEWHERE.values(), ids=RUN_ELSEWHERE)
def test_a_descent_finds_the_candidates(index):
    rng = np.random.default_rng(0)
    X = (rng.normal(size=(120, 4)) * rng.lognormal(size=(120, 1))).astype(np.float32)
    Q = rng.normal(size=(6, 4)).astype(np.float32)
    searcher = index.searcher(index.build(X, rng_for(0)))
    for effort in searcher.efforts()[:6]:
        found = searcher.candidates(Q, effort, 1)
        rows = np.split(found.ids, found.starts[1:-1])
        descent = searcher.descent(X, effort)
        assert [run(descent, q) for q in Q] == [set(row.tolist()) for row in rows]


def test_only_lists_that_centroids_choose_can_be_run_elsewhere(items):
    able = {
        key
        for key, cls in INDEXES.items()
        if isinstance(cls().searcher(cls().build(items, rng_for(0))), Descending)
    }
    assert able == {"flat-kmeans", "hierarchical-kmeans", "head-kmeans"}
    copies = HeadKMeans(copies=2)
    if len(items) > 100:
        searcher = copies.searcher(copies.build(items, rng_for(0)))
        assert not isinstance(searcher, Descending)
        assert searcher.why_no_descent.startswith("Items with a copy are in two lists")


def test_indexes_of_k_means_keep_up_and_no_others():
    able = {key for key, cls in INDEXES.items() if issubclass(cls, Updatable)}
    assert able == {"flat-kmeans", "hierarchical-kmeans", "multi-kmeans", "head-kmeans"}
    assert able == {key for key, cls in INDEXES.items() if isinstance(cls(), Updatable)}


def test_longer_vectors_make_a_rebuild_due():
    kept = Updated(None, {"centroids": 30, "other": 12}, placed=5)
    assert (kept.inner_products, kept.due) == (42, "")
    due = Updated(None, {}, 5, longer=1, excess=1.25).due
    assert due.startswith("1 vector is longer than any was when the index was built, up to 1.25 ")
    assert Updated(None, {}, 5, longer=2).due.startswith("2 vectors are longer")
