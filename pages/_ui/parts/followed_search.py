"""A search that is followed over all its efforts, and the groups it goes through, each once."""

from mips_core import Dataset
from mips_core.base.progress import Progress
from mips_core.groups.clusters import GroupLevel, describe
from mips_core.groups.typed_queries.one_query import Question, Ranked, true_answers
from mips_core.studies.misses import FollowedSearch, follow
from pages._ui.elements.blobs import Blob, block
from pages._ui.state.session import Session
from pages._ui.work import results
from pages._ui.work.measurement import Measurement
from pages._ui.work.task import Task, is_quick, items_name, once


def labels(dataset: Dataset) -> Blob | None:
    """The labels of the items for the browser."""
    return block(("labels", items_name(dataset)), dataset.labels) if dataset.labels else None


def levels(measurement: Measurement) -> Task[tuple[GroupLevel, ...]]:
    """The groups of a built index, described."""

    def make(progress: Progress) -> tuple[GroupLevel, ...]:
        return describe(
            measurement.searcher(), measurement.index, measurement.dataset, progress=progress
        )

    texts = labels(measurement.dataset)
    key = ("map levels", measurement.building.key, measurement.index, texts and texts.address)
    return Task(key, "Clusters of the map", make, "show", is_quick(measurement.dataset))


def known_levels(session: Session) -> tuple[GroupLevel, ...]:
    """Those of the index under the slider; none before it was built and described."""
    return results.recall(levels(session.measurement_of(session.index)).key) or ()


def true_of(dataset: Dataset, question: Question) -> Ranked:
    """Exact search, done once for a query."""
    name = (question.query.tobytes(), question.K, question.exclude)
    key = ("true answers", items_name(dataset), *name)
    return once(key, lambda: true_answers(dataset.items, question))


def followed(
    measurement: Measurement, question: Question, true: Ranked, levels: tuple[GroupLevel, ...]
) -> Task[FollowedSearch]:
    """One search at every effort."""

    def make(progress: Progress) -> FollowedSearch:
        searcher = measurement.searcher()
        return follow(searcher, measurement.index, measurement.dataset, question, true, levels)

    query = (question.query.tobytes(), question.K, question.exclude)
    key = ("map search", measurement.building.key, measurement.index, *query)
    return Task(key, "A search on the map", make, "show", is_quick(measurement.dataset))
