"""Truth and curves on parts are those in one process, bit by bit."""

from dataclasses import replace

import numpy as np
import pytest

from mips_core.base.errors import DataError
from mips_core.base.seeds import rng_for
from mips_core.data.dataset import Dataset
from mips_core.data.queries import QueryRecipe, with_queries
from mips_core.evaluation.evaluate import evaluate
from mips_core.evaluation.truth import truth_of
from mips_core.methods.indexes import INDEXES
from mips_core.scale.build_on_parts import build_on_parts
from mips_core.scale.engine import Local
from mips_core.scale.parts_curve import (
    best_in_part,
    evaluate_on_parts,
    merged,
    sampled_queries,
    truth_on_parts,
)
from mips_core.scale.write_parts import write_parts

rng = np.random.default_rng(2)
X = (rng.normal(size=(700, 5)) * rng.lognormal(size=(700, 1))).astype(np.float32)
X[100:180] = X[5]  # ties


@pytest.fixture(scope="module")
def manifest(tmp_path_factory):
    return write_parts([("X", X)], tmp_path_factory.mktemp("curve") / "x", rows=150)


@pytest.mark.parametrize("exclude_self", [False, True])
def test_queries_and_truth_are_those_of_all_rows(manifest, exclude_self):
    dataset = with_queries(Dataset(X), QueryRecipe(count=40, exclude_self=exclude_self))
    queries, rows = sampled_queries(manifest, 40)
    assert np.array_equal(queries, dataset.queries)
    truth, whole = (
        truth_on_parts(manifest, queries, Local(2), own_rows=rows if exclude_self else None),
        truth_of(dataset),
    )
    for name in ("queries", "ids", "scores", "origins", "n", "available", "dropped"):
        assert np.array_equal(getattr(truth, name), getattr(whole, name)), name


@pytest.mark.parametrize("key", ["flat-kmeans", "hierarchical-kmeans"])
def test_the_whole_curve_is_that_of_a_build_in_memory(manifest, key):
    queries, _ = sampled_queries(manifest, 50)
    truth = truth_on_parts(manifest, queries, Local(1))
    indexes = [INDEXES[key](n_clusters=40)]
    if key == "hierarchical-kmeans":
        indexes.append(replace(indexes[0], coarse_probes=3))
    for index in indexes:
        built = build_on_parts(index, manifest, 1, Local(2))
        curve = evaluate_on_parts(index, built, truth, 1).curve((1, 10, 100))
        structure = index.build(X, rng_for(1))
        searcher = index.searcher(structure)
        whole = evaluate(index, searcher, truth, 1).curve((1, 10, 100))
        assert curve.as_dict() == whole.as_dict()


def test_queries_that_do_not_fit_are_refused(manifest):
    with pytest.raises(DataError, match="queries have 3 dimensions, the items 5"):
        truth_on_parts(manifest, np.ones((2, 3), np.float32), Local(1))
    with pytest.raises(DataError, match="long enough"):
        truth_on_parts(manifest, np.zeros((2, 5), np.float32), Local(1))
    with pytest.raises(DataError, match="other vectors"):
        best_in_part(str(manifest.path), "0" * 32, 0, "", 1)


def test_merging_keeps_the_strict_order():
    one = np.array([[4, 9]]), np.array([[2.0, 1.0]])
    other = np.array([[3, 1]]), np.array([[2.0, 1.0]])
    ids, scores = merged(3, one, other)
    assert ids.tolist() == [[3, 4, 1]]
    assert scores.tolist() == [[2.0, 2.0, 1.0]]
