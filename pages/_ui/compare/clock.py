"""The clock: real searches timed at the same precision, beside what inner products promise."""

from collections.abc import Sequence
from typing import Any

import pandas as pd
import streamlit as st

from mips_core.base.params import params_of
from mips_core.base.text import counted
from mips_core.figures import wall_clock as figures
from mips_core.figures.clock_curves import NARROW, curves_figure, curves_of
from mips_core.figures.tradeoff import SIMULATED
from mips_core.studies.wall_clock import Clock, Timed, in_words, remarks
from pages._ui.compare.clock_work import precisions_of, timing_of
from pages._ui.compare.work import FIRST, change, state_of
from pages._ui.elements.chart import chart
from pages._ui.parts import fields, method, progress, result_table, sampled_settings
from pages._ui.parts.watch import watch_jobs
from pages._ui.state import app_state
from pages._ui.state.session import Session
from pages._ui.state.settings import build_all, looks_of, start_looks
from pages._ui.work.task import Task

MICRO = 1e6


def choose() -> None:
    """The precision to reach, and the methods."""
    state = state_of(app_state.current())
    with st.container(horizontal=True, vertical_alignment="top", gap="medium"):
        key = f"clock precision {state.precision}"
        words = {share: f"{100 * share:g}%" for share in precisions_of(app_state.current())}
        fields.buttons(
            params_of(state)["precision"], words, state.precision, key, _take_precision, key
        )
        method.choose()


def _take_precision(key: str) -> None:
    """A widget that is gone may report its old value once more."""
    session = app_state.current()
    precision = app_state.widget(key)
    if precision and key == f"clock precision {state_of(session).precision}":
        change(session, precision=precision)


def draw() -> None:
    """The button, then how far the timing is, then what was timed."""
    session = app_state.current()
    coming = start_looks(session, looks_of(session, session.methods), "clock", FIRST - 1)
    timing = timing_of(session)
    job = timing.job
    watched = timing.active or coming
    watch_jobs(_draw, progress.LOOK if watched else None, timing, job.state if job else "", coming)


def _draw(timing: Task[tuple[Clock, ...]], before: str, coming: bool) -> None:
    session, job = app_state.current(), timing.job
    told = coming and not any(look.unsettled for look in looks_of(session, session.methods))
    if told or (job.state if job else "") != before:
        st.rerun()  # what else is on the page looks again only when the clock stands still
    if coming or not timing.active:  # while the clock runs, other settings would end its run
        label = "Time the other {} too"
        sampled_settings.draw(session, session.methods, "clock", _time_all, label)
    if coming:
        return
    clocks = timing.so_far
    progress.bar(job, "cancel clock")
    if timing.active:
        st.caption(
            "Nothing else is measured by this app meanwhile, for anybody. Maps that are computed, "
            "other programs, and pages that are drawn make the clock run longer."
        )
    else:
        st.button(
            "Time them" if timing.result is None else "Time them again",
            type="primary" if timing.result is None else "secondary",
            key="time",
            on_click=timing.start_now,
            args=(session.owner,),
        )
    if clocks:
        _clocks(clocks, ready=not timing.active)
    elif not timing.active:
        st.caption(
            "Each method is taken at its cheapest setting with each of these precisions, exact "
            "search and other libraries beside it. It takes a second or two for each of them at "
            "each precision, the one chosen here first; methods that are not measured yet, longer."
        )


def _time_all(session: Session) -> None:
    build_all(session)
    timing_of(session).start_now(session.owner)


