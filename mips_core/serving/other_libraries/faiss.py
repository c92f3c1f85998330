"""faiss: inverted lists (IVF) and a graph (HNSW).

Douze et al., "The Faiss library", 2024. Its threads are OpenMP's, and its BLAS follows them.
"""

from abc import abstractmethod
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any, ClassVar, Self

import numpy as np

from mips_core.base.arrays import Ids, Matrix
from mips_core.base.progress import Progress, silent
from mips_core.base.text import counted
from mips_core.methods.searcher import effort_ladder
from mips_core.serving.other_libraries import contract

LISTS = 4  # times the root of n: the least of what faiss advises below a million items


class _Faiss(contract.Rival):
    package: ClassVar[str] = "faiss"
    pip: ClassVar[str] = "pip install faiss-cpu"

    def __init__(self, faiss: Any, index: Any) -> None:
        self.faiss, self.index = faiss, index

    @contextmanager
    def limited(self, threads: int) -> Iterator[None]:
        with _limited(self.faiss, threads):
            yield

    def search(self, Q: Matrix, K: int, effort: int) -> Ids:
        ids: Ids = self.index.search(Q, K, params=self._parameters(effort))[1]
        return ids

    @abstractmethod
    def _parameters(self, effort: int) -> Any: ...


@contextmanager
def _limited(faiss: Any, threads: int) -> Iterator[None]:
    before = faiss.omp_get_max_threads()
    faiss.omp_set_num_threads(threads)  # counts for the calling thread alone
    try:
        yield
    finally:
        faiss.omp_set_num_threads(before)


@contract.register
class FaissIVF(_Faiss):
    """Items in the list of their nearest of many centroids; the nearest lists are scanned."""

    key: ClassVar[str] = "faiss-ivf"
    label: ClassVar[str] = "faiss IVF"

    @classmethod
    def build(cls, X: Matrix, seed: int, threads: int, progress: Progress = silent) -> Self:
        n = len(X)
        n_lists = min(n, max(1, round(LISTS * n**0.5)))
        return cls.with_lists(X, n_lists, seed, threads, progress)

    @classmethod
    def with_lists(
        cls, X: Matrix, n_lists: int, seed: int, threads: int, progress: Progress = silent
    ) -> Self:
        """Index X (n, d) in so many lists, 1 to n. Raises MipsError as `load` does."""
        faiss, d = contract.load(cls), X.shape[1]
        index = faiss.IndexIVFFlat(faiss.IndexFlatIP(d), d, n_lists, faiss.METRIC_INNER_PRODUCT)
        index.cp.seed = seed % 2**31
        index.cp.min_points_per_centroid = 1  # below 39 it warns on the terminal
        with _limited(faiss, threads):
            progress(0.0, f"{cls.label}: clustering into {n_lists:,} lists")
            index.train(X)
            progress(0.8, f"{cls.label}: filling the lists")
            index.add(X)
        return cls(faiss, index)

    def efforts(self, K: int) -> Sequence[int]:
        return effort_ladder(self.index.nlist)

    def in_words(self, effort: int) -> str:
        lists = counted(self.index.nlist, "list", "lists")
        return f"{lists}, {counted(effort, 'probe', 'probes')}"

    def _parameters(self, effort: int) -> Any:
        return self.faiss.SearchParametersIVF(nprobe=effort)

    def inner_products(self, Q: Matrix, K: int, effort: int) -> float | None:
        """One with every centroid, one with every item of the lists opened."""
        n_lists, inverted = self.index.nlist, self.index.invlists
        sizes = np.array([inverted.list_size(at) for at in range(n_lists)])
        opened = self.index.quantizer.search(Q, effort)[1]
        return float(n_lists + sizes[opened].sum(axis=1).mean())


@contract.register
class FaissHNSW(_Faiss):
    """A graph of near items, walked towards the query from level to level."""

    key: ClassVar[str] = "faiss-hnsw"
    label: ClassVar[str] = "faiss HNSW"

    @classmethod
    def build(cls, X: Matrix, seed: int, threads: int, progress: Progress = silent) -> Self:
        faiss = contract.load(cls)
        index = faiss.IndexHNSWFlat(X.shape[1], contract.M, faiss.METRIC_INNER_PRODUCT)
        index.hnsw.efConstruction = contract.EF_CONSTRUCTION
        index.hnsw.rng = faiss.RandomGenerator(seed % 2**31)
        with _limited(faiss, threads):
            for start in range(0, len(X), contract.CHUNK):
                progress(start / len(X), f"{cls.label}: linking {start:,} of {len(X):,} items")
                index.add(X[start : start + contract.CHUNK])
        return cls(faiss, index)

    def efforts(self, K: int) -> Sequence[int]:
        return contract.ef_ladder(self.index.ntotal, K)

    def in_words(self, effort: int) -> str:
        return f"M = {contract.M}, efSearch = {effort:,}"

    def _parameters(self, effort: int) -> Any:
        return self.faiss.SearchParametersHNSW(efSearch=effort)

    def inner_products(self, Q: Matrix, K: int, effort: int) -> float | None:
        """As faiss counts them itself, for the whole process: nothing else may search meanwhile."""
        stats = self.faiss.cvar.hnsw_stats
        stats.reset()
        self.search(Q, K, effort)
        return float(stats.ndis / len(Q) + 1)  # the one with the entry point is not counted
