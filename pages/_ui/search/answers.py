"""What the Search page shows of one query, and of all queries, under one slider of efforts."""

import streamlit as st

from mips_core import MipsError
from mips_core.base.text import counted
from mips_core.evaluation.one_query import Question
from pages._ui.elements.search_answers import answers_element
from pages._ui.elements.value_slider import moved_to, value_slider
from pages._ui.parts import built_index, followed_search, kept_index
from pages._ui.parts import curve as curve_view
from pages._ui.search import diagnosis_view, message, softmax, tables
from pages._ui.search import work as search_work
from pages._ui.state import app_state
from pages._ui.state.session import Session
from pages._ui.text.widgets import refusal
from pages._ui.work.measurement import Measurement

ELEMENT, SLIDER = "search answers", "search effort"


def draw(name: str, question: Question | None) -> None:
    """The answers of the index under the slider; what it is waiting for until it is built.

    `name` of the question as text; without one, what all queries tell.
    """
    state = _coming(app_state.current(), question)
    st.fragment(_draw, run_every=0.4 if any(state) else None)(name, question, state)


def _draw(name: str, question: Question | None, before: tuple[bool, bool, bool]) -> None:
    kept_index.choose(width=620)
    session = app_state.current()
    measured = session.asked_of(session.index)
    place, effort = st.container(), None
    with place:
        if _waiting(session, measured) or measured.built is None:
            built_index.unbuilt(measured)
        elif question is None or not _answers(session, measured, name, question):
            effort = _effort(session, _efforts(measured), measured, SLIDER)
    app_state.publish()
    diagnosis_view.draw(session)
    if effort is not None:  # after what it leads to
        with place:
            _slider(measured, effort)
    if _coming(app_state.current(), question) != before:
        st.rerun()


def _coming(session: Session, question: Question | None) -> tuple[bool, bool, bool]:
    """Whether the index, something of this query, and something of all is still to come."""
    measured = session.asked_of(session.index)
    waiting, of_all = _waiting(session, measured), diagnosis_view.coming(session)
    if waiting or question is None or measured.built is None:
        return waiting, False, of_all
    try:
        return False, not search_work.ask(session, measured, question).complete, of_all
    except MipsError:  # said where the answers would be
        return False, False, of_all


def _waiting(session: Session, measured: Measurement) -> bool:
    """Whether the index is still to be built, or where its slider starts is still to be known."""
    under_way = measured.start(session.owner, -1).active
    known = session.effort > 0 or measured.evaluation is not None
    return under_way and not (measured.built is not None and known)


def _answers(session: Session, measured: Measurement, name: str, question: Question) -> bool:
    """Whether there are answers, or will be; else the reason is on the page."""
    try:
        asked = search_work.ask(session, measured, question)
    except MipsError as error:
        st.error(refusal(error))
        return False
    if asked.answered is None:
        st.container(height=560, border=True).caption("The search is being followed.")
        return True
    if session.dataset.logits:
        softmax.choose()
    efforts = [int(effort) for effort in asked.answered.efforts]
    effort = _effort(session, efforts, measured, ELEMENT)
    answers_element(message.message_of(name, asked, asked.answered, effort), key=ELEMENT)
    tables.draw_download(asked, asked.answered, effort)
    return True


def _efforts(measured: Measurement) -> list[int]:
    """Those of an index that is built."""
    return [int(effort) for effort in followed_search.searcher_of(measured).efforts()]


def _slider(measured: Measurement, effort: int) -> None:
    """The slider of efforts where no query is answered: what all queries tell hangs on it too."""
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
    wanted = session.effort or curve_view.usual_effort(curve, session.K)
    return max((step for step in efforts if step <= wanted), default=efforts[0])
