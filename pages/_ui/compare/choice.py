"""Which two methods are held against each other."""

from dataclasses import replace

import streamlit as st

from mips_core.base.params import params_of
from mips_core.figures.styles import METHODS
from pages._ui.compare.work import view_of
from pages._ui.state import app_state
from pages._ui.state.method_choice import methods


def choose() -> bool:
    """Draw the choice of both; whether they are two."""
    view = view_of(app_state.current())
    with st.container(horizontal=True, vertical_alignment="bottom", gap="medium"):
        _method("first")
        _method("second")
        st.button("Exchange", on_click=_exchange, help="The other one is named first.")
    if view.first == view.second:
        st.info(
            f"**{METHODS[view.first].label} is chosen twice.** Choose another method to hold it "
            "against."
        )
    return view.first != view.second


def _method(side: str) -> None:
    view = view_of(app_state.current())
    value, declared = getattr(view, side), params_of(view)[side]
    key = app_state.key_for(f"compare {side}", value)
    known = methods()
    st.selectbox(
        declared.label,
        known,
        known.index(value),
        format_func=lambda method: f"{METHODS[method].glyph} {METHODS[method].label}",
        key=key,
        on_change=_take,
        args=(key, side),
        help=declared.help,
        width=260,
    )


def _take(key: str, side: str) -> None:
    session = app_state.current()
    if app_state.is_shown(f"compare {side}", key):
        session.states["compare"] = replace(view_of(session), **{side: app_state.widget(key)})


def _exchange() -> None:
    session = app_state.current()
    view = view_of(session)
    session.states["compare"] = replace(view, first=view.second, second=view.first)
