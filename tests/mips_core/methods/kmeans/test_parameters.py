"""How trees of clusters are built: from float16, in blocks, and from growing samples."""

import tracemalloc

import numpy as np
import pytest

from mips_core import INDEXES, rng_for
from mips_core.evaluation.setting import index_in_words
from mips_core.methods.kmeans import parameters
from mips_core.methods.kmeans.flat import FlatKMeans
from mips_core.methods.kmeans.hierarchical import HierarchicalKMeans
from mips_core.methods.kmeans.parameters import KMeansParams


@pytest.mark.parametrize("fit", ["all", "growing", "grouped"])
def test_float16_items_on_disk_build_what_their_float32_copy_builds(items, tmp_path, fit):
    np.save(tmp_path / "items.npy", items.astype(np.float16))
    mapped = np.load(tmp_path / "items.npy", mmap_mode="r")
    index = HierarchicalKMeans(fit=fit)
    a, b = (index.build(X, rng_for(2)) for X in (mapped, mapped.astype(np.float32)))
    for one, other in zip(a.levels, b.levels, strict=True):
        np.testing.assert_array_equal(one.centroids, other.centroids)
        np.testing.assert_array_equal(one.members, other.members)
    assert [c.rounds for c in a.histories] == [c.rounds for c in b.histories]


@pytest.mark.parametrize("fit", ["all", "growing", "grouped"])
def test_a_build_never_holds_many_lifted_items_whole(fit):
    X = np.random.default_rng(0).normal(size=(40_000, 96)).astype(np.float32)
    index = FlatKMeans(n_clusters=20, max_rounds=2, fit=fit)
    index.build(X[:3000], rng_for(0))  # compiles
    tracemalloc.start()
    index.build(X, rng_for(0))
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < X.nbytes * (1.2 if fit == "grouped" else 0.5)  # its blocks are larger


def test_growing_is_near_to_all_and_named_in_the_structure(items):
    all_items, growing = FlatKMeans(n_clusters=3), FlatKMeans(n_clusters=3, fit="growing")
    assert all_items.structure_key() != growing.structure_key()
    whole, grown = (
        index.build(items, rng_for(0)).histories[0].rounds[-1] for index in (all_items, growing)
    )
    assert grown.objective > 0.95 * whole.objective
    assert grown.n == len(items)


def test_all_is_grouped_where_it_would_take_minutes_and_exact_never():
    fits = [FlatKMeans(n_clusters=k).explicit(1_000_000).fit for k in (1_000, 1_414, 1_415)]
    assert fits == ["all", "all", "grouped"]
    fits = [FlatKMeans(n_clusters=k).explicit(4_000_000).fit for k in (499, 500)]
    assert fits == ["all", "grouped"]
    assert FlatKMeans(n_clusters=2_500).explicit(200_000).fit == "grouped"
    assert FlatKMeans(n_clusters=2_500, fit="exact").explicit(1_000_000).fit == "exact"
    assert FlatKMeans(n_clusters=8_000, fit="growing").explicit(1_000_000).fit == "growing"
    index = FlatKMeans.grid(1_000_000, 100)[-1]
    assert index_in_words(index, 1_000_000) == "8,000 clusters, grouped fit"
    assert "fit" not in index_in_words(index, 10_000)
    assert HierarchicalKMeans(sizes=(10, 5_000)).explicit(1_000_000).fit == "grouped"


KINDS = [cls for cls in INDEXES.values() if issubclass(cls, KMeansParams)]


@pytest.mark.parametrize("cls", KINDS, ids=lambda cls: cls.key)
def test_a_build_is_fitted_as_its_explicit_index_says(cls, monkeypatch):
    """At every size about the limit; the default of small sets is the exact way, bit for bit."""
    X = np.random.default_rng(1).normal(size=(400, 6)).astype(np.float32)
    index = cls(n_clusters=30)

    def centroids(spec):
        structure = spec.build(X, rng_for(0))
        tree = getattr(structure, "tree", None) or getattr(structure, "trees", [structure])[0]
        return [level.centroids for level in tree.levels]

    usual, exact = centroids(index), centroids(cls(n_clusters=30, fit="exact"))
    grouped = centroids(cls(n_clusters=30, fit="grouped"))
    assert index.explicit(400).fit == "all"
    assert all(map(np.array_equal, usual, exact))
    fits = set()
    for limit in (30 * 390, 30 * 396, 30 * 397, 30 * 400, 30 * 401):
        monkeypatch.setattr(parameters, "GROUPED_FROM", limit)
        named = index.explicit(400)
        fits.add(named.fit)
        expected = grouped if named.fit == "grouped" else exact
        assert all(map(np.array_equal, centroids(index), expected))
        assert all(map(np.array_equal, centroids(named), expected))
        assert all(map(np.array_equal, centroids(cls(n_clusters=30, fit="exact")), exact))
    assert fits == {"all", "grouped"}
