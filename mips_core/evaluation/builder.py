"""Building one index after another and asking each, as every choice among settings does."""

from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from typing import Any

from mips_core.base.arrays import Matrix
from mips_core.base.byte_size import byte_size
from mips_core.base.progress import Progress, silent, span
from mips_core.base.seeds import rng_for
from mips_core.base.threads import working_clock
from mips_core.data.dataset import Dataset
from mips_core.evaluation.curve import Curve
from mips_core.evaluation.evaluate import Evaluation, evaluate
from mips_core.evaluation.truth import Truth, truth_of
from mips_core.methods.indexes import Index

TO_BUILD = 0.8  # share of the time that building takes, about; the rest is asking


@dataclass(frozen=True, slots=True, eq=False)
class Built:
    """What an index built with a seed, and the seconds it took by the clock."""

    seed: int
    structure: Any
    seconds: float


def built(index: Index, X: Matrix, seed: int, progress: Progress = silent) -> Built:
    """`index` built on the items X (n, d)."""
    began = working_clock()
    structure = index.build(X, rng_for(seed), progress)
    return Built(seed, structure, working_clock() - began)


@dataclass(frozen=True, slots=True, eq=False)
class Tried:
    """An index, built and asked at every effort."""

    evaluation: Evaluation
    seconds: float  # that building its structure took, wall; inf where that is not known
    bytes: int  # of its structure, without the items


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
            self.last = (key, built(index, self.items, seed, progress))
        return self.last[1]

    def tried(self, index: Index, seed: int, progress: Progress = silent) -> Tried:
        """`index`, built with `seed` and asked at every effort; what that took."""
        build = self.build(index, seed, span(progress, 0.0, TO_BUILD))
        searcher = index.searcher(build.structure)
        report = span(progress, TO_BUILD, 1.0)
        evaluation = evaluate(index, searcher, self.truth, seed, report, self.K)
        return Tried(evaluation, build.seconds, byte_size(build.structure))

    def evaluations(
        self, indexes: Sequence[Index], seed: int, progress: Progress = silent
    ) -> list[Evaluation]:
        """Each of `indexes`, in the order given."""
        parts = (
            span(progress, at / len(indexes), (at + 1) / len(indexes)) for at in range(len(indexes))
        )
        return [
            self.tried(index, seed, part).evaluation
            for index, part in zip(indexes, parts, strict=True)
        ]


def measured_together(index: Index, ks: Sequence[int]) -> list[tuple[int, ...]]:
    """Which of the K one evaluation gives: all, or each by itself where candidates depend on K."""
    return [(K,) for K in ks] if index.depends_on_k else [tuple(ks)]


def compare(
    indexes: Sequence[Index],
    dataset: Dataset,
    *,
    ks: Sequence[int] = (1, 10, 100),
    seeds: Sequence[int] = (0,),
    progress: Progress = silent,
) -> list[Curve]:
    """One curve per index and seed, all on the same items, queries and true answers.

    An index whose candidates depend on K has one curve for each K instead.
    """
    dataset = dataset.float32()
    truth = truth_of(dataset, span(progress, 0.0, 0.1))
    jobs = [(index, seed) for index in indexes for seed in seeds]
    curves: list[Curve] = []
    builds: dict[Hashable, Built] = {}
    for at, (index, seed) in enumerate(jobs):
        report = span(progress, 0.1 + 0.9 * at / len(jobs), 0.1 + 0.9 * (at + 1) / len(jobs))
        name = (index.structure_key(), seed)
        if name not in builds:  # indexes that differ in how they are asked share what was built
            builds[name] = built(index, dataset.items, seed, span(report, 0.0, TO_BUILD))
        searcher = index.searcher(builds[name].structure)
        if all((other.structure_key(), s) != name for other, s in jobs[at + 1 :]):
            del builds[name]
        together = measured_together(index, ks)
        for number, at_once in enumerate(together):
            begin, end = (TO_BUILD + (1 - TO_BUILD) * (number + i) / len(together) for i in (0, 1))
            part = span(report, begin, end)
            evaluation = evaluate(index, searcher, truth, seed, part, at_once[0])
            curves.append(evaluation.curve(at_once))
        progress(0.1 + 0.9 * (at + 1) / len(jobs), f"{index.label}: done", tuple(curves))
    return curves
