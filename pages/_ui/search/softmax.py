"""Softmax probabilities beside logits: by which denominator, and how sure that is."""

from typing import Any

import numpy as np
import streamlit as st

from mips_core import Dataset
from mips_core.groups.typed_queries.one_query import Question, Ranked
from mips_core.studies.misses import AnswersByEffort
from mips_core.studies.softmax import Probabilities, probabilities
from pages._ui.state import app_state
from pages._ui.work.task import items_name, once

DENOMINATORS = {
    "all": "Full",
    "sample": "Estimated from top K and a sample",
}
SAMPLE = 1_000  # classes drawn beside those returned


def choose() -> None:
    """Draw the choice of the denominator for what the index returned."""
    session = app_state.current()
    app_state.set_widget("search denominator", session.denominator)
    st.segmented_control(
        "Denominator of the returned classes",
        DENOMINATORS,
        format_func=DENOMINATORS.__getitem__,
        key="search denominator",
        on_change=_take,
        required=True,
        help="The full denominator sums over every class: as many inner products as exact search. "
        f"The estimate sums over the returned classes and {SAMPLE:,} others drawn with the seed, "
        "scaled up to all.",
    )


def columns(dataset: Dataset, question: Question, answers: AnswersByEffort) -> dict[str, Any]:
    """Probabilities of the true answers (K,) and of what is returned (p, K), NaN where nothing is.

    And for each effort a note on the denominator. Nothing where items are no classes.
    """
    if not dataset.logits:
        return {"trueShares": None, "returnedShares": None, "notes": []}
    session = app_state.current()
    query = (question.query.tobytes(), question.K, question.exclude)
    built = (answers.returned.tobytes(), session.denominator, session.seed)
    key = ("probabilities", items_name(dataset), *query, *built)
    every: dict[str, Any] = once(key, lambda: _columns(dataset, question, answers))
    return every


def _columns(dataset: Dataset, question: Question, answers: AnswersByEffort) -> dict[str, Any]:
    true = probabilities(dataset.items, question.query, answers.true.ids)
    shares, notes = np.full(answers.returned.shape, np.nan), []
    for at, ids in enumerate(answers.returned):
        returned = ids[ids >= 0]
        ranked = Ranked(returned, answers.scores[at, ids >= 0])
        estimate = _as_chosen(dataset, question, ranked, true)
        shares[at, : len(returned)] = estimate.values
        notes.append(_note(estimate, dataset, len(returned)))
    return {"trueShares": true.values, "returnedShares": shares, "notes": notes}


def _as_chosen(
    dataset: Dataset, question: Question, ranked: Ranked, true: Probabilities
) -> Probabilities:
    """Of the ranked classes, by the denominator that was chosen."""
    session = app_state.current()
    if session.denominator == "sample":
        return probabilities(
            dataset.items, question.query, ranked.ids, sample=SAMPLE, seed=session.seed
        )
    values = np.exp(ranked.scores - true.log_denominator)
    return Probabilities(values, true.log_denominator, None, 0.0)


def _note(estimate: Probabilities, dataset: Dataset, returned: int) -> str:
    """Which denominator the probabilities have, how sure it is, and what softmax does not do."""
    if estimate.sampled is None:
        used = f"Every probability is divided by the sum over all {dataset.n:,} classes."
    else:
        used = (
            f"What the index returned is divided by an estimate from the {returned} classes "
            f"returned and {estimate.sampled:,} of the {dataset.n - returned:,} others, drawn "
            f"with seed {app_state.current().seed}. Its standard error is "
            f"{estimate.standard_error:.2%}, so each of these probabilities is uncertain by that "
            "share of itself. The true "
            f"answers are divided by the sum over all {dataset.n:,} classes."
        )
    return f"Softmax does not change the ranking: a larger logit is a larger probability. {used}"


def _take() -> None:
    app_state.current().denominator = app_state.widget("search denominator")
