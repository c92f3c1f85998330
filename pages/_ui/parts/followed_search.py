"""A search that is followed over all its efforts, and the groups it goes through, each once."""

from mips_core import Dataset, Searcher
from mips_core.base.progress import Progress, silent
from mips_core.evaluation.one_query import Question, Ranked
from mips_core.groups.clusters import GroupLevel, describe
from mips_core.studies.misses.following import FollowedSearch, follow
from pages._ui.elements.blobs import Blob
from pages._ui.parts.map_blocks import block
from pages._ui.state.session import Session
from pages._ui.work import measurement, results
from pages._ui.work.measurement import Measurement
from pages._ui.work.piece import Piece, is_quick


def searcher_of(asked: Measurement) -> Searcher:
    """How a built index is asked."""
    built = measurement.build(asked, silent)
    return asked.index.searcher(built.structure)


def labels(dataset: Dataset) -> Blob | None:
    """The labels of the items for the browser."""
    return block(("labels", dataset.fingerprint), dataset.labels) if dataset.labels else None


def levels(asked: Measurement) -> Piece:
    """The groups of a built index, described."""

    def make(progress: Progress) -> tuple[GroupLevel, ...]:
        return describe(searcher_of(asked), asked.index, asked.dataset, progress=progress)

    texts = labels(asked.dataset)
    key = ("map levels", asked.build_key, asked.index, texts and texts.address)
    return Piece(key, "Clusters of the map", make, quick=is_quick(asked.dataset))


def known_levels(session: Session) -> tuple[GroupLevel, ...]:
    """Those of the index under the slider; none before it was built and described."""
    return results.recall(levels(session.asked_of(session.index)).key) or ()


def followed(
    asked: Measurement, question: Question, true: Ranked, levels: tuple[GroupLevel, ...]
) -> Piece:
    """One search at every effort."""

    def make(progress: Progress) -> FollowedSearch:
        searcher = searcher_of(asked)
        return follow(searcher, asked.index, asked.dataset, question, true, levels)

    query = (question.query.tobytes(), question.K, question.exclude)
    key = ("map search", asked.build_key, asked.index, *query)
    return Piece(key, "A search on the map", make, quick=is_quick(asked.dataset))
