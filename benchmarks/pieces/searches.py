"""Answers to queries, in a batch and one by one, at equal recall beside other libraries.

Every family of searches is built in several ways. On one half of the queries the least effort with
the recall is found for each, and the quickest is kept; on the other half it is scored and timed.
"""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np

from benchmarks.ladders import Best, Chosen, Ladder, best_of
from benchmarks.peers import FAISS, HNSWLIB, SCANN, Peer
from benchmarks.sets import K, Measurable
from benchmarks.works import TIMES_FASTER, TIMES_THE_COST, Comparison, Target, Work
from mips_core import INDEXES, Index, Searcher, rng_for
from mips_core.base.arrays import Ids, Matrix
from mips_core.base.threads import limited, n_threads
from mips_core.methods.indexes import ListSearcher
from mips_core.methods.kmeans.flat import FlatKMeans
from mips_core.methods.kmeans.head import HeadKMeans
from mips_core.methods.kmeans.hierarchical import HierarchicalKMeans
from mips_core.serving.fast_search import Retriever, retriever_of
from mips_core.serving.other_libraries import Rival
from mips_core.serving.other_libraries.contract import M
from mips_core.serving.other_libraries.faiss import FaissIVF
from mips_core.serving.other_libraries.hnswlib import HnswlibHNSW
from mips_core.serving.other_libraries.scann import ScannTree

LISTS = (1, 2, 4)  # times the root of n: clusters, inverted lists and leaves that are tried
CONSTRUCTION = (100, 200)  # efConstruction of the graphs
RESCORED = (4, 8, 16, 64)  # times K: items that ScaNN scores exactly
SINGLES = 200  # queries asked one by one
QUERIES = 2000  # at most, of those a data set has
CLUSTERS, EXACT = "ours, clusters", "ours, exact"
IVF, GRAPH, TREE = "faiss IVFFlat", "hnswlib", "ScaNN"
GAINS = {IVF: 6, GRAPH: 1.7, TREE: 1.1}  # how many times faster a batch is to be answered
SKEWED_GAINS = {GRAPH: 3}


def comparisons(data: Measurable, rounds: int) -> list[Comparison]:
    """All queries of a half at once, and some of them one by one."""
    data = data.first(QUERIES)
    families = _families(data)
    best = {
        name: best_of(make(), data.judge, data.recall)
        for name, (make, peer) in families.items()
        if peer is None or peer.absent is None
    }
    absent = {name: peer.absent for name, (_, peer) in families.items() if peer and peer.absent}
    at = f"recall@{K} ≥ {data.recall:g}"
    return [
        _batch(f"Search in a batch, {at}, time of a query", data, best, absent, rounds),
        _single(f"Search of single queries, {at}, time of a query", data, best, absent, rounds),
    ]


Families = Mapping[str, tuple[Callable[[], Sequence[Ladder]], Peer | None]]


def _families(data: Measurable) -> Families:
    return {
        CLUSTERS: (lambda: _clusters(data), None),
        EXACT: (lambda: _ours(INDEXES["exact"](), data), None),
        IVF: (lambda: _inverted_lists(data), FAISS),
        GRAPH: (lambda: _graphs(data), HNSWLIB),
        TREE: (lambda: _leaves(data), SCANN),
    }


def _clusters(data: Measurable) -> list[Ladder]:
    counts = [data.root * factor for factor in LISTS]
    indexes: list[Index] = [FlatKMeans(n_clusters=k) for k in counts]
    indexes += [HeadKMeans(n_clusters=k) for k in counts]
    indexes.append(HierarchicalKMeans())
    return [ladder for index in indexes for ladder in _ours(index, data)]


def _ours(index: Index, data: Measurable) -> list[Ladder]:
    """One of our indexes as it is, and where it opens lists, with int8 codes of the rows too."""
    X = data.dataset.items
    searcher = index.searcher(index.build(X, rng_for(0)))
    name = f"{index.label}: {index.setting(len(X))}"
    plain = _asked(retriever_of(searcher, X), searcher, index, name)
    if not isinstance(searcher, ListSearcher):
        return [plain]
    codes = retriever_of(searcher, X, codes=True)
    return [plain, _asked(codes, searcher, index, f"{name}, int8 codes")]


