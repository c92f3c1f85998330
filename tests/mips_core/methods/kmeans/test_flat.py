"""What is particular to flat and hierarchical k-means: worked examples, and L = 1 is flat."""

import numpy as np

from mips_core.methods.kmeans.flat import ProbeSearcher
from mips_core.methods.reductions import Plain
from tests.mips_core.methods.kmeans.worked_items import tree_of


def test_flat_worked_example():
    items = np.array([[1, 0], [0.8, 0.6], [0, 1], [-0.6, 0.8]], np.float32)
    lift = Plain().fit(items)
    tree = tree_of(([[0.9487, 0.3162], [-0.3162, 0.9487]], [0, 0, 1, 1]), lift=lift)
    found = ProbeSearcher(tree).candidates(np.array([[1, 1]], np.float32), 1, 2)
    assert set(found.ids) == {0, 1}
    assert found.cost == [4]
