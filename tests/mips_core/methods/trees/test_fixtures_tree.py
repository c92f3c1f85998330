"""Replay of the references of both trees: the same directions give the same sets and costs."""

import json

import numpy as np
import pytest

from mips_core import rng_for
from mips_core.base.progress import silent
from mips_core.data.dataset import Dataset
from mips_core.evaluation.builder import compare
from mips_core.methods.reductions import PadToSphere
from mips_core.methods.search import search
from mips_core.methods.trees.ip import IPTree
from mips_core.methods.trees.median_tree import median_tree, principal_directions
from mips_core.methods.trees.pca import PCATree, SubtreeSearcher


@pytest.fixture
def fixture(shared):
    return json.loads((shared / "oracle" / "fixtures.json").read_text())


@pytest.fixture
def case(fixture):
    return tuple(np.array(fixture[name], np.float32) for name in ("X", "Q"))


@pytest.fixture
def tree(fixture, case):
    lift = PadToSphere().fit(case[0])
    directions = np.array(fixture["pca"]["directions"])
    return median_tree(lift, lift.items(case[0]), directions, silent)


def test_pca_tree(fixture, case, tree):
    expected = fixture["pca"]
    phi = 1 / tree.lift.scale  # items are lifted onto the unit sphere, there onto one of phi
    assert phi == pytest.approx(expected["phi"])
    np.testing.assert_allclose(
        tree.thresholds * phi, [t for level in expected["thresholds"] for t in level], atol=1e-6
    )
    np.testing.assert_array_equal(tree.addresses, expected["leaf"])
    for name, boosting in (("plain", False), ("boosted", True)):
        searcher = SubtreeSearcher(tree, boosting, scaled=True)
        np.testing.assert_array_equal(searcher.leaves(case[1]), expected["query_leaf"])
        found = searcher.candidates(case[1], 1, 10)
        rows = np.split(found.ids, found.starts[1:-1])
        assert [sorted(row.tolist()) for row in rows] == expected[name]["candidates"]
        np.testing.assert_array_equal(found.cost, expected[name]["cost"])


def test_pca_directions(fixture, case, tree):
    rows = tree.lift.items(case[0])
    found = principal_directions(rows, 3, rng_for(0), silent)
    np.testing.assert_allclose(np.abs(np.sum(found * tree.directions, axis=1)), 1, atol=1e-6)


def test_ball_tree(fixture, case):
    index = IPTree(leaf_size=fixture["ball_tree"]["leaf_size"])
    for seed in range(5):
        searcher = index.searcher(index.build(case[0], rng_for(seed)))
        ids, _ = search(searcher, *case, 5, searcher.efforts()[-1])
        np.testing.assert_array_equal(ids, fixture["ball_tree"]["top5"])


def test_pca_tree_on_word_vectors(shared):
    """Every depth of the reference curves: 300 queries on 100,000 x 100."""
    expected = json.loads((shared / "oracle" / "glove.json").read_text())
    X = np.load(shared / "data" / "words" / "glove-100d-100k.npy")
    dataset = Dataset(X, X[expected["query_ids"]])
    curves = compare(PCATree.grid(*X.shape), dataset, ks=(1, 10, 100))
    for name, curve in zip(("pca", "pca_boost"), curves, strict=True):
        rows = [row for row in expected["rows"] if row["method"] == name]
        assert len(rows) == 13
        for row in rows:
            at = len(curve.efforts) - row["D"]
            assert curve.mean_cost[at] == pytest.approx(row["mean_cost"], abs=0.01)
            for K in (1, 10, 100):
                assert curve.precision(K)[at] == pytest.approx(row[f"p@{K}"], abs=0.002)
