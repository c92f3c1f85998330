"""What one query pays, with the index under the slider and without, as a sentence."""

import numpy as np

from mips_core.base.text import counted
from mips_core.evaluation.setting import position_of
from mips_core.groups.typed_queries.one_query import question_of_query
from pages._ui.parts import drawn_curves, followed_search
from pages._ui.state.session import Session
from pages._ui.text.dataset_words import name_of_query


def sentence(session: Session, query: int) -> str:
    """Of the query of this number, in Markdown; "" until the index is measured here."""
    measurement = session.measurement_of(session.index)
    evaluation = measurement.evaluation
    if evaluation is None or measurement.built is None:
        return ""
    dataset, K = session.dataset, session.K
    usual = drawn_curves.usual_effort(evaluation.curve((K,)), K)
    effort = evaluation.efforts[position_of(session.effort or usual, evaluation.efforts)]
    question = question_of_query(dataset, query, K)
    true = followed_search.true_of(dataset, question)
    asked = measurement.searcher().candidates(
        question.query[None], int(effort), K + len(question.exclude)
    )
    found = np.isin(true.ids, asked.ids).sum()
    return (
        f"For **{name_of_query(dataset, query)}** exact search computes "
        f"{counted(dataset.n, 'inner product', 'inner products')}. This index computes "
        f"**{asked.cost[0]:,.0f}** and finds **{found} of the {len(true.ids)}** largest."
    )
