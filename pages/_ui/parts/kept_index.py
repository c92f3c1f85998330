"""The choice of the index under the slider among those that are kept."""

import streamlit as st

from mips_core.evaluation.setting import index_in_words
from pages._ui.state import app_state
from pages._ui.state.links import index_text


def choose(width: int = 420) -> None:
    """Draw it, so many px wide; the choice holds on every page."""
    session = app_state.current()
    key = _key()
    st.selectbox(
        "Index in use",
        session.kept,
        session.position,
        format_func=lambda index: f"{index.label} · {index_in_words(index, session.source.n)}",
        key=key,
        on_change=_take,
        args=(key,),
        width=width,
        help="Of those you built; all pages use it. The Build page makes more.",
    )


def _key() -> str:
    """Names the choice by what it shows, so that a drag on Clusters changes it too."""
    return f"under slider {index_text(app_state.current().index)}"


def _take(key: str) -> None:
    """Put another kept index under the slider; a widget that is gone says nothing any more."""
    if key == _key():
        session = app_state.current()
        session.position = session.kept.index(app_state.widget(key))
