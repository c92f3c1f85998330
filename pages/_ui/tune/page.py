"""Tune as one piece: what is needed on the left, the answer beside it, both live."""

import streamlit as st

from mips_core.base.text import counted, duration
from mips_core.studies.tuning.wording import samples_in_words
from pages._ui.parts import progress
from pages._ui.parts.watch import watch_jobs
from pages._ui.state import app_state
from pages._ui.state.session import Session
from pages._ui.tune import growth, need, recommendation, search


def draw() -> None:
    """The page; looks again while something is under way."""
    watching = _watching(app_state.current())
    watch_jobs(_draw, progress.LOOK if watching else None, watching)


def _watching(session: Session) -> bool:
    return search.watching(session) or growth.under_way(session)


def _draw(watched: bool) -> None:
    session = app_state.current()
    need.take(session)
    if search.under_way(session):
        search.go_on(session)
    left, right = st.columns([1, 2.75], gap="large")
    with left:
        sliders = need.draw(session)
        if search.under_way(session):
            look = search.samples(session)
            if look is not None and look.result is None:
                progress.bar(look.job, "tune cancel samples", "Samples first", wide=False)
            so_far = "What is shown is provisional: the rest may make it cheaper or dearer."
            progress.draw(list(search.wanted(session)), "indexes", so_far, wide=False)
    with right:
        answer = recommendation.answer_of(session)
        recommendation.draw(session, answer)
    if answer is not None:
        left.caption(_effort(session, answer))
        growth.draw(session, answer)
    app_state.publish()
    with sliders:  # last: a move that is under way is followed by the next
        need.sliders(session)
    if _watching(session) != watched:  # at the end: of a run that stops early the rest would go
        st.rerun()


def _effort(session: Session, answer: recommendation.Answer) -> str:
    """What the answer rests on."""
    trials, wanted = search.tried_of(session), len(search.wanted(session))
    structures = {tried.evaluation.index.structure_key(): tried.seconds for tried in trials}
    text = (
        f"{counted(answer.n_settings, 'index', 'indexes')} built in "
        f"{duration(sum(structures.values()))} and tried at "
        f"{counted(answer.n_efforts, 'effort', 'efforts')} in all. Chosen on "
        f"{answer.m_tuning:,} queries, scored on the other {answer.m_held_out:,}."
    )
    text = " ".join(filter(None, (text, samples_in_words(answer))))
    if search.watching(session):
        return text
    if len(trials) < wanted:
        text += f" The search would try {counted(wanted - len(trials), 'index', 'indexes')} more."
    elif not search.under_way(session):
        text += " The search would try others that lie between them."
    return text
