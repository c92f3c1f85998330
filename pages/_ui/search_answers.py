"""What the Search page shows of one query, and of all queries, under one slider of efforts."""

import streamlit as st

from mips_core import MipsError
from mips_core.answers import Question
from pages._ui import (
    build_view,
    curve_view,
    diagnosis_view,
    kept_index,
    search_message,
    search_softmax,
    search_tables,
    search_work,
    session,
)
from pages._ui.choices import Session
from pages._ui.elements.search_answers import answers_element
from pages._ui.elements.value_slider import moved_to
from pages._ui.widgets import refusal
from pages._ui.work import Measurement

ELEMENT = "search answers"


def draw(name: str, question: Question | None) -> None:
    """The answers of the index under the slider; what it is waiting for until it is built.

    `name` of the question as text; without one, what all queries tell.
    """
    state = _coming(session.current(), question)
    st.fragment(_draw, run_every=0.4 if any(state) else None)(name, question, state)


def _draw(name: str, question: Question | None, before: tuple[bool, bool, bool]) -> None:
    kept_index.choose(width=620)
    chosen = session.current()
    measured = chosen.asked_of(chosen.index)
    if _waiting(chosen, measured) or measured.built is None:
        build_view.unbuilt(measured)
    elif question is not None:
        _answers(chosen, measured, name, question)
    session.publish()
    diagnosis_view.draw(chosen)
    if _coming(session.current(), question) != before:
        st.rerun()


def _coming(chosen: Session, question: Question | None) -> tuple[bool, bool, bool]:
    """Whether the index, something of this query, and something of all is still to come."""
    measured = chosen.asked_of(chosen.index)
    waiting, of_all = _waiting(chosen, measured), diagnosis_view.coming(chosen)
    if waiting or question is None or measured.built is None:
        return waiting, False, of_all
    try:
        return False, not search_work.ask(chosen, measured, question).complete, of_all
    except MipsError:  # said where the answers would be
        return False, False, of_all


def _waiting(chosen: Session, measured: Measurement) -> bool:
    """Whether the index is still to be built, or where its slider starts is still to be known."""
    under_way = measured.start(chosen.owner, -1).active
    known = chosen.effort > 0 or measured.evaluation is not None
    return under_way and not (measured.built is not None and known)


def _answers(chosen: Session, measured: Measurement, name: str, question: Question) -> None:
    try:
        asked = search_work.ask(chosen, measured, question)
    except MipsError as error:
        st.error(refusal(error))
        return
    if asked.answered is None:
        st.container(height=560, border=True).caption("The search is being followed.")
        return
    if chosen.dataset.logits:
        search_softmax.choose()
    efforts = [int(effort) for effort in asked.answered.efforts]
    effort = _effort(chosen, efforts, measured)
    answers_element(search_message.message_of(name, asked, asked.answered, effort), key=ELEMENT)
    search_tables.draw_download(asked, asked.answered, effort)


def _effort(chosen: Session, efforts: list[int], measured: Measurement) -> int:
    """Where the slider stands: where it was moved to, or where another page left it."""
    moved = moved_to(efforts, key=ELEMENT)
    if moved is not None:
        chosen.effort = moved
    curve = measured.evaluation.curve((chosen.K,)) if measured.evaluation else None
    wanted = chosen.effort or curve_view.usual_effort(curve, chosen.K)
    return max((step for step in efforts if step <= wanted), default=efforts[0])
