"""The section of kept runs on Compare: keep, open, lay side by side, take away."""

import streamlit as st

from mips_core.base.limits import MAX_RUNS_TOGETHER
from pages._ui.compare import (
    runs_files,
    runs_keep,
    runs_kept,
    runs_list,
    runs_missing,
    runs_side,
    runs_work,
)
from pages._ui.state import app_state
from pages._ui.state.session import Session


def draw() -> None:
    """All of it; looks again while a run of the link is measured."""
    watching = runs_work.take_measured(app_state.current())
    st.fragment(_draw, run_every=0.5 if watching else None)(watching)


def _draw(watched: bool) -> None:
    session = app_state.current()
    watching = runs_work.take_measured(session)
    runs_keep.draw(session)
    runs_files.draw_open(session)
    runs_missing.draw(session)
    if runs_kept.kept(session):
        _choose(session)
        runs_side.draw(session, runs_kept.shown(session))
    elif not watching:
        st.caption(
            "No run is kept yet. A kept run stays with all its numbers, whatever is changed or "
            "measured later; two or more can be compared, and taken away as a file."
        )
    runs_list.draw(session)
    app_state.publish()
    if watching != watched:
        st.rerun()


def _choose(session: Session) -> None:
    """Which of the kept runs lie side by side."""
    by_digest = {run.digest: run for run in runs_kept.kept(session)}
    together = [run.digest for run in runs_kept.shown(session)]
    key = _key(together)
    st.multiselect(
        f"Side by side, {MAX_RUNS_TOGETHER} at most",
        list(by_digest),
        together,
        format_func=lambda one: by_digest[one].name if one in by_digest else one,
        max_selections=MAX_RUNS_TOGETHER,
        key=key,
        on_change=_take_shown,
        args=(key,),
    )


def _key(together: list[str]) -> str:
    """Names the choice by what it shows."""
    return f"runs shown {' '.join(together)}"


def _take_shown(key: str) -> None:
    """A widget that is gone may report its old value once more, while runs come in."""
    session = app_state.current()
    if key != _key([run.digest for run in runs_kept.shown(session)]):
        return
    by_digest = {run.digest: run for run in runs_kept.kept(session)}
    picked = [by_digest[digest] for digest in app_state.widget(key) if digest in by_digest]
    runs_kept.show(session, picked)