def _clocks(clocks: Sequence[Clock], *, ready: bool) -> None:
    """All precisions as curves, then the one that is chosen, or the nearest that is timed."""
    asked_for = state_of(app_state.current()).precision
    clock = min(clocks, key=lambda one: abs(one.target - asked_for))
    st.markdown(f"At a precision of {clock.target:g}: {in_words(clock)}")
    curves = curves_of(clocks)
    figure = curves_figure(clocks)
    if clock.simulated:
        figure["layout"]["annotations"].append(SIMULATED)
    chart(
        figure,
        key="clock curves",
        height=440,
        narrow=NARROW,
        narrow_height=340,
        chips=list(curves),
        alt="Queries a second against precision, a curve for each search. The numbers at one "
        "precision are in the table below.",
        topic=f"{clock.data} {clock.K}",
        file_name=f"clock-curves-{clock.K}",
    )
    st.caption(
        "Measured on this machine. Up and to the right is better. The bars are 95% intervals of "
        "the precision, over queries."
    )
    with st.expander(f"At a precision of {clock.target:g}, beside inner products", expanded=True):
        _clock(clock)
        _draw_table(clock)
    result_table.draw_files(
        "clock",
        f"clock-{clock.K}",
        lambda: pd.DataFrame([row for one in clocks for row in one.table()]),
        lambda: [one.as_dict() for one in clocks],
        ready,
    )


def _clock(clock: Clock) -> None:
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


def _draw_table(clock: Clock) -> None:
    """The table, the conditions, what to know of the run."""
    rows = sorted(clock.rows, key=lambda row: row.took["one by one"].seconds)
    look = {"height": "content", "placeholder": "not counted"}
    result_table.draw_all([_row(clock, row) for row in rows], _columns(clock), **look)
    st.caption(_conditions(clock))
    for remark in remarks(clock):
        st.caption(remark)


def _row(clock: Clock, row: Timed) -> dict[str, Any]:
    single, low, high = row.took["one by one"], *row.interval
    return {
        "search": row.label,
        f"precision@{clock.K}": row.precision,
        "± points": 50 * (high - low),
        "µs a query": MICRO * single.seconds,
        "µs, 95th percentile": None if single.p95 is None else MICRO * single.p95,
        "by the clock": clock.by_clock(row, "one by one"),
        "by inner products": row.speedup,
        "inner products": None if row.inner_products is None else round(row.inner_products),
        "queries a second, 1 thread": round(1 / row.took["batch"].seconds),
        "queries a second, all threads": round(1 / row.took["batch, all threads"].seconds),
        "setting": row.setting,
    }


def _columns(clock: Clock) -> dict[str, Any]:
    """How the numbers are shown."""
    number = st.column_config.NumberColumn
    whole = number(format="localized")
    return {
        f"precision@{clock.K}": number(
            format="%.3f",
            help=f"Settings reach {clock.target:g} on the queries they were chosen on, and may "
            "miss it a little on these others."
            if clock.split
            else "On the queries that settings were chosen on.",
        ),
        "± points": number(format="%.1f"),
        "µs a query": number(format="%.0f"),
        "µs, 95th percentile": number(format="%.0f"),
        "by the clock": number(
            format="%.2f×",
            help="Against the quicker exact search, one query after another, on one thread.",
        ),
        "by inner products": number(
            format="%.1f×", help="Other libraries do not tell how many inner products they compute."
        ),
        "inner products": whole,
        "queries a second, 1 thread": whole,
        "queries a second, all threads": whole,
    }


def _conditions(clock: Clock) -> str:
    """How the clock was taken."""
    versions = ", ".join(f"{name} {version}" for name, version in clock.versions.items())
    single, batch = (clock.exact(way).label for way in ("one by one", "batch"))
    quicker = single if single == batch else f"{single} one by one, {batch} in a batch"
    return (
        f"1× by the clock is the quicker of two exact searches: {quicker}. "
        f"{counted(clock.processors, 'processor', 'processors')}, all threads are {clock.threads}. "
        f"One by one on one thread; batches of {counted(clock.batch, 'query', 'queries')}. Medians "
        f"of {counted(clock.rounds, 'round', 'rounds')}, each search in turn. Settings were chosen "
        f"on {clock.m_chosen:,} and timed on {counted(clock.m_scored, 'query', 'queries')}. "
        f"{versions}."
    )
