"""Report as one piece: choices on the left, what it says and holds beside them, live."""

from dataclasses import replace
from typing import Any

import streamlit as st

from mips_core import MipsError, Report
from mips_core.base.params import params_of
from mips_core.base.text import counted
from mips_core.report import html_of, notebook_of
from mips_core.report.sentences import finding
from pages._ui.parts import progress, sampled_settings
from pages._ui.parts.data_export import file_stem
from pages._ui.parts.watch import watch_jobs
from pages._ui.report import assembly
from pages._ui.report.assembly import misses_of, point_of
from pages._ui.report.contents import ShownReport
from pages._ui.report.making import making_of, report_on
from pages._ui.state import app_state, report_state
from pages._ui.state.report_state import LONGEST_NOTE, LONGEST_TITLE, Point
from pages._ui.state.session import Session
from pages._ui.text.widgets import PAGES, plain, refusal
from pages._ui.tune import need

POINTS = {
    "tune": "Tune's answer",
    "target": "Best at Tune's precision",
    "slider": "The setting in use",
}


def draw() -> None:
    """The page; looks again while something is under way."""
    left, right = st.columns([1, 2.75], gap="large")
    with left:
        _draw_choices()
    watching, shown = _watching(app_state.current()), ShownReport()
    with right:
        watch_jobs(
            _draw,
            progress.LOOK if watching else None,
            watching,
            shown,
            below=[(shown.draw_contents,), (shown.draw_preview,)],
            shows=lambda: (None, *shown.below()),
        )


def _draw(watched: bool, shown: ShownReport) -> None:
    session = app_state.current().snapshot()
    assembly.go_on(session)
    evaluations = assembly.evaluations_of(session)
    report = None
    if evaluations:
        point, setting = point_of(session, evaluations)
        say_where(session, point)
        making = making_of(session, evaluations, setting)
        try:
            report = report_on(session, evaluations, setting, making)
        except MipsError as error:
            st.error(f"**The report could not be made.** {refusal(error)}")
        else:
            if report is None:
                progress.bar(making.job, "cancel report", "The report")
            else:
                _drawn(session, report, tuned=point == "tune")
    else:
        _nothing_yet(session)
    shown.show(report)
    if _watching(session) != watched:
        st.rerun()


def _watching(session: Session) -> bool:
    """Whether more is to come by itself: measurements, or what is missed once they are done."""
    if assembly.measuring(session):
        return True
    evaluations = assembly.evaluations_of(session)
    if not evaluations:
        return False
    setting = point_of(session, evaluations)[1]
    missed = misses_of(session, setting.setting).start(session.owner, -1).active
    return missed or making_of(session, evaluations, setting).active


def _drawn(session: Session, report: Report, *, tuned: bool) -> None:
    if tuned:
        st.success(f"**{plain(finding(report))}**")
    else:
        with st.container(border=True):
            words = plain(finding(report))
            st.markdown(f":gray[{words}]" if report.point.provisional else f"**{words}**")
    st.caption(plain(report.point.chosen))
    with st.container(horizontal=True, gap="small", vertical_alignment="center"):
        stem = f"report-{file_stem(session)}"
        st.download_button(
            "Report (HTML)",
            lambda: html_of(report),
            f"{stem}.html",
            "text/html",
            type="primary",
            key="report html",
            on_click="ignore",
        )
        st.download_button(
            "Notebook (.ipynb)",
            lambda: notebook_of(report),
            f"{stem}.ipynb",
            "application/x-ipynb+json",
            key="report notebook",
            on_click="ignore",
        )
        _measure_rest(session)
    _progress(session)


def _nothing_yet(session: Session) -> None:
    with st.container(border=True):
        if assembly.measuring(session):
            st.markdown("**The first index is being measured.** The report shows after it.")
        else:
            st.markdown(
                "**Nothing is measured yet.** A report holds what was measured of the methods "
                "compared."
            )
            _measure_rest(session)
    _progress(session)


def _measure_rest(session: Session) -> None:
    """The button that measures what is missing; none where nothing is."""
    wanted, sampled = assembly.wanted(session), assembly.looks(session)
    missing = sum(one.result is None for one in wanted)
    untold = any(look.unsettled for look in sampled)
    if not (missing or untold) or assembly.measuring(session):
        return
    settings = counted(missing, "setting", "settings")
    more = f"Measure {missing} more" if missing < len(wanted) else f"Measure {settings}"
    those = " that do best on a sample" if sampled else ""
    if st.button(
        "Measure the likeliest settings" if untold else more,
        key="report measure",
        on_click=assembly.measure_missing,
        args=(session,),
        help=f"Every setting{those} of the grids of the methods compared on Trade-off.",
    ):
        st.rerun()


def _progress(session: Session) -> None:
    wanted = assembly.wanted(session)
    failed = any(one.job is not None and one.job.state == "failed" for one in wanted)
    if failed or assembly.measuring(session):
        so_far = "The report holds what is known; the rest may raise it."
        progress.draw(wanted, so_far=so_far)
    current = app_state.current()
    sampled_settings.draw(current, session.methods, assembly.PAGE, assembly.measure_all)


def _draw_choices() -> None:
    """All three; each is kept as soon as it is chosen or written."""
    state = assembly.state_of(app_state.current())
    declared = params_of(state)["point"]
    app_state.set_widget(_key("point"), state.point)
    st.selectbox(
        declared.label,
        list(POINTS),
        format_func=POINTS.__getitem__,
        help=declared.help,
        **_kept("point"),
    )
    app_state.set_widget(_key("title"), state.title)
    st.text_input(
        "Title",
        max_chars=LONGEST_TITLE,
        placeholder="Of the report",
        **_kept("title"),
    )
    app_state.set_widget(_key("note"), state.note)
    st.text_area(
        "Note",
        max_chars=LONGEST_NOTE,
        placeholder="A few words of yours below the title",
        **_kept("note"),
    )
    if not report_state.fits(state):
        st.caption("This note is too long for a link: it is gone when the page is loaded again.")


def _key(name: str) -> str:
    return f"report {name}"


def _kept(name: str) -> dict[str, Any]:
    """What a widget needs so that its value is kept."""
    return {"key": _key(name), "on_change": _take, "args": (name,)}


def _take(name: str) -> None:
    session = app_state.current()
    state = assembly.state_of(session)
    session.states[assembly.PAGE] = replace(state, **{name: app_state.widget(_key(name))})


def say_where(session: Session, point: Point) -> None:
    """Where what was asked for is not there, which setting stands in its place."""
    wanted = assembly.state_of(session).point
    if wanted == point:
        return
    so_far = assembly.so_far_of(session)
    if wanted == "slider":
        text = "**The setting in use is not measured yet.**"
    elif so_far:
        text = (
            "**Not tuned yet.** Tune finds the cheapest setting that holds a precision on queries "
            "it has not seen."
        )
    else:
        few = need.too_few(session)
        text = f"**Tune has no answer for what is measured.** {few}".strip()
    with st.container(border=True, horizontal=True, vertical_alignment="center"):
        st.markdown(
            f"{text} What stands here is the best at Tune's precision{so_far and ', so far'}."
        )
        if wanted == "tune" and st.button("Open Tune", key="report tune"):
            st.switch_page(PAGES / "tune.py")
