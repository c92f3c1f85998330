"""hnswlib: the graph of HNSW by its authors."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any, ClassVar, Self

import numpy as np

from mips_core.base.arrays import Ids, Matrix
from mips_core.base.progress import Progress, silent
from mips_core.serving.other_libraries import contract


@contract.register
class HnswlibHNSW(contract.Rival):
    """A graph of near items, walked towards the query from level to level."""

    key: ClassVar[str] = "hnswlib-hnsw"
    label: ClassVar[str] = "hnswlib HNSW"
    package: ClassVar[str] = "hnswlib"
    pip: ClassVar[str] = "pip install hnswlib"

    def __init__(self, index: Any) -> None:
        self.index = index

    @classmethod
    def build(cls, X: Matrix, seed: int, threads: int, progress: Progress = silent) -> Self:
        n, d = X.shape
        index = contract.load(cls).Index(space="ip", dim=d)
        index.init_index(
            max_elements=n,
            M=contract.M,
            ef_construction=contract.EF_CONSTRUCTION,
            random_seed=seed % 2**31,
        )
        for start in range(0, n, contract.CHUNK):
            progress(start / n, f"{cls.label}: linking {start:,} of {n:,} items")
            rows = np.arange(start, min(start + contract.CHUNK, n))
            index.add_items(X[rows], rows, num_threads=threads)
        return cls(index)

    def efforts(self, K: int) -> Sequence[int]:
        return contract.ef_ladder(self.index.get_current_count(), K)

    def in_words(self, effort: int) -> str:
        return f"M = {contract.M}, ef = {effort:,}"

    def search(self, Q: Matrix, K: int, effort: int) -> Ids:
        """A query for which it finds fewer than K items gets none: hnswlib refuses to answer."""
        self.index.set_ef(effort)
        try:
            return np.asarray(self.index.knn_query(Q, K)[0].astype(np.int64))
        except RuntimeError:
            if len(Q) == 1:
                return np.full((1, K), -1, np.int64)
            return np.concatenate([self.search(q[None], K, effort) for q in Q])

    def inner_products(self, Q: Matrix, K: int, effort: int) -> float | None:
        return None

    @contextmanager
    def limited(self, threads: int) -> Iterator[None]:
        before = self.index.num_threads
        self.index.set_num_threads(threads)
        try:
            yield
        finally:
            self.index.set_num_threads(before)
