"""The left of Report: the setting to run, a title and a note."""

from dataclasses import replace
from typing import Any

import streamlit as st

from mips_core.base.params import params_of
from pages._ui.report import work
from pages._ui.state import app_state, report_link
from pages._ui.state.report_state import LONGEST_NOTE, LONGEST_TITLE, Point
from pages._ui.state.session import Session

POINTS = {
    "tune": "Tune's answer",
    "target": "Best at Tune's precision",
    "slider": "The index under the slider",
}


def draw() -> None:
    """All three; each is kept as soon as it is chosen or written."""
    view = work.view_of(app_state.current())
    declared = params_of(view)["point"]
    app_state.set_widget(_key("point"), view.point)
    st.selectbox(
        declared.label,
        list(POINTS),
        format_func=POINTS.__getitem__,
        help=declared.help,
        **_kept("point"),
    )
    app_state.set_widget(_key("title"), view.title)
    st.text_input(
        "Title",
        max_chars=LONGEST_TITLE,
        placeholder="Of the report",
        **_kept("title"),
    )
    app_state.set_widget(_key("note"), view.note)
    st.text_area(
        "Note",
        max_chars=LONGEST_NOTE,
        placeholder="A few words of yours below the title",
        **_kept("note"),
    )
    if not report_link.fits(view):
        st.caption("This note is too long for a link: it is gone when the page is loaded again.")


def _key(name: str) -> str:
    return f"report {name}"


def _kept(name: str) -> dict[str, Any]:
    """What a widget needs so that its value is kept."""
    return {"key": _key(name), "on_change": _take, "args": (name,)}


def _take(name: str) -> None:
    session = app_state.current()
    view = work.view_of(session)
    session.states[work.PAGE] = replace(view, **{name: app_state.widget(_key(name))})


def say_where(session: Session, point: Point) -> None:
    """Where what was asked for is not there, which setting stands in its place."""
    asked = work.view_of(session).point
    if asked == point:
        return
    missing = {
        "tune": "Tune has no answer for what is measured",
        "slider": "The index under the slider is not measured yet",
    }[asked]
    st.info(f"**{missing}.** What stands here is the best at Tune's precision.")
