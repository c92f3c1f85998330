"""Building one index after another and asking each, as every choice among settings does."""

from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from time import perf_counter
from typing import Any

from mips_core.base.arrays import Matrix
from mips_core.base.progress import Progress, silent, span
from mips_core.base.seeds import rng_for
from mips_core.evaluation.evaluate import Evaluation, evaluate
from mips_core.evaluation.truth import Truth
from mips_core.methods.indexes import Index

TO_BUILD = 0.8  # share of the time that building takes, about; the rest is asking


@dataclass(frozen=True, slots=True, eq=False)
class Built:
    """What an index builds, and the seconds it took by the clock."""

    structure: Any
    seconds: float


@dataclass(slots=True, eq=False)
class Builder:
    """Builds indexes on the items (n, d), and asks each for K answers to the queries of `truth`.

    Neighbours that differ in how they are asked alone share a structure. Only the last is kept:
    two may not fit in memory.
    """

    items: Matrix
    truth: Truth
    K: int
    last: tuple[Hashable, Built] | None = None

    def build(self, index: Index, seed: int, progress: Progress = silent) -> Built:
        """The structure of `index`, built with `seed`; the last one again where it is the same."""
        key = (index.structure_key(), seed)
        if self.last is None or self.last[0] != key:
            self.last = None
            began = perf_counter()
            structure = index.build(self.items, rng_for(seed), progress)
            self.last = (key, Built(structure, perf_counter() - began))
        return self.last[1]

    def evaluation(self, index: Index, seed: int, progress: Progress = silent) -> Evaluation:
        """`index`, built with `seed` and asked at every effort."""
        built = self.build(index, seed, span(progress, 0.0, TO_BUILD))
        searcher = index.searcher(built.structure)
        report = span(progress, TO_BUILD, 1.0)
        return evaluate(index, searcher, self.truth, seed, report, self.K)

    def evaluations(
        self, indexes: Sequence[Index], seed: int, progress: Progress = silent
    ) -> list[Evaluation]:
        """Each of `indexes`, in the order given."""
        parts = (
            span(progress, at / len(indexes), (at + 1) / len(indexes)) for at in range(len(indexes))
        )
        return [
            self.evaluation(index, seed, part) for index, part in zip(indexes, parts, strict=True)
        ]
