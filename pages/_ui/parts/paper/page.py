"""The paper's experiments as the page places them: choices, the button, progress, what is known."""

import streamlit as st

from mips_core.base.params import params_of
from mips_core.base.text import counted
from mips_core.studies.paper.presets import PRESETS, WORD2VEC
from pages._ui.parts import fields, progress
from pages._ui.parts.paper import claims, figures, work
from pages._ui.parts.paper.figures import take
from pages._ui.parts.paper.work import ShownPaper
from pages._ui.parts.watch import watch_jobs
from pages._ui.state import app_state
from pages._ui.state.session import Session
from pages._ui.text.widgets import plain, short
from pages._ui.work.task import Task

SIZES = {"quick": "Quick", "full": "Full"}


def choose() -> None:
    """Which data, and how thoroughly."""
    session = app_state.current()
    state = work.state_of(session)
    with st.container(horizontal=True, vertical_alignment="top", gap="medium"):
        key = app_state.key_for("paper data", state.data)
        declared, words = params_of(state)["data"], _words(session)
        fields.box(declared, words, state.data, key, take, "data", key, width=380)
        key = app_state.key_for("paper size", state.size)
        fields.buttons(params_of(state)["size"], SIZES, state.size, key, take, "size", key)


def _words(session: Session) -> dict[str, str]:
    """Each experiment, by what it measures."""
    words = {
        name: f"Figure{'s' * (name == WORD2VEC)} {preset.figures}: {preset.paper}"
        for name, preset in sorted(PRESETS.items(), key=lambda one: one[0] != WORD2VEC)
    }
    own = f"Data in use: {short(session.source.name)}"
    return {**words, "all": "All of these", "own": own}


def draw() -> None:
    """All below the choices; looks again while the job is under way."""
    session = app_state.current()
    paper = work.paper_of(session)
    if paper.job is None and paper.result is None and work.dropped(session) == 0:
        paper.start(session.owner)  # nothing is measured: all of it is read
    if paper.active:
        session.want(work.PAGE, [paper.key])
    watch_jobs(_draw, progress.LOOK if paper.active else None, paper, paper.active)


def _draw(paper: Task[ShownPaper], before: bool) -> None:
    session = app_state.current()
    progress.bar(paper.job, "cancel paper")
    shown: ShownPaper | None = paper.so_far
    if not paper.active and paper.result is None:
        _ask(session, paper, shown)
    if shown is not None:
        figures.draw(shown, ready=not paper.active)
        if shown.rows:
            claims.draw(shown)
    app_state.publish()
    if paper.active != before:  # at the end: of a run that stops early the rest would go
        st.rerun()


def _ask(session: Session, paper: Task[ShownPaper], shown: ShownPaper | None) -> None:
    """The button, in a box that says what it does where nothing is known yet."""
    with st.container(border=shown is None):
        if shown is None:
            st.markdown(
                "**Measure the paper’s figures anew, and judge what it claims.** Curves of "
                "k-means, trees and hashing on the same data, with noise and without; then 17 "
                "claims of the paper, each with its effect, its 95% interval, and whether it holds."
            )
            st.caption(plain(_stands_in(session)))
        gone = work.dropped(session)
        if gone:
            parts = counted(gone, "part was", "parts were")
            st.markdown(
                f"This was measured before. Of what was kept, {parts} dropped to make room for "
                "newer work: *Go on* measures that again."
            )
        label = "Measure" if shown is None and not gone else "Go on"
        st.button(
            label, type="primary", key="paper measure", on_click=_start, args=(session, paper)
        )


def _start(session: Session, paper: Task[ShownPaper]) -> None:
    session.want(work.PAGE, [paper.key])
    paper.start_now(session.owner)


def _stands_in(session: Session) -> str:
    """What is searched in place of the paper's data, and about how long it takes."""
    state = work.state_of(session)
    if state.data == "own":
        told = f"Searched by inner product: {session.source.name}."
    else:
        names = list(PRESETS) if state.data == "all" else [state.data]
        each = [f"{PRESETS[name].instead} in place of {PRESETS[name].paper}" for name in names]
        told = f"Searched: {', '.join(dict.fromkeys(each))}."
    long = "a minute or two" if state.size == "quick" else "up to a quarter of an hour a data set"
    return (
        f"{told} A {state.size} run takes {long} on two cores. You may leave the page, and stop: "
        "what was measured stays."
    )
