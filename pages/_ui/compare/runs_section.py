"""The section of kept runs on Compare, and what a link names of them that is not here."""

import streamlit as st

from mips_core.base.limits import MAX_RUNS_TOGETHER
from mips_core.base.text import counted
from mips_core.studies.runs import digest_of
from pages._ui.compare import runs_comparison, runs_list, runs_shelf
from pages._ui.parts import progress
from pages._ui.parts.watch import watch_jobs
from pages._ui.state import app_state
from pages._ui.state.session import Session
from pages._ui.text.widgets import plain, short
from pages._ui.work import jobs

MOST_NAMED = 3


def draw() -> None:
    """All of it; looks again while a run of the link is measured."""
    watching = runs_shelf.take_measured(app_state.current())
    watch_jobs(_draw, progress.LOOK if watching else None, watching)


def _draw(watched: bool) -> None:
    session = app_state.current()
    watching = runs_shelf.take_measured(session)
    runs_list.draw_keep(session)
    runs_list.draw_open(session)
    draw_missing(session)
    if runs_shelf.runs_of(session):
        _choose(session)
        runs_comparison.draw(session, runs_shelf.shown(session))
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
    by_digest = {digest_of(run): run for run in runs_shelf.runs_of(session)}
    together = [digest_of(run) for run in runs_shelf.shown(session)]
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
    if key != _key([digest_of(run) for run in runs_shelf.shown(session)]):
        return
    by_digest = {digest_of(run): run for run in runs_shelf.runs_of(session)}
    picked = [by_digest[digest] for digest in app_state.widget(key) if digest in by_digest]
    runs_shelf.show(session, picked)


def draw_missing(session: Session) -> None:
    """How far the runs are that are measured, and what cannot be; nothing where all are here."""
    _draw_measured(session)
    gone, lost = runs_shelf.gone(session), runs_shelf.lost(session)
    if gone:
        names = [f"“{plain(short(one.name))}”" for one in gone[:MOST_NAMED]]
        more = f" and {len(gone) - MOST_NAMED} more" if len(gone) > MOST_NAMED else ""
        st.info(
            f"**The data of {counted(len(gone), 'run', 'runs')} of this link is not here:** "
            f"{', '.join(names)}{more}. Use the same file on Data to measure again, or "
            "open a file of runs."
        )
    elif lost:
        st.info(
            "**The list of kept runs that this link names is not here any more.** What it laid "
            "side by side is measured again where it can be; open a file of runs for the others."
        )
    if (gone or lost) and st.button("Do without them", key="runs give up"):
        runs_shelf.give_up(session)
        st.rerun()


def _draw_measured(session: Session) -> None:
    """Keys are of this section alone: others on the page have a progress of their own."""
    wanted = runs_shelf.to_measure(session)
    jobs_of = [measurement.job for measurement in wanted]
    active = [job for job in jobs_of if job is not None and job.active]
    stopped = [job for job in jobs_of if job is not None and job.state in ("cancelled", "failed")]
    count = counted(len(wanted), "run", "runs")
    if active:
        text = f"**{count} of this link to measure.** They are kept as they come."
        progress.line(text, "Cancel", progress.cancel, active, "runs cancel")
    elif stopped:
        why = next((job.error for job in stopped if job.error), "The rest was cancelled.")
        text = f"**{count} of this link not measured.** {why}"
        progress.line(text, "Go on", jobs.forget, stopped, "runs go on")
