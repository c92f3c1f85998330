"""The page's own CSS: one file. Everything else is in config.toml and in the elements."""

import streamlit as st

from pages._ui.elements import serve


def draw() -> None:
    """Put it on the page; it takes no space."""
    st.html(serve.ASSETS / "page.css")
