"""Replay of the reference fixture: the same draws give the same sets, costs and floats."""

import json

import numpy as np
import pytest

from mips_core.methods.clustering.rounds import spherical_kmeans
from mips_core.methods.exact import exact_top_k
from mips_core.methods.kmeans.cluster_tree import KMeansTree, _level
from mips_core.methods.kmeans.flat import ProbeSearcher
from mips_core.methods.kmeans.levels_search import BeamSearcher
from mips_core.methods.reductions import PaperAugment


@pytest.fixture
def fixture(shared):
    return json.loads((shared / "oracle" / "fixtures.json").read_text())


@pytest.fixture
def case(fixture):
    X, Q = (np.array(fixture[name], np.float32) for name in ("X", "Q"))
    lift = PaperAugment(fixture["U"], fixture["m"]).fit(X)
    return X, Q, lift, lift.items(X)


def check_search(searcher, Q, expected):
    for effort, answer in expected.items():
        found = searcher.candidates(Q, int(effort), 10)
        rows = np.split(found.ids, found.starts[1:-1])
        assert [sorted(row.tolist()) for row in rows] == [sorted(r) for r in answer["candidates"]]
        np.testing.assert_allclose(found.cost, answer["cost"])


def test_truth_and_lift(fixture, case):
    X, Q, _, P = case
    np.testing.assert_array_equal(exact_top_k(X, Q, 10), fixture["true_top10"])
    np.testing.assert_allclose(P, fixture["P"], atol=1e-6)
    np.testing.assert_allclose((P.astype(float) ** 2).sum(1), fixture["P_norm_sq"], atol=1e-6)


def test_flat_kmeans(fixture, case):
    _, Q, lift, P = case
    expected = fixture["kmeans"]
    found = spherical_kmeans(P, np.array(expected["init"]))
    assert len(found.rounds) == expected["rounds"]
    np.testing.assert_allclose(
        [r.objective for r in found.rounds], expected["objective"], atol=1e-5
    )
    np.testing.assert_array_equal(found.labels, expected["assign"])
    np.testing.assert_allclose(found.centroids, expected["centroids"], atol=1e-6)
    check_search(ProbeSearcher(KMeansTree(lift, (_level(found),), (found,))), Q, expected["search"])


def test_hierarchical_kmeans(fixture, case):
    _, Q, lift, P = case
    expected = fixture["hier"]
    fine = spherical_kmeans(P, np.array(expected["init_fine"]))
    top = spherical_kmeans(fine.centroids, np.array(expected["init_top"]))
    for found, centroids, labels in (
        (fine, expected["fine"], expected["parent_of_points"]),
        (top, expected["top"], expected["parent_of_fine"]),
    ):
        np.testing.assert_array_equal(found.labels, labels)
        np.testing.assert_allclose(found.centroids, centroids, atol=1e-6)
    tree = KMeansTree(lift, (_level(top), _level(fine)), (top, fine))
    check_search(BeamSearcher(tree), Q, expected["search"])
