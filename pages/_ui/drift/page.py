"""Changes as the page places them: the button, how far it is, what is known."""

import streamlit as st

from mips_core import MipsError
from mips_core.base.text import counted
from mips_core.studies.drift import check_can_update
from mips_core.studies.drift.measuring import BUILDS
from pages._ui.drift import answer, work
from pages._ui.drift.work import Drift
from pages._ui.state import app_state, wishes
from pages._ui.text.widgets import plain, refusal
from pages._ui.work import jobs
from pages._ui.work.job import Job
from pages._ui.work.task import Task

LOOK = 1.0  # seconds between two looks at a job


def draw() -> None:
    """All of it; looks again while a job is under way."""
    session = app_state.current()
    drift = work.drift_of(session)
    try:
        check_can_update(session.index)
    except MipsError as error:
        st.warning(refusal(error))
        return
    watched = _under_way(drift)
    wishes.want(session, "drift", [drift.key] if watched[0] else [])
    st.fragment(_draw, run_every=LOOK if any(watched) else None)(drift, watched)


def _under_way(drift: Task[Drift]) -> tuple[bool, bool]:
    """Whether this is being measured, and whether something else still is that was asked for."""
    other = jobs.find(work.other_than(app_state.current(), drift))
    return drift.active, other is not None and other.active


def _draw(drift: Task[Drift], watched: tuple[bool, bool]) -> None:
    job = drift.job
    if _under_way(drift) != watched:
        st.rerun()
    if job is not None and job.active:
        _progress(job)
    elif drift.result is None:
        _say_other(drift)
        _ask(drift, job)
    if drift.so_far is not None:
        answer.draw(drift.so_far, whole=drift.result is not None)


def _say_other(drift: Task[Drift]) -> None:
    """What became of a measurement that was started for other choices."""
    other = work.other_than(app_state.current(), drift)
    job = jobs.find(other)
    if job is not None and job.active:
        st.info(
            "**What is being measured is of other choices.** It goes on, and is here when they "
            "are chosen again."
        )
    elif other is not None and job is None:
        st.info("**What waited to be measured was of other choices.** It was taken back.")


def _ask(drift: Task[Drift], job: Job | None) -> None:
    """The button, and why there is no result yet."""
    session = app_state.current()
    waits = work.state_of(session).change == "version" and not work.files_of(session)
    if job is not None and job.state == "cancelled":
        st.info("**Cancelled.** What was measured stays.")
    elif job is not None and job.state == "failed":
        st.error(plain(job.error))
    st.button(
        "Measure",
        type="primary",
        key="drift measure",
        disabled=waits,
        on_click=work.start,
        args=(session, drift),
    )
    if drift.so_far is None:
        st.caption(_before(drift, waits))


def _before(drift: Task[Drift], waits: bool) -> str:
    if waits:
        return "Upload the data as they are now: a later version of those in use."
    held = (
        "Your items change, and the index is kept up in three ways: changed vectors join the "
        "clusters that are there, the clusters go on for a few rounds, or all is built anew."
    )
    return f"{held} Each is built {BUILDS} times; for 20,000 items that takes less than a minute."


def _progress(job: Job) -> None:
    left, right = st.columns([5, 1], vertical_alignment="center")
    ahead = jobs.ahead_of(job)
    waiting = f"Waiting behind {counted(ahead, 'other job', 'other jobs')}"
    seconds = job.seconds_left
    about = "" if seconds is None else f" · about {max(seconds, 1):.0f} s left"
    text = waiting if job.state == "waiting" else f"{plain(job.message)}{about}"
    left.progress(min(job.fraction, 1.0), text)
    if right.button(
        "Cancel", key="cancel drift", width="stretch", on_click=jobs.cancel, args=(job,)
    ):
        st.rerun()
