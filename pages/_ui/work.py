"""The long computations of the app, each named by its inputs: truth, build, evaluation."""

from collections.abc import Hashable
from dataclasses import dataclass
from time import perf_counter
from typing import Any

from mips_core import Dataset, Evaluation, Index, evaluate, rng_for, truth_of
from mips_core.progress import Progress, span
from mips_core.truth import Truth
from pages._ui import jobs, results
from pages._ui.job import Job


@dataclass(frozen=True, eq=False)
class Built:
    """A built index: its parameters, seed, Structure, and the seconds it took."""

    index: Index
    seed: int
    structure: Any
    seconds: float


def build_key(dataset: Dataset, index: Index, seed: int) -> Hashable:
    """Names a Structure: items, build parameters, seed."""
    return ("build", dataset.fingerprint, index.structure_key(), seed)


def evaluation_key(dataset: Dataset, index: Index, seed: int) -> Hashable:
    """Names an Evaluation: items, queries, all parameters, seed."""
    return ("evaluation", dataset.fingerprint, dataset.query_fingerprint, index, seed)


def built(dataset: Dataset, index: Index, seed: int) -> Built | None:
    """The built index, if it is remembered."""
    found: Built | None = results.recall(build_key(dataset, index, seed))
    return found


def evaluation(dataset: Dataset, index: Index, seed: int) -> Evaluation | None:
    """The evaluated index, if it is remembered."""
    found: Evaluation | None = results.recall(evaluation_key(dataset, index, seed))
    return found


def start_evaluation(
    dataset: Dataset, index: Index, seed: int, owner: str, wanted: float = 0
) -> Job:
    """Build the index if need be and ask it at every effort, as a job."""

    def work(progress: Progress) -> Evaluation:
        return _evaluate(dataset, index, seed, progress)

    label = f"{index.label}, {index.setting(dataset.n)}"
    return jobs.start(evaluation_key(dataset, index, seed), label, work, owner, wanted)


def ask_again(dataset: Dataset, index: Index, seed: int) -> None:
    """Let an evaluation that was cancelled or failed be started anew."""
    job = jobs.find(evaluation_key(dataset, index, seed))
    if job is not None:
        jobs.forget(job)


def _evaluate(dataset: Dataset, index: Index, seed: int, progress: Progress) -> Evaluation:
    made = _build(dataset, index, seed, span(progress, 0.0, 0.85))
    truth = _truth(dataset, span(progress, 0.85, 0.92))
    searcher = index.searcher(made.structure)
    return evaluate(index, searcher, truth, seed, span(progress, 0.92, 1.0))


def _build(dataset: Dataset, index: Index, seed: int, progress: Progress) -> Built:
    found = built(dataset, index, seed)
    if found is None:
        began = perf_counter()
        structure = index.build(dataset.items, rng_for(seed), progress)
        found = Built(index, seed, structure, perf_counter() - began)
        results.remember(build_key(dataset, index, seed), found)
    return found


def _truth(dataset: Dataset, progress: Progress) -> Truth:
    key = ("truth", dataset.fingerprint, dataset.query_fingerprint)
    found: Truth | None = results.recall(key)
    if found is None:
        found = truth_of(dataset, progress)
        results.remember(key, found)
    return found
