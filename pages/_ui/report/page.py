"""Report as one piece: choices on the left, what it says and holds beside them, live."""

import streamlit as st

from mips_core import Report
from mips_core.base.text import counted
from mips_core.report.sentences import finding
from pages._ui.parts import progress
from pages._ui.parts.data_export import file_stem
from pages._ui.report import choice, parts, preview, work
from pages._ui.report.beside import look_for_misses
from pages._ui.report.made import made
from pages._ui.report.point import point_of
from pages._ui.state import app_state
from pages._ui.state.session import Session
from pages._ui.text.widgets import plain


def draw() -> None:
    """The page; looks twice a second while something is under way."""
    left, right = st.columns([1, 2.75], gap="large")
    with left:
        choice.draw()
    watching = _watching(app_state.current())
    with right:
        st.fragment(_draw, run_every=0.5 if watching else None)(watching)


def _draw(watched: bool) -> None:
    session = app_state.current()
    if _watching(session) != watched:
        st.rerun()
    known = work.known(session)
    if not known:
        _nothing_yet(session)
        return
    point, setting = point_of(session, known)
    choice.say_where(session, point)
    _drawn(session, made(session, known, setting))


def _watching(session: Session) -> bool:
    """Whether more is to come by itself: measurements, or what is missed once they are done."""
    if work.measuring(session):
        return True
    known = work.known(session)
    return bool(known) and look_for_misses(session, point_of(session, known)[1].setting).active


def _drawn(session: Session, report: Report) -> None:
    st.success(f"**{plain(finding(report))}**")
    st.caption(plain(report.point.chosen))
    with st.container(horizontal=True, gap="small", vertical_alignment="center"):
        stem = f"report-{file_stem(session)}"
        st.download_button(
            "Report (HTML)",
            report.html,
            f"{stem}.html",
            "text/html",
            type="primary",
            key="report html",
            on_click="ignore",
        )
        st.download_button(
            "Notebook (.ipynb)",
            report.notebook,
            f"{stem}.ipynb",
            "application/x-ipynb+json",
            key="report notebook",
            on_click="ignore",
        )
        _measure_rest(session)
    _progress(session)
    parts.draw(session, report)
    preview.draw(report)


def _nothing_yet(session: Session) -> None:
    with st.container(border=True):
        if work.measuring(session):
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
    wanted = work.wanted(session)
    missing = sum(one.tried is None for one in wanted)
    if not missing or work.measuring(session):
        return
    settings = counted(missing, "setting", "settings")
    if st.button(
        f"Measure {missing} more" if missing < len(wanted) else f"Measure {settings}",
        key="report measure",
        on_click=work.measure_missing,
        args=(session,),
        help="Every setting of the grids of the methods compared on Trade-off.",
    ):
        st.rerun()


def _progress(session: Session) -> None:
    wanted = work.wanted(session)
    failed = any(one.job is not None and one.job.state == "failed" for one in wanted)
    if failed or work.measuring(session):
        so_far = "The report holds what is known; the rest may raise it."
        progress.draw(wanted, so_far=so_far)
