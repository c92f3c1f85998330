"""Beams of all widths counted in one pass are each what it finds alone."""

import numpy as np
import pytest

from mips_core import rng_for
from mips_core.base.kernels import mark_candidates
from mips_core.methods.bits import unpack_bits
from mips_core.methods.kmeans.beam_curve import beams
from mips_core.methods.kmeans.hierarchical import HierarchicalKMeans
from mips_core.methods.kmeans.levels_search import BeamSearcher


@pytest.mark.parametrize("sizes", [(3, 12), (12, 5, 30), (1, 1, 9), (2, 4, 8, 16)])
@pytest.mark.parametrize("folds", [1, 2])
def test_every_width_is_as_if_alone(sizes, folds):
    rng = np.random.default_rng(3)
    X = rng.integers(-2, 3, size=(150, 4)).astype(np.float32)
    Q = rng.normal(size=(7, 4)).astype(np.float32)
    index = HierarchicalKMeans(n_levels=len(sizes), sizes=sizes)
    tree = index.build(X, rng_for(0))
    wanted = rng.integers(-1, 150, size=(7, 70))
    efforts = np.array([1, 2, 3, 5, 8, 30])
    found, costs = beams(tree, efforts, Q, wanted, folds)
    for at, effort in enumerate(efforts.tolist()):
        alone = BeamSearcher(tree).candidates(Q, effort, 1)
        marked = mark_candidates(wanted, alone.starts, alone.ids, 150)
        np.testing.assert_array_equal(unpack_bits(found[at], 70), marked)
        for part, cost in alone.costs.items():
            sums = [cost[fold::folds].sum() for fold in range(folds)]
            assert costs[part][:, at].tolist() == sums
