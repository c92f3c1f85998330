"""Softmax probabilities beside logits: by which denominator, and how sure that is."""

import streamlit as st

from mips_core import Dataset
from mips_core.answers import Question, Ranked
from mips_core.arrays import Floats
from mips_core.softmax import Probabilities, probabilities
from pages._ui import session

DENOMINATORS = {
    "all": "Full",
    "sample": "Estimated from top K and a sample",
}
SAMPLE = 1_000  # classes drawn beside those returned


def choose() -> None:
    """Draw the choice of the denominator for what the index returned."""
    chosen = session.current()
    session.set_widget("search denominator", chosen.denominator)
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


def exact(dataset: Dataset, question: Question, ranked: Ranked) -> Floats:
    """(r,) probabilities of the ranked classes, divided by the sum over all."""
    return probabilities(dataset.items, question.query, ranked.ids).values


def as_chosen(dataset: Dataset, question: Question, ranked: Ranked) -> Probabilities:
    """The same by the denominator that was chosen."""
    chosen = session.current()
    sample = SAMPLE if chosen.denominator == "sample" else None
    return probabilities(dataset.items, question.query, ranked.ids, sample=sample, seed=chosen.seed)


def say(found: Probabilities, dataset: Dataset, returned: int) -> None:
    """Which denominator the probabilities have, how sure it is, and what softmax does not do."""
    if found.sampled is None:
        used = f"Every probability is divided by the sum over all {dataset.n:,} classes."
    else:
        used = (
            f"What the index returned is divided by an estimate from the {returned} classes "
            f"returned and {found.sampled:,} of the {dataset.n - returned:,} others, drawn with "
            f"seed {session.current().seed}. Its standard error is {found.standard_error:.2%}, so "
            "each of these probabilities is uncertain by that share of itself. The true "
            f"answers are divided by the sum over all {dataset.n:,} classes."
        )
    st.caption(
        f"Softmax does not change the ranking: a larger logit is a larger probability. {used}"
    )


def _take() -> None:
    session.current().denominator = session.widget("search denominator")
