"""The long computations of the app, each named by its inputs: truth, build, evaluation."""

from collections.abc import Hashable
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from mips_core import Dataset, Evaluation, Index, Searcher, evaluate, truth_of
from mips_core.base.byte_size import byte_size
from mips_core.base.progress import Progress, silent, span
from mips_core.base.text import duration
from mips_core.evaluation import builder
from mips_core.evaluation.builder import Tried
from mips_core.evaluation.evaluate import folds_of
from mips_core.evaluation.setting import index_in_words
from mips_core.evaluation.truth import Truth
from mips_core.studies import forecast
from pages._ui.text.widgets import plain
from pages._ui.work import earlier, memory, parts_data
from pages._ui.work.earlier_store import files
from pages._ui.work.task import Task, items_name, once


@dataclass(frozen=True, eq=False)
class BuiltIndex:
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
        file, took = self.file, duration(self.seconds)
        return f"opened from {plain(file)}" if file else f"built in {took}"


class Measurement(Task[Tried]):
    """An index on a data set, built with a seed and asked for K answers at every effort.

    `opened` names the content of the file it was opened from, "" for one built here: what a visitor
    opened is not what others get. The build is a task of its own, which other queries share.
    """

    def __init__(self, dataset: Dataset, index: Index, seed: int, K: int, opened: str = "") -> None:
        self.dataset, self.index, self.seed, self.K = dataset, index, seed, K
        self.opened = opened
        label = f"{index.label}, {index_in_words(index, dataset.n)}"
        file = (opened,) if opened else ()
        building = self.building = Task(
            ("build", *structure_name(dataset, index, seed), *file),
            label,
            lambda progress: build(dataset, index, seed, progress),
        )
        super().__init__(
            ("evaluation", *data_name(dataset), index, K * index.depends_on_k, *file, seed),
            label,
            lambda progress: measure(building, dataset, index, seed, K, progress),
        )

    @property
    def built(self) -> BuiltIndex | None:
        """The built index, if it is remembered."""
        return self.building.result

    @property
    def evaluation(self) -> Evaluation | None:
        """The evaluated index, if it is remembered."""
        tried = self.result
        return None if tried is None else tried.evaluation

    @property
    def expected(self) -> float | None:
        """About how many seconds it takes, once it was measured how fast this machine is."""
        if not forecast.rate_is_known():
            return None
        dataset = self.dataset
        return forecast.forecast(self.index, dataset.n, dataset.d, dataset.m).seconds

    def searcher(self, progress: Progress = silent) -> Searcher:
        """How the index is asked; it is built where it is not remembered."""
        return self.index.searcher(self.building.here(progress).structure)


def data_name(dataset: Dataset) -> tuple[str, str]:
    """Names the items and the queries."""
    return items_name(dataset), dataset.query_fingerprint


def content_name(dataset: Dataset) -> tuple[str, str]:
    """The same for what is kept between runs, where all visitors are one person's."""
    return dataset.fingerprint, dataset.query_fingerprint


def structure_name(dataset: Dataset, index: Index, seed: int) -> tuple[Hashable, ...]:
    """Names what `index` builds of the items of `dataset` with `seed`."""
    return items_name(dataset), structure_key(index), seed


@lru_cache(maxsize=1024)  # asked for twice a setting at each drawing
def structure_key(index: Index) -> Hashable:
    """Names what `index` builds, as it does itself."""
    return index.structure_key()


memory.WHEN_ALONE.append(structure_key.cache_clear)


def truth_for(dataset: Dataset, progress: Progress) -> Truth:
    """The true answers of the queries of `dataset`, found once."""

    find = parts_data.truth_there if parts_data.on_cluster(dataset) else truth_of

    def make() -> Truth:
        return earlier.once_kept(
            dataset.fingerprint,
            ("truth", *content_name(dataset)),
            lambda path: files().load_truth(path, dataset),
            lambda path, truth: files().save_truth(path, truth),
            lambda: find(dataset, progress),
            mapped=dataset.is_mapped,
        )

    return once(("truth", *data_name(dataset)), make)


def build(dataset: Dataset, index: Index, seed: int, progress: Progress) -> BuiltIndex:
    """The work of a build, unless what was built is kept. Raises ParamError as `forecast` does."""

    def make() -> builder.Built:
        if parts_data.on_cluster(dataset):
            there = parts_data.built_there(dataset, index, seed, progress)
            if there is not None:
                return there
        forecast.refuse_too_large([index], dataset.n, dataset.d, dataset.m)
        forecast.rate()
        return builder.built(index, dataset.items, seed, progress)

    made = earlier.once_kept(
        dataset.fingerprint,
        ("build", dataset.fingerprint, index.structure_key(), seed),
        lambda path: files().load_built(path, index, seed, dataset),
        lambda path, made: files().save_built(path, index, made),
        make,
        mapped=dataset.is_mapped,
    )
    return BuiltIndex(index, seed, made.structure, made.seconds)


def measure(
    building: Task[BuiltIndex],
    dataset: Dataset,
    index: Index,
    seed: int,
    K: int,
    progress: Progress,
) -> Tried:
    """The work of a measurement; what is remembered of it, or kept, is not done again.

    What pages read off first is counted here, where they need not wait for it.
    """
    built = building.here(span(progress, 0.0, 0.85))  # perhaps by an index that is asked otherwise
    truth = truth_for(dataset, span(progress, 0.85, 0.92))

    def make() -> Tried:
        searcher = index.searcher(built.structure)
        evaluation = evaluate(index, searcher, truth, seed, span(progress, 0.92, 1.0), K)
        return Tried(evaluation, built.seconds, byte_size(built.structure))

    if built.file:  # what a visitor opened is not what others get
        return read_off(make(), K)
    asked = K if index.depends_on_k else None
    tried = earlier.once_kept(
        dataset.fingerprint,
        ("evaluation", *content_name(dataset), index, asked, seed),
        lambda path: files().load_tried(path, index, seed, truth, asked),
        lambda path, tried: files().save_tried(path, tried),
        make,
        mapped=dataset.is_mapped,
    )
    return read_off(tried, K)


def read_off(tried: Tried, K: int) -> Tried:
    """It, with what it finds at K of all queries, and of those that choose and that score."""
    evaluation = tried.evaluation
    for fold in dict.fromkeys((None, *folds_of(evaluation.truth.m))):
        evaluation.curve((K,), fold)
    return tried
