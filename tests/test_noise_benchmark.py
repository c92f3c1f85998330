"""The benchmark of noise against the reference implementation."""

import json

import numpy as np
import pytest

from benchmarks.noise import EFFORTS, deviations, index_of, measured
from benchmarks.reference import dataset_of
from mips_core.methods.kmeans.flat import FlatKMeans
from mips_core.studies.noise import noisy_queries


def test_the_reference_agrees_on_trees_and_the_ceiling(shared):
    golden = json.loads((shared / "oracle/glove.json").read_text())
    words = str(shared / "data/words/glove-100d-100k.npy")
    dataset = dataset_of(words, golden["query_ids"])
    noisy = noisy_queries(dataset, dataset, sigmas=(0, 0.4))
    theirs = [row for row in golden["noise"] if row["method"] == "pca_boost"]
    ours = measured("pca_boost", theirs[0]["params"], dataset, {0: noisy}, 1)
    for row in deviations(theirs, ours):
        assert row["apart"] <= row["allowed"], row


def test_deviations_are_those_of_means_over_seeds():
    def rows(values, speedups):
        return [
            {"method": "a", "sigma": 0.1, "seed": seed, "p@1": p, "speedup": s}
            for seed, (p, s) in enumerate(zip(values, speedups, strict=True))
        ]

    ours = rows([0.5, 0.7], [30, 30])
    precision, speedup = deviations(rows([0.5], [20]), ours)
    assert precision["apart"] == pytest.approx(0.1)
    assert precision["allowed"] == pytest.approx(3 * 0.1)  # 3 std / sqrt(2)
    assert (speedup["apart"], speedup["allowed"]) == pytest.approx((np.log(1.5), np.log(1.1)))
    assert set(EFFORTS) >= {"kmeans", "wta"}
    assert index_of("kmeans(3)", {"k": 128, "p": 3}, 10) == FlatKMeans(
        n_clusters=128, max_rounds=10
    )
