"""The long computations of the app, each named by its inputs: truth, build, evaluation."""

from collections.abc import Hashable
from dataclasses import dataclass
from time import perf_counter
from typing import Any

from mips_core import Dataset, Evaluation, Index, evaluate, rng_for, truth_of
from mips_core.base.byte_size import byte_size
from mips_core.base.progress import Progress, span
from mips_core.evaluation.setting import index_in_words
from mips_core.evaluation.truth import Truth
from mips_core.studies.tuning import Tried
from pages._ui.text.widgets import plain
from pages._ui.work import jobs, results
from pages._ui.work.job import Job


@dataclass(frozen=True, eq=False)
class Built:
    """A built index: its parameters, seed, Structure, and the seconds it took.

    One that came from a `file` has the name of that; how long it took to build is not known then,
    so that it is within no limit: infinity.
    """

    index: Index
    seed: int
    structure: Any
    seconds: float
    file: str = ""

    @property
    def took(self) -> str:
        """How it came to be here, in a few words of Markdown."""
        return f"opened from {plain(self.file)}" if self.file else f"built in {self.seconds:.2g} s"


@dataclass(frozen=True, eq=False)
class Measurement:
    """An index on a data set, built with a seed and asked for K answers: everything that counts.

    `opened` names the content of the file it was opened from, "" for one built here: what a visitor
    opened is not what others get.
    """

    dataset: Dataset
    index: Index
    seed: int
    K: int
    opened: str = ""

    @property
    def build_key(self) -> Hashable:
        """Names the Structure: items, build parameters, seed."""
        name = structure_name(self.dataset, self.index, self.seed)
        return ("build", *name, *filter(None, [self.opened]))

    @property
    def key(self) -> Hashable:
        """Names the Evaluation: items, queries, all parameters, seed, and K where it matters."""
        data = (self.dataset.fingerprint, self.dataset.query_fingerprint)
        asked = (self.index, self.K * self.index.depends_on_k)
        return ("evaluation", *data, *asked, *filter(None, [self.opened]), self.seed)

    @property
    def label(self) -> str:
        """What a progress line calls it."""
        return f"{self.index.label}, {index_in_words(self.index, self.dataset.n)}"

    @property
    def built(self) -> Built | None:
        """The built index, if it is remembered."""
        found: Built | None = results.recall(self.build_key)
        return found

    @property
    def tried(self) -> Tried | None:
        """The evaluated index and what it cost to build, if it is remembered."""
        found: Tried | None = results.recall(self.key)
        return found

    @property
    def evaluation(self) -> Evaluation | None:
        """The evaluated index, if it is remembered."""
        return None if self.tried is None else self.tried.evaluation

    @property
    def unsettled(self) -> bool:
        """Whether it is still to come: neither known nor cancelled, failed or without room."""
        job = self.job
        if self.tried is not None or results.crowded(self.key):
            return False
        return job is None or job.active or job.state == "done"

    @property
    def job(self) -> Job | None:
        """The job that measures it, if there is one."""
        return jobs.find(self.key)

    def start(self, owner: str, wanted: float = 0) -> Job:
        """Build the index if need be and ask it at every effort, as a job."""
        return jobs.start(
            self.key, self.label, lambda progress: measure(self, progress), owner, wanted
        )

    def ask_again(self) -> None:
        """Let what was cancelled or failed be started anew."""
        if self.job is not None:
            jobs.forget(self.job)


def structure_name(dataset: Dataset, index: Index, seed: int) -> tuple[Hashable, ...]:
    """Names what `index` builds of the items of `dataset` with `seed`."""
    return dataset.fingerprint, index.structure_key(), seed


def measure(asked: Measurement, progress: Progress) -> Tried:
    """The work of a job; what is remembered of it is not done again."""
    made = build(asked, span(progress, 0.0, 0.85))
    truth = truth_for(asked.dataset, span(progress, 0.85, 0.92))
    searcher = asked.index.searcher(made.structure)
    report = span(progress, 0.92, 1.0)
    evaluation = evaluate(asked.index, searcher, truth, asked.seed, report, asked.K)
    return Tried(evaluation, made.seconds, byte_size(made.structure))


def build(asked: Measurement, progress: Progress) -> Built:
    """The built index, built once while it is remembered."""
    found = asked.built
    if found is None:
        began = perf_counter()
        structure = asked.index.build(asked.dataset.items, rng_for(asked.seed), progress)
        found = Built(asked.index, asked.seed, structure, perf_counter() - began)
        results.remember(asked.build_key, found)
    return found


def truth_for(dataset: Dataset, progress: Progress) -> Truth:
    """The true answers of the queries of `dataset`, found once."""
    key = ("truth", dataset.fingerprint, dataset.query_fingerprint)
    found: Truth | None = results.recall(key)
    if found is None:
        found = truth_of(dataset, progress)
        results.remember(key, found)
    return found
