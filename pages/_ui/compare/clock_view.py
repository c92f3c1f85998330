"""The clock: real searches timed at the same precision, beside what inner products promise."""

from dataclasses import replace

import streamlit as st

from mips_core.base.params import params_of
from mips_core.figures import wall_clock as figures
from mips_core.figures.tradeoff import SIMULATED
from mips_core.studies.wall_clock import Clock
from pages._ui.compare import clock_table
from pages._ui.compare.clock_work import Timing, timing_of
from pages._ui.compare.work import view_of
from pages._ui.elements.chart import chart
from pages._ui.parts import method
from pages._ui.state import app_state
from pages._ui.work import jobs
from pages._ui.work.job import Job

PRECISIONS = (0.5, 0.7, 0.8, 0.9, 0.95, 0.99)
LOOK = 1.0  # seconds between two looks: a page that is drawn disturbs the clock


def choose() -> None:
    """The precision to reach, and the methods."""
    view = view_of(app_state.current())
    declared = params_of(view)["precision"]
    with st.container(horizontal=True, vertical_alignment="top", gap="medium"):
        key = f"clock precision {view.precision}"
        st.segmented_control(
            declared.label,
            sorted({*PRECISIONS, view.precision}),
            default=view.precision,
            format_func=lambda precision: f"{100 * precision:g}%",
            key=key,
            on_change=_take_precision,
            args=(key,),
            required=True,
            help=declared.help,
        )
        method.choose()


def _take_precision(key: str) -> None:
    """A widget that is gone may report its old value once more."""
    session = app_state.current()
    view, precision = view_of(session), app_state.widget(key)
    if precision and key == f"clock precision {view.precision}":
        session.states["compare"] = replace(view, precision=precision)


def draw() -> None:
    """The button, then how far the timing is, then what was timed."""
    timing = timing_of(app_state.current())
    job = timing.job
    active = job is not None and job.active
    st.fragment(_draw, run_every=LOOK if active else None)(timing, job.state if job else "")


def _draw(timing: Timing, before: str) -> None:
    job = timing.job
    if (job.state if job else "") != before:
        st.rerun()  # what else is on the page looks again only when the clock stands still
    result = timing.result
    if job is not None and job.active:
        _progress(job)
        result = job.partial
    else:
        st.button(
            "Time them" if result is None else "Time them again",
            type="primary" if result is None else "secondary",
            key="time",
            on_click=timing.start,
            args=(app_state.current().owner,),
        )
        _ended(job)
    if isinstance(result, Clock):
        _clock(result)
    elif not (job and job.active):
        st.caption(
            "Each method is taken at its cheapest setting with this precision, exact search and "
            "other libraries beside it. It takes some seconds for each of them."
        )


def _progress(job: Job) -> None:
    ahead = jobs.ahead_of(job)
    left, right = st.columns([5, 1], vertical_alignment="center")
    waiting = f"Waiting behind {ahead} other job{'s' * (ahead != 1)}"
    left.progress(job.fraction, waiting if job.state == "waiting" else job.message)
    right.button("Cancel", key="cancel clock", width="stretch", on_click=jobs.cancel, args=(job,))
    st.caption(
        "Nothing else of this app is computed meanwhile. Other programs, and pages that are drawn, "
        "make the clock run longer."
    )


def _ended(job: Job | None) -> None:
    """Why there is no result."""
    if job is not None and job.state == "cancelled":
        st.info("**Cancelled.** What was measured and built stays.")
    elif job is not None and job.state == "failed":
        st.error(job.error)


def _clock(clock: Clock) -> None:
    st.markdown(clock.in_words())
    figure = figures.clock_figure(clock)
    if clock.simulated:
        figure["layout"]["annotations"] = [SIMULATED]
    chart(
        figure,
        key="clock",
        height=figures.height(clock),
        narrow=figures.narrow(clock),
        narrow_height=figures.height(clock) + 36,
        alt="How much each search saves against exact search, by inner products and by the clock. "
        "The same numbers are in the table below.",
        topic=f"{clock.data} {clock.target}",
        file_name=f"clock-{clock.K}",
    )
    clock_table.draw(clock)
