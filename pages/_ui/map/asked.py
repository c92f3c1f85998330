"""The search that is followed on the map: what is asked, and what the index finds of it."""

from dataclasses import dataclass

import numpy as np

from mips_core import Dataset
from mips_core.base.arrays import Floats
from mips_core.base.kernels import score_rows
from mips_core.data.metrics import shown
from mips_core.evaluation.one_query import Question, Ranked, true_answers
from mips_core.groups.clusters import GroupLevel
from mips_core.studies.misses.following import FollowedSearch
from pages._ui.parts import followed_search
from pages._ui.parts.question import question as search_query
from pages._ui.parts.question.question import Picked
from pages._ui.state.session import Session
from pages._ui.work.measurement import Measurement
from pages._ui.work.piece import once


@dataclass(frozen=True, eq=False)
class Search:
    """The search that is followed: what is asked, and what the index under the slider finds."""

    asked: Picked
    question: Question
    true: Ranked
    found: FollowedSearch | None  # None while it is not known

    def scores(self, dataset: Dataset) -> Floats:
        """(n,) how each item of `dataset` scores for the query, as its metric calls it."""
        query, items = self.question.query, dataset.items
        key = ("map scores", dataset.fingerprint, query.tobytes())
        scores = once(key, lambda: score_rows(items, query, np.arange(len(items))))
        return shown(dataset, query[None], scores[None])[0]


def search_of(
    session: Session, measured: Measurement, levels: tuple[GroupLevel, ...]
) -> Search | None:
    """The query that is followed, found or not; None where it ranks nothing."""
    asked = search_query.picked(session)
    question = search_query.question_of(session, asked)
    if question is None:
        return None
    exact = (session.dataset.fingerprint, question.query.tobytes(), question.K, question.exclude)
    true = once(("true answers", *exact), lambda: true_answers(session.dataset.items, question))
    found, job = None, measured.job
    known = session.effort or measured.evaluation or job is None or not job.active
    if levels and known:  # else the slider would jump to where it starts
        found = followed_search.followed(measured, question, true, levels).ask(session.owner)
    return Search(asked, question, true, found)
