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
    chosen = app_state.current()
    if _watching(chosen) != watched:
        st.rerun()
    known = work.known(chosen)
    if not known:
        _nothing_yet(chosen)
        return
    point, setting = point_of(chosen, known)
    choice.say_where(chosen, point)
    _drawn(chosen, made(chosen, known, setting))


def _watching(chosen: Session) -> bool:
    """Whether more is to come by itself: measurements, or what is missed once they are done."""
    if work.measuring(chosen):
        return True
    known = work.known(chosen)
    return bool(known) and look_for_misses(chosen, point_of(chosen, known)[1].setting).active


def _drawn(chosen: Session, report: Report) -> None:
    st.success(f"**{plain(finding(report))}**")
    st.caption(plain(report.point.chosen))
    with st.container(horizontal=True, gap="small", vertical_alignment="center"):
        stem = f"report-{file_stem(chosen)}"
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
        _measure_rest(chosen)
    _progress(chosen)
    parts.draw(chosen, report)
    preview.draw(report)


def _nothing_yet(chosen: Session) -> None:
    with st.container(border=True):
        if work.measuring(chosen):
            st.markdown("**The first index is being measured.** The report shows after it.")
        else:
            st.markdown(
                "**Nothing is measured yet.** A report holds what was measured of the methods "
                "compared."
            )
            _measure_rest(chosen)
    _progress(chosen)


def _measure_rest(chosen: Session) -> None:
    """The button that measures what is missing; none where nothing is."""
    wanted = work.wanted(chosen)
    missing = sum(one.tried is None for one in wanted)
    if not missing or work.measuring(chosen):
        return
    settings = counted(missing, "setting", "settings")
    if st.button(
        f"Measure {missing} more" if missing < len(wanted) else f"Measure {settings}",
        key="report measure",
        on_click=work.measure_missing,
        args=(chosen,),
        help="Every setting of the grids of the methods compared on Trade-off.",
    ):
        st.rerun()


def _progress(chosen: Session) -> None:
    wanted = work.wanted(chosen)
    failed = any(one.job is not None and one.job.state == "failed" for one in wanted)
    if failed or work.measuring(chosen):
        so_far = "The report holds what is known; the rest may raise it."
        progress.draw(wanted, so_far=so_far)
