"""A whole run of tuning: build, ask, look closer, with the best so far on the way."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from mips_core.base.progress import Progress, silent, span
from mips_core.data.dataset import Dataset
from mips_core.evaluation.builder import Builder, Tried
from mips_core.evaluation.setting import index_in_words
from mips_core.evaluation.truth import truth_of
from mips_core.methods.indexes import Index
from mips_core.studies.tuning.further import MOST, further
from mips_core.studies.tuning.precision import Tuned, cheapest
from mips_core.studies.tuning.trials import Budget, Need, check_count
from mips_core.studies.tuning.within import Within, most_precise

ASKING = 0.02  # share of the time that finding the true answers takes, about


def tune(
    dataset: Dataset,
    indexes: Sequence[Index],
    K: int,
    asked: Need | Budget,
    seed: int = 0,
    progress: Progress = silent,
    *,
    refine: bool = True,
) -> Tuned | Within:
    """Try `indexes` on `dataset`, with `refine` also settings near the best; then answer `asked`.

    Each partial result is the answer from what is tried so far. Settings of the same structure
    share it. Raises DataError below 20 queries or where truth_of does, ParamError for a K out of
    range or no index.
    """
    dataset = dataset.float32()
    truth = truth_of(dataset, span(progress, 0.0, ASKING))
    check_count(truth.m)
    truth.answers(K)  # a K out of range, too, is told before anything is built
    workshop = _Workshop(Builder(dataset.items, truth, K), asked, seed, progress)
    workshop.try_all(indexes, len(indexes) + MOST * refine)
    if refine:
        near = further(workshop.tried, K, asked, dataset.n, dataset.d)
        workshop.try_all(near, len(indexes) + len(near))
    return workshop.answer()


def answer(tried: Sequence[Tried], K: int, asked: Need | Budget) -> Tuned | Within:
    """`cheapest` for a Need, `most_precise` for a Budget."""
    if isinstance(asked, Need):
        return cheapest(tried, K, asked)
    return most_precise(tried, K, asked)


@dataclass(slots=True, eq=False)
class _Workshop:
    """What is tried so far, and the means to try more."""

    builder: Builder
    asked: Need | Budget
    seed: int
    progress: Progress
    tried: list[Tried] = field(default_factory=list)

    def answer(self) -> Tuned | Within:
        """The answer from what is tried so far."""
        return answer(self.tried, self.builder.K, self.asked)

    def try_all(self, indexes: Sequence[Index], expected: int) -> None:
        """Try each; `expected` settings in all fill the bar."""
        share = (1.0 - ASKING) / max(expected, 1)
        for index in indexes:
            start = ASKING + share * len(self.tried)
            report = span(self.progress, start, start + share)
            name = f"{index.label}, {index_in_words(index, self.builder.truth.n)}"
            self.tried.append(self.builder.tried(index, self.seed, _said_of(name, report)))
            report(1.0, f"{name}: tried", self.answer())


def _said_of(name: str, progress: Progress) -> Progress:
    """What a setting reports, with its name; partial results are answers alone."""

    def report(fraction: float, message: str, partial: Any = None) -> None:
        progress(fraction, f"{name}: {message}")

    return report
