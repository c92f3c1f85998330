"""Whether what was built is what an index, with its parameters, builds.

Where a parameter may be met in part (clusters that ended empty), at most as much; and nothing where
a rule depends on how many items there are.
"""

from collections.abc import Iterable
from functools import singledispatch
from typing import Any

from mips_core.methods.hashing.hash_tables import HashTables
from mips_core.methods.hashing.l2_alsh import L2ALSH, L2Hash
from mips_core.methods.hashing.sign_hash import SignHash
from mips_core.methods.hashing.simple_lsh import SimpleLSH
from mips_core.methods.hashing.srp import SRPHash
from mips_core.methods.hashing.wta import WinnerHash, WTAHash
from mips_core.methods.indexes import Index
from mips_core.methods.kmeans.cluster_tree import KMeansParams, KMeansTree
from mips_core.methods.kmeans.flat import FlatKMeans
from mips_core.methods.kmeans.head import HeadKMeans
from mips_core.methods.kmeans.head_search import HeadAndClusters
from mips_core.methods.kmeans.hierarchical import HierarchicalKMeans
from mips_core.methods.kmeans.multi import Clusterings, MultiKMeans
from mips_core.methods.kmeans.top_down import TopDownKMeans
from mips_core.methods.kmeans.top_down_tree import SplitTree
from mips_core.methods.quantization.product import ProductQuantization, Quantized
from mips_core.methods.reductions import PadToSphere
from mips_core.methods.trees.median_tree import MedianTree
from mips_core.methods.trees.pca import PCATree
from mips_core.serving.store.soundness.rules import expect


@singledispatch
def check_asked_for(index: Index, structure: Any) -> None:
    """Raise UnsoundError where `structure`, sound by itself, is not what `index` builds.

    Of an index that is not known here, nothing is asked.
    """


def _expect_same(built: object, asked: object, what: str) -> None:
    expect(built == asked, f"{what}: {built} built, {asked} asked for")


def _check_trees(index: KMeansParams, trees: Iterable[KMeansTree], levels: int, most: int) -> None:
    for tree in trees:
        _expect_same(tree.lift.reduction, index.reduction, "reduction")
        _expect_same(len(tree.levels), levels, "levels")
        clusters = len(tree.levels[-1].centroids)
        expect(clusters <= most or not most, f"clusters: {clusters} built, {most} asked for")


@check_asked_for.register
def _(index: FlatKMeans, structure: KMeansTree) -> None:
    _check_trees(index, [structure], 1, index.n_clusters)


@check_asked_for.register
def _(index: HierarchicalKMeans, structure: KMeansTree) -> None:
    most = index.sizes[-1] if index.sizes else index.n_clusters
    _check_trees(index, [structure], index.n_levels, most)


@check_asked_for.register
def _(index: MultiKMeans, structure: Clusterings) -> None:
    _expect_same(len(structure.trees), index.n_clusterings, "clusterings")
    _check_trees(index, structure.trees, 1, index.n_clusters)


@check_asked_for.register
def _(index: HeadKMeans, structure: HeadAndClusters) -> None:
    _expect_same(len(structure.lists.labels), index.copies, "copies")
    _check_trees(index, [structure.tree], 1, index.n_clusters)


@check_asked_for.register
def _(index: TopDownKMeans, structure: SplitTree) -> None:
    _expect_same(structure.lift.reduction, index.reduction, "reduction")


@check_asked_for.register
def _(index: PCATree, structure: MedianTree) -> None:
    _expect_same(structure.lift.reduction, PadToSphere(), "reduction")
    deeper = index.depth and structure.depth > index.depth
    expect(not deeper, f"levels: {structure.depth} built, {index.depth} asked for")


@check_asked_for.register
def _(index: ProductQuantization, structure: Quantized) -> None:
    n, S = structure.codes.shape
    d, k = structure.books.codewords.shape
    _expect_same(S, min(index.n_subspaces, d), "subspaces")
    _expect_same(k, min(index.n_codewords, n), "codewords")


@check_asked_for.register(SRPHash)
@check_asked_for.register(SimpleLSH)
def _(index: SRPHash | SimpleLSH, structure: HashTables[SignHash]) -> None:
    reduction = index.reduction if isinstance(index, SRPHash) else PadToSphere()
    _expect_same(structure.family.lift.reduction, reduction, "reduction")
    _expect_same(structure.family.directions.shape[:2], (index.n_tables, index.n_bits), "keys")


@check_asked_for.register
def _(index: WTAHash, structure: HashTables[WinnerHash]) -> None:
    family = structure.family
    _expect_same(family.lift.reduction, index.reduction, "reduction")
    prefix = min(index.prefix, family.d + family.lift.n_extra)
    asked = (index.n_tables, index.n_permutations, prefix)
    _expect_same(family.prefixes.shape, asked, "permutations")


@check_asked_for.register
def _(index: L2ALSH, structure: HashTables[L2Hash]) -> None:
    functions = structure.family.functions
    _expect_same(functions.a.shape[:2], (index.n_tables, index.n_hashes), "keys")
    _expect_same((functions.r, structure.family.m), (index.r, index.m), "r and m")
