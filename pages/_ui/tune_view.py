"""Tune as one piece: what is needed on the left, the answer beside it, both live."""

import streamlit as st

from mips_core.base.text import counted, duration
from pages._ui import (
    measuring,
    scaling_view,
    scaling_work,
    session,
    tune_answer,
    tune_need,
    tune_search,
)
from pages._ui.choices import Session


def draw() -> None:
    """The page; looks twice a second while something is under way."""
    watching = _watching(session.current())
    st.fragment(_draw, run_every=0.5 if watching else None)(watching)


def _watching(chosen: Session) -> bool:
    return tune_search.watching(chosen) or scaling_work.under_way(chosen)


def _draw(watched: bool) -> None:
    chosen = session.current()
    tune_need.take(chosen)
    if tune_search.under_way(chosen):
        tune_search.go_on(chosen)
    if _watching(chosen) != watched:
        st.rerun()
    left, right = st.columns([1, 2.75], gap="large")
    with left:
        sliders = tune_need.draw(chosen)
        if tune_search.under_way(chosen):
            so_far = "The best so far is shown; the rest may better it."
            measuring.draw(list(tune_search.wanted(chosen)), "indexes", so_far, wide=False)
    with right:
        answer = tune_answer.answer_of(chosen)
        tune_answer.draw(chosen, answer)
    if answer is not None:
        left.caption(_effort(chosen, answer))
        scaling_view.draw(chosen, answer)
    session.publish()
    with sliders:  # last: a move that is under way is followed by the next
        tune_need.sliders(chosen)


def _effort(chosen: Session, answer: tune_answer.Answer) -> str:
    """What the answer rests on."""
    known, wanted = tune_search.known(chosen), len(tune_search.wanted(chosen))
    structures = {tried.evaluation.index.structure_key(): tried.seconds for tried in known}
    text = (
        f"{counted(answer.n_efforts, 'setting', 'settings')} of "
        f"{counted(answer.n_settings, 'index', 'indexes')} tried, built in "
        f"{duration(sum(structures.values()))}. Chosen on {answer.m_tuning:,} queries, scored on "
        f"the other {answer.m_held_out:,}."
    )
    if tune_search.watching(chosen):
        return text
    if len(known) < wanted:
        text += f" The search would try {counted(wanted - len(known), 'index', 'indexes')} more."
    elif not tune_search.under_way(chosen):
        text += " The search would try others that lie between them."
    return text
