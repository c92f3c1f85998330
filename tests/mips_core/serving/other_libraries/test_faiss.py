"""faiss counts what it scores."""

import pytest

from tests.mips_core.serving.other_libraries.installed import installed, items


@pytest.mark.parametrize("effort", [1, 4, 20])
def test_inverted_lists_count_every_centroid_and_every_item_scanned(effort):
    built = installed("faiss-ivf").build(items(800), 0, 2)
    Q, n_lists = items(30, seed=1), built.index.nlist
    met = built.search(Q, 800, effort) >= 0  # asked for all items, it gives those it scanned
    scanned = met.sum(axis=1)
    assert built.inner_products(Q, 10, effort) == pytest.approx(n_lists + scanned.mean())
    assert built.inner_products(Q, 10, n_lists) == n_lists + 800


def test_a_graph_counts_the_items_it_scores():
    graph = installed("faiss-hnsw")
    Q = items(30, seed=1)
    assert graph.build(items(1), 0, 1).inner_products(Q, 1, 1) == 1
    assert graph.build(items(2), 0, 1).inner_products(Q, 2, 2) == 2
    built = graph.build(items(800), 0, 1)
    costs = [built.inner_products(Q, 10, effort) for effort in (10, 40, 400)]
    assert costs == sorted(costs)
    assert 10 < costs[0] < costs[-1] < 900
    assert built.inner_products(Q, 10, 40) == costs[1]  # counted anew each time
