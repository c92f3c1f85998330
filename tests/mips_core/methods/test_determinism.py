"""One seed gives the same bits at any thread count and on any processor's BLAS kernels."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

SCRIPT = """
import hashlib, sys
import numpy as np
from mips_core import INDEXES, Dataset, evaluate, rng_for, truth_of
from mips_core.data.queries import QueryRecipe, with_queries

rng = np.random.default_rng(0)
centres = rng.normal(size=(40, 24))
X = centres[rng.integers(0, 40, 6000)] + rng.normal(size=(6000, 24))
X *= rng.lognormal(size=(6000, 1))
X[50:60] = X[7]
dataset = with_queries(Dataset(X.astype(np.float32)), QueryRecipe(count=300))
truth = truth_of(dataset)
digest = hashlib.sha256(truth.ids.tobytes() + truth.scores.tobytes())
grouped = INDEXES["hierarchical-kmeans"](n_clusters=300, fit="grouped")
for index in [*(cls() for cls in INDEXES.values()), grouped]:
    structure = index.build(dataset.items, rng_for(0))
    for level in getattr(structure, "levels", ()):
        digest.update(level.centroids.tobytes() + level.labels.tobytes())
    ks = (10,) if index.depends_on_k else (1, 10)
    curve = evaluate(index, index.searcher(structure), truth, 0, K=ks[0]).curve(ks)
    digest.update(repr(curve.as_dict()).encode())
print(digest.hexdigest())
"""
ROOT = Path(__file__).parents[3]


def bits(**environment):
    """The digest printed by SCRIPT run in a process of its own."""
    keep = {k: v for k, v in os.environ.items() if not k.startswith("OPENBLAS")}
    done = subprocess.run(
        [sys.executable, "-c", SCRIPT],
        env={**keep, "PYTHONPATH": str(ROOT), **environment},
        capture_output=True,
        text=True,
        check=False,
        timeout=300,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout.strip()


@pytest.fixture(scope="module")
def reference():
    return bits(MIPS_THREADS="1")


@pytest.mark.parametrize(
    "environment",
    [
        {"MIPS_THREADS": "2"},
        {"MIPS_THREADS": "2", "OPENBLAS_CORETYPE": "Haswell"},
        {"MIPS_THREADS": "1", "OPENBLAS_CORETYPE": "Sandybridge"},
    ],
    ids=lambda environment: "-".join(environment.values()),
)
def test_same_bits(reference, environment):
    assert bits(**environment) == reference


def test_without_compiled_kernels_the_results_are_the_same():
    """The kernels mean what their Python says: tests of exact search and of indexes, uncompiled."""
    tests = [
        f"tests/mips_core/{place}.py"
        for place in (
            "methods/exact/test_top_k",
            "methods/exact/test_prepared",
            "methods/clustering/test_cluster_sums",
            "methods/clustering/test_growing",
            "methods/clustering/test_grouped",
            "methods/clustering/test_nearest",
            "methods/clustering/test_rounds",
            "methods/cluster_order/test_order",
            "methods/cluster_order/test_first",
            "methods/trees/test_ball_descent",
            "methods/trees/test_ball_tree",
            "methods/trees/test_ip",
            "methods/trees/test_median_tree",
            "methods/trees/test_pca",
            "methods/hashing/test_hash_search",
            "methods/hashing/test_hash_tables",
            "methods/hashing/test_l2_alsh",
            "methods/hashing/test_mixed_radix",
            "methods/hashing/test_sign_hash",
            "methods/hashing/test_wta",
            "methods/kmeans/test_head",
            "methods/kmeans/test_head_search",
            "methods/kmeans/test_soft_lists",
            "methods/kmeans/test_levels_search",
            "methods/kmeans/test_beam_curve",
            "methods/kmeans/test_multi_search",
            "methods/kmeans/test_top_down_beams",
            "methods/kmeans/test_two_means",
            "methods/quantization/test_codebooks",
            "methods/quantization/test_quantized_ranks",
            "methods/test_bits",
            "methods/test_searcher",
            "evaluation/test_precision",
            "serving/fast_search/test_addressed",
            "serving/fast_search/test_blocks",
            "serving/fast_search/test_one_query",
            "serving/fast_search/test_packed",
            "serving/fast_search/test_retriever",
            "serving/fast_search/test_shortlist",
            "studies/test_dual_tree",
        )
    ]
    long = ("glove", "more_tables", "few_dimensions", "point_the_same_way", "across_tiles")
    long += ("long_item_hides", "growing_samples", "head_alone", "no_copies", "rounding_leaves")
    long += ("every_p_of_the_paper", "all_coarse_probes", "foreseen_in_blocks", "many_clusters")
    long += ("products_as_far_off", "hits_by_query", "rounds_of_training", "k_beyond_n")
    options = ("-q", "-p", "no:cacheprovider", "--hypothesis-profile=few", "-k")
    done = subprocess.run(
        [sys.executable, "-m", "pytest", *options, f"not ({' or '.join(long)})", *tests],
        env={**os.environ, "NUMBA_DISABLE_JIT": "1"},
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
        timeout=600,
    )
    assert done.returncode == 0, done.stdout[-3000:]
