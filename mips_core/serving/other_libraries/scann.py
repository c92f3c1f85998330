"""ScaNN: a partition into leaves, searched by quantized scores, the best of which are rescored.

Guo et al., "Accelerating large-scale inference with anisotropic vector quantization", ICML 2020.
Its random numbers are its own: no seed can be given.
"""

import os
import re
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from tempfile import TemporaryFile
from typing import Any, ClassVar, Self

import numpy as np

from mips_core.base.arrays import Ids, Matrix
from mips_core.base.progress import Progress, silent
from mips_core.base.text import counted
from mips_core.methods.searcher import effort_ladder
from mips_core.serving.other_libraries.contract import Rival, load, register

FEWEST_ITEMS = 64  # fewer are scanned: a quantizer needs 16 to learn from
DIMENSIONS_PER_BLOCK = 2  # of the quantizer, and
ANISOTROPIC_THRESHOLD = 0.2  # how it weighs errors: both as ScaNN's own examples have them
RESCORED = 4  # times K: the fewest items scored exactly
LOGGED = re.compile(rb"[IW]\d{4} |WARNING: All log messages before absl::InitializeLog")


@register
class ScannTree(Rival):
    """Items in leaves by k-means; those of the nearest leaves scored roughly, the best exactly."""

    key: ClassVar[str] = "scann-tree"
    label: ClassVar[str] = "ScaNN"
    package: ClassVar[str] = "scann"
    pip: ClassVar[str] = "pip install scann"

    def __init__(self, index: Any, n: int, n_leaves: int) -> None:
        """`index` over n items in so many leaves, 1 where it scans them."""
        self.index, self.n, self.n_leaves, self.num_threads = index, n, n_leaves, 1

    @classmethod
    def build(cls, X: Matrix, seed: int, threads: int, progress: Progress = silent) -> Self:
        n_leaves = round(len(X) ** 0.5) if len(X) >= FEWEST_ITEMS else 1
        progress(0.0, f"{cls.label}: clustering into {n_leaves:,} leaves")
        return cls.with_leaves(X, n_leaves, threads)

    @classmethod
    def with_leaves(cls, X: Matrix, n_leaves: int, threads: int) -> Self:
        """Index X (n, d) in so many leaves; 1 scans all. Raises MipsError as `load` does."""
        n = len(X)
        with _without_log():
            builder = load(cls).scann_ops_pybind.builder(X, 1, "dot_product")
            builder.set_n_training_threads(threads)
            if n_leaves == 1:
                return cls(builder.score_brute_force().build(), n, 1)
            builder.tree(n_leaves, 1, training_sample_size=n, min_partition_size=1)
            builder.score_ah(
                DIMENSIONS_PER_BLOCK,
                anisotropic_quantization_threshold=ANISOTROPIC_THRESHOLD,
                training_sample_size=n,
            )
            return cls(builder.reorder(RESCORED).build(), n, n_leaves)

    def efforts(self, K: int) -> Sequence[int]:
        return effort_ladder(self.n_leaves)

    def in_words(self, effort: int) -> str:
        return f"{counted(self.n_leaves, 'leaf', 'leaves')}, {effort:,} opened"

    def rescored(self, K: int, effort: int) -> int:
        """Items scored exactly: few at first, in the end all, so that nothing need be missed."""
        return min(self.n, max(RESCORED * K, round(self.n * (effort / self.n_leaves) ** 3)))

    def search(self, Q: Matrix, K: int, effort: int) -> Ids:
        return self.answers(Q, K, effort, self.rescored(K, effort))

    def answers(self, Q: Matrix, K: int, effort: int, rescored: int) -> Ids:
        """As `search`, with so many items rescored."""
        index = self.index
        ask = index.search_batched if self.num_threads == 1 else index.search_batched_parallel
        ids, scores = ask(Q, K, rescored, effort)
        items: Ids = ids.astype(np.int64)
        items[np.isnan(scores)] = -1  # it fills up with item 0, scored NaN
        return items

    def inner_products(self, Q: Matrix, K: int, effort: int) -> float | None:
        return None

    @contextmanager
    def limited(self, threads: int) -> Iterator[None]:
        before = self.num_threads
        self._take(threads)
        try:
            yield
        finally:
            self._take(before)

    def _take(self, threads: int) -> None:
        self.num_threads = threads
        self.index.set_num_threads(threads)


@contextmanager
def _without_log() -> Iterator[None]:
    """Leave out what the library logs on the terminal: it knows no level that would be silent."""
    sys.stderr.flush()
    terminal = os.dup(2)
    with TemporaryFile() as held:
        os.dup2(held.fileno(), 2)
        try:
            yield
        finally:
            sys.stderr.flush()
            os.dup2(terminal, 2)
            os.close(terminal)
            held.seek(0)
            for line in held:
                if not LOGGED.match(line):
                    os.write(2, line)  # another thread's