def _asked(retriever: Retriever, searcher: Searcher, index: Index, name: str) -> Ladder:
    def in_words(effort: int) -> str:
        return f"{name}, {effort:,} {index.effort_nouns[effort != 1]}"

    def ask(Q: Matrix, effort: int) -> Ids:
        return retriever.search_checked(Q, K, effort)[0]

    return Ladder(searcher.efforts(), ask, in_words, limited)


def _inverted_lists(data: Measurable) -> list[Ladder]:
    X = data.dataset.items
    sizes = [data.root * factor for factor in LISTS]
    return [_theirs(FaissIVF.with_lists(X, size, 0, n_threads())) for size in sizes]


def _theirs(built: Rival, before: str = "") -> Ladder:
    """An index of another library; `before` says what it does not say of itself."""

    def in_words(effort: int) -> str:
        return f"{before}{built.in_words(effort)}"

    def ask(Q: Matrix, effort: int) -> Ids:
        return built.search(Q, K, effort)

    return Ladder(built.efforts(K), ask, in_words, built.limited)


def _graphs(data: Measurable) -> list[Ladder]:
    return [_graph(data.dataset.items, ef) for ef in CONSTRUCTION]


def _graph(X: Matrix, ef_construction: int) -> Ladder:
    import hnswlib

    index = hnswlib.Index(space="ip", dim=X.shape[1])
    index.init_index(len(X), M=M, ef_construction=ef_construction, random_seed=0)
    index.add_items(X, np.arange(len(X)), num_threads=n_threads())
    return _theirs(HnswlibHNSW(index), f"efConstruction = {ef_construction}, ")


def _leaves(data: Measurable) -> list[Ladder]:
    X = data.dataset.items
    trees = [ScannTree.with_leaves(X, data.root * factor, n_threads()) for factor in LISTS]
    return [_rescoring(tree, factor * K) for tree in trees for factor in RESCORED]


def _rescoring(tree: ScannTree, rescored: int) -> Ladder:
    def in_words(leaves: int) -> str:
        return f"{tree.in_words(leaves)}, {rescored:,} rescored"

    return Ladder(
        tree.efforts(K), lambda Q, p: tree.answers(Q, K, p, rescored), in_words, tree.limited
    )


def _batch(
    title: str, data: Measurable, best: Mapping[str, Best], absent: Mapping[str, str], rounds: int
) -> Comparison:
    found = {name: each.batch for name, each in best.items()}
    Q = data.judge.scored
    works = _works(found, absent, data, Q, one_by_one=False)
    ours = min((CLUSTERS, EXACT), key=lambda name: _rank(found[name], data.recall))
    targets = [
        Target("batch search", ours, TIMES_FASTER, limit, beside)
        for beside, limit in (SKEWED_GAINS if data.skewed else GAINS).items()
    ]
    return Comparison(f"{title}, {len(Q):,} queries", works, targets, rounds)


def _rank(chosen: Chosen, recall: float) -> tuple[bool, float]:
    return chosen.recall < recall, chosen.seconds


def _single(
    title: str, data: Measurable, best: Mapping[str, Best], absent: Mapping[str, str], rounds: int
) -> Comparison:
    found = {name: each.single for name, each in best.items()}
    Q = data.judge.scored[:SINGLES]
    works = _works(found, absent, data, Q, one_by_one=True)
    ours = min((CLUSTERS, EXACT), key=lambda name: _rank(found[name], data.recall))
    targets = [
        Target("single query", ours, TIMES_THE_COST, 0.8, IVF),
        Target("single query, a stretch", ours, TIMES_THE_COST, 1, GRAPH),
    ]
    return Comparison(f"{title}, {len(Q):,} queries", works, targets, rounds)


def _works(
    found: Mapping[str, Chosen],
    absent: Mapping[str, str],
    data: Measurable,
    Q: Matrix,
    *,
    one_by_one: bool,
) -> list[Work]:
    ready = [_work(name, chosen, data, Q, one_by_one) for name, chosen in found.items()]
    return ready + [Work(name, absent=line) for name, line in absent.items()]


def _work(name: str, chosen: Chosen, data: Measurable, Q: Matrix, one_by_one: bool) -> Work:
    def told(result: Any) -> dict[str, float]:
        return {"recall": data.judge.score(chosen.batch)[0]}

    ask = chosen.one_by_one if one_by_one else chosen.batch
    return Work(
        name,
        lambda: ask(Q),
        told,
        setting=chosen.in_words,
        count=len(Q),
        limited=chosen.ladder.limited,
    )
