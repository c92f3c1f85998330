"""The true answers of a query beside what an index returned, as tables."""

from typing import Any

import pandas as pd
import streamlit as st

from mips_core import Index
from mips_core.answers import NEVER, Answers, Question, Ranked
from mips_core.metrics import measure_of, shown
from pages._ui import search_softmax, session
from pages._ui.data_facts import as_text

MOST_ROWS, MOST_HEIGHT = 20, 560  # more rows than these scroll in so many px
Columns = dict[str, Any]


def draw(question: Question, answers: Answers, index: Index) -> None:
    """Both tables, side by side where there is room; a row is a place."""
    dataset, K, returned = session.current().dataset, len(answers.found), answers.returned
    true_shares: Columns = {}
    returned_shares: Columns = {}
    if dataset.logits:
        search_softmax.choose()
        used = search_softmax.as_chosen(dataset, question, returned)
        search_softmax.say(used, dataset, len(returned.ids))
        true_shares["probability"] = search_softmax.exact(dataset, question, answers.true)
        returned_shares["probability"] = used.values
    left, right = st.columns(2, gap="medium")
    with left:
        st.subheader(f"The true top {K}", anchor=False)
        _table(question, answers.true, _found(answers), true_shares | _found_from(answers, index))
    with right:
        st.subheader("What the index returned", anchor=False)
        if len(returned.ids):
            _table(question, returned, _true_rank(answers), returned_shares)
        if len(returned.ids) < K:
            st.caption(
                f"The index proposed {len(returned.ids)} of the {K} answers asked for. At another "
                "effort it may propose more."
            )


def _found(answers: Answers) -> Columns:
    return {"answer": ["✓ found" if found else "✕ missed" for found in answers.found]}


def _found_from(answers: Answers, index: Index) -> Columns:
    """The effort from which on each true answer is found, where more effort never loses one."""
    if answers.found_from is None:
        return {}
    one, many = index.effort_nouns
    return {
        "found from": [
            "never" if effort == NEVER else f"{effort:,} {one if effort == 1 else many} on"
            for effort in answers.found_from
        ]
    }


def _true_rank(answers: Answers) -> Columns:
    """Which true answer each returned item is, or that it only ties with the last of them."""
    ranks = {int(item): f"✓ {rank}" for rank, item in enumerate(answers.true.ids, 1)}
    others = ["= equal score" if right else "✕ not true" for right in answers.right]
    return {
        "true rank": [
            ranks.get(int(item), other)
            for item, other in zip(answers.returned.ids, others, strict=True)
        ]
    }


def _table(question: Question, ranked: Ranked, first: Columns, last: Columns) -> None:
    """A row a place: rank, `first`, label, row of the item, score as people know it, `last`."""
    dataset = session.current().dataset
    measure = measure_of(dataset).label
    columns: Columns = {"rank": range(1, len(ranked.ids) + 1), **first}
    if dataset.labels is not None:
        columns["label"] = [as_text(dataset.labels[item]) for item in ranked.ids]
    scores = shown(dataset, question.query[None], ranked.scores[None])[0]
    columns |= {"row": ranked.ids, measure: scores, **last}
    number, text = st.column_config.NumberColumn, st.column_config.TextColumn
    st.dataframe(
        pd.DataFrame(columns),
        hide_index=True,
        height="content" if len(ranked.ids) <= MOST_ROWS else MOST_HEIGHT,
        column_config={
            "rank": number(width=40),
            "answer": text(width=76),
            "label": text(width=84),
            "row": number(format="localized", width=58),
            measure: number(format="%.4g", width=58 if dataset.logits else None),
            "probability": number(format="%.3g", width=80),
            "found from": text(width=96),
        },
    )
