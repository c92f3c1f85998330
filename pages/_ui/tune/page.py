"""Tune as one piece: what is needed on the left, the answer beside it, both live."""

import streamlit as st

from mips_core import MipsError
from mips_core.base.text import counted, duration
from mips_core.studies.tuning.wording import samples_in_words
from pages._ui.parts import progress
from pages._ui.parts.watch import watch_jobs
from pages._ui.state import app_state
from pages._ui.state.session import Session
from pages._ui.text.widgets import refusal
from pages._ui.tune import answer, growth, need, on_all, recommendation, search


def draw() -> None:
    """The page; looks again while something is under way."""
    watching = _watching(app_state.current())
    watch_jobs(_draw, progress.LOOK if watching else None, watching)


def _watching(session: Session) -> bool:
    going_on = search.watching(session) or growth.under_way(session)
    return going_on or answer.under_way(session) or on_all.waits(session)


def _draw(watched: bool) -> bool:
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
        shown, another_comes = _draw_answer(session)
    if shown is not None:
        left.caption(_effort(session, shown))
        growth.draw(session, shown)
    on_all.draw(session)
    app_state.publish()
    with sliders:  # last: a move that is under way is followed by the next
        need.sliders(session)
    going_on = another_comes or _watching(session)
    if going_on != watched:  # at the end: of a run that stops early the rest would go
        st.rerun()
    return another_comes


def _draw_answer(session: Session) -> tuple[answer.Answer | None, bool]:
    """The answer and whether another is to come; why there is none where it could not be made."""
    try:
        shown, another_comes = answer.answer_so_far(session)
    except MipsError as error:
        st.error(f"**The answer could not be made.** {refusal(error)}")
        again = answer.ask_again
        if st.button("Try again", key="tune answer again", on_click=again, args=(session,)):
            st.rerun()
        return None, False
    recommendation.draw(session, shown)
    return shown, another_comes


def _effort(session: Session, shown: answer.Answer) -> str:
    """What the answer rests on."""
    trials, wanted = search.tried_of(session), len(search.wanted(session))
    structures = {tried.evaluation.index.structure_key(): tried.seconds for tried in trials}
    took = f" in {duration(sum(structures.values()))}" if shown.n_settings == len(trials) else ""
    sampled = samples_in_words(shown)
    if shown.on_samples and answer.is_scouted_for_another(session):
        others = counted(shown.on_samples, "other setting was", "other settings were")
        sampled = (
            f"{others} tried on samples alone, for another target than this: press *"
            f"{need.find_in_words(session)}* to look at samples for this one."
        )
    text = " ".join(filter(None, (recommendation.rests_on(shown, took), sampled)))
    if search.watching(session):
        return text
    if len(trials) < wanted:
        text += f" The search would try {counted(wanted - len(trials), 'index', 'indexes')} more."
    elif not search.under_way(session):
        text += " The search would try others that lie between them."
    return text
