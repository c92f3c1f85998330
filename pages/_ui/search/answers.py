"""What the Search page shows of one query, and of all queries, under one slider of efforts."""

from dataclasses import replace
from typing import Any

import numpy as np
import streamlit as st

from mips_core import MipsError
from mips_core.base.text import counted
from mips_core.data.metrics import measure_of, shown
from mips_core.groups.typed_queries.one_query import Question
from mips_core.studies.misses import AnswersByEffort
from pages._ui.elements.search_answers import answers_element, asks_for_map
from pages._ui.elements.value_slider import moved_to, value_slider
from pages._ui.parts import built_index, progress, result_table
from pages._ui.parts.data_export import file_stem
from pages._ui.parts.drawn_curves import usual_effort
from pages._ui.parts.watch import watch_jobs
from pages._ui.search import all_queries, diagnosis_tables, message, softmax, work
from pages._ui.search.work import QueryAnswers
from pages._ui.state import app_state
from pages._ui.state.session import Session
from pages._ui.text.widgets import PAGES, refusal
from pages._ui.work.measurement import Measurement

ELEMENT, SLIDER, TAB = "search answers", "search effort", "search tab"
TABS = ("One query", "All queries")


def draw(name: str, question: Question | None) -> None:
    """The answers of the index under the slider; what it is waiting for until it is built.

    `name` of the question as text. What all queries tell stands in a tab of its own.
    """
    state = _coming(app_state.current(), question)
    pace = progress.EAGER if any(state[:2]) else progress.LOOK if any(state) else None
    watch_jobs(_draw, pace, name, question, state)


def _draw(name: str, question: Question | None, before: tuple[bool, bool, bool]) -> None:
    diagnosis_tables.reopen()
    session = app_state.current()
    measured = session.measurement_of(session.index)
    one, every = st.tabs(TABS, key=TAB, on_change="rerun")
    with every if every.open else one:
        place, effort = st.container(), None
    with place:
        if _waiting(session, measured) or measured.built is None:
            built_index.unbuilt(measured)
        elif every.open:
            effort = _effort(session, _efforts(measured), measured, SLIDER)
        elif question is not None:
            _answers(session, measured, name, question)
    app_state.publish()
    if every.open:
        with every:
            all_queries.draw(session)
    if effort is not None:  # after what it leads to
        with place:
            _slider(measured, effort)
    if _coming(app_state.current(), question) != before:
        st.rerun()


def _coming(session: Session, question: Question | None) -> tuple[bool, bool, bool]:
    """Whether the index, something of this query, and something of all is still to come."""
    measured = session.measurement_of(session.index)
    waiting, of_all = _waiting(session, measured), all_queries.coming(session)
    if waiting or question is None or measured.built is None:
        return waiting, False, of_all
    try:
        return False, not work.ask(session, measured, question).complete, of_all
    except MipsError:  # said where the answers would be
        return False, False, of_all


def _waiting(session: Session, measured: Measurement) -> bool:
    """Whether the index is still to be built, or where its slider starts is still to be known."""
    under_way = measured.start(session.owner, -1).active
    start_known = session.effort > 0 or measured.evaluation is not None
    return under_way and not (measured.built is not None and start_known)


def _answers(session: Session, measured: Measurement, name: str, question: Question) -> None:
    """The answers, or why there are none yet, or none at all."""
    try:
        query = work.ask(session, measured, question)
    except MipsError as error:
        st.error(refusal(error))
        return
    if query.answered is None:
        st.container(height=560, border=True).caption("The search is being followed.")
        return
    if session.dataset.logits:
        softmax.choose()
    efforts = [int(effort) for effort in query.answered.efforts]
    shown_on_map = asks_for_map(key=ELEMENT)
    effort = _effort(session, efforts, measured, ELEMENT)
    if shown_on_map:
        session.states["map"] = replace(session.states["map"], follow=True)
        st.switch_page(PAGES / "map.py")
    answers_element(message.message_of(name, query, query.answered, effort), key=ELEMENT)
    _draw_file(query, query.answered, effort)


def _efforts(measured: Measurement) -> list[int]:
    """Those of an index that is built."""
    return [int(effort) for effort in measured.searcher().efforts()]


def _slider(measured: Measurement, effort: int) -> None:
    """The slider of efforts over what all queries tell."""
    efforts, index = _efforts(measured), measured.index
    if len(efforts) > 1:
        value_slider(
            index.effort_name,
            efforts,
            effort,
            key=SLIDER,
            text=lambda step: f"{step:,} of {efforts[-1]:,}",
            spoken=lambda step: counted(step, *index.effort_nouns),
            help=index.effort_help,
        )


def _effort(session: Session, efforts: list[int], measured: Measurement, key: str) -> int:
    """Where the slider stands: where it was moved to, or where another page left it."""
    moved = moved_to(efforts, key=key)
    if moved is not None:
        session.effort = moved
    curve = measured.evaluation.curve((session.K,)) if measured.evaluation else None
    wanted = session.effort or usual_effort(curve, session.K)
    return max((step for step in efforts if step <= wanted), default=efforts[0])


def _draw_file(answered: QueryAnswers, answers: AnswersByEffort, effort: int) -> None:
    """A button for what the tables hold; the file is made when it is asked for."""
    name = f"answers-{file_stem(app_state.current())}"
    result_table.draw_csv(
        "search", name, lambda: columns_of(answered, answers, effort), "Answers (CSV)"
    )


def columns_of(answered: QueryAnswers, answers: AnswersByEffort, effort: int) -> dict[str, Any]:
    """A row for each place, by column; text as it is."""
    at, dataset = int(np.searchsorted(answers.efforts, effort)), answered.measured.dataset
    query, measure = answered.question.query[None], measure_of(dataset).label
    kinds = {
        "true": (answers.true.ids, answers.true.scores),
        "returned": (answers.returned[at], answers.scores[at]),
    }
    columns: dict[str, Any] = {"place": range(1, len(answers.true.ids) + 1)}
    for kind, (ids, scores) in kinds.items():
        columns |= _items(f"{kind} ", ids, dataset.labels)
        columns[f"{kind} {measure}"] = np.where(
            ids >= 0, shown(dataset, query, scores[None])[0], np.nan
        )
    columns["found"] = answers.found[at]
    columns |= _items("in its place ", answers.instead[at], dataset.labels)
    columns["lost"] = answers.losses[at]
    if answered.followed is not None:
        columns["why"] = answered.followed.why
    return columns


def _items(prefix: str, ids: Any, labels: Any) -> dict[str, Any]:
    """Row and label of each of ids (K,), -1 for none."""
    rows = {f"{prefix}row": ["" if item < 0 else item for item in ids]}
    if labels is not None:
        rows[f"{prefix}label"] = ["" if item < 0 else labels[item] for item in ids]
    return rows
