"""Exact search, beside the matrix product alone and exact searches of other libraries."""

from collections.abc import Callable

from benchmarks.peers import FAISS, SKLEARN, faiss_flat, sklearn_brute, work_of
from benchmarks.sets import Measurable
from benchmarks.works import TIMES_FASTER, TIMES_THE_COST, Comparison, Target, Work
from mips_core.base.arrays import Matrix
from mips_core.base.threads import map_blocks
from mips_core.methods.exact import exact_top_k_scores

PRODUCT = "the product Q·X alone"
QUERIES = 10_000  # at most
TILE = (256, 1024)  # queries, items: the scores of a tile stay in cache


def product(X: Matrix, Q: Matrix) -> Callable[[], object]:
    """The inner products of all queries with all rows of X: nothing that scores all costs less."""
    queries, items = TILE

    def tile(start: int, stop: int) -> float:
        block = Q[start:stop]
        return max(float((block @ X[at : at + items].T)[0, 0]) for at in range(0, len(X), items))

    return lambda: map_blocks(tile, len(Q), queries)


def comparisons(data: Measurable, rounds: int) -> list[Comparison]:
    """The 100 best answers, and the 10 best."""
    X, Q = data.dataset.items, data.dataset.queries[:QUERIES]
    hundred, ten = "exact top 100", "exact top 10"
    works = [
        Work(PRODUCT, product(X, Q)),
        Work(hundred, lambda: exact_top_k_scores(X, Q, 100)),
        Work(ten, lambda: exact_top_k_scores(X, Q, 10)),
        work_of(FAISS, "faiss Flat, top 100", lambda: faiss_flat(X, Q, 100)),
        work_of(FAISS, "faiss Flat, top 10", lambda: faiss_flat(X, Q, 10)),
        work_of(SKLEARN, "scikit-learn brute, top 100", lambda: sklearn_brute(X, Q, 100)),
    ]
    targets = [
        Target(hundred, hundred, TIMES_THE_COST, 1.4, PRODUCT),
        Target(hundred, hundred, TIMES_FASTER, 2.8, "faiss Flat, top 100"),
    ]
    if data.skewed:
        targets.append(Target(f"{ten}, skewed norms", ten, TIMES_THE_COST, 0.5, PRODUCT))
    return [Comparison(f"Exact search of {len(Q):,} queries", works, targets, rounds)]
