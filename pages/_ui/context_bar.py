"""The line over every page: which data, which K, which queries."""

from pathlib import Path

import streamlit as st

_DATA_PAGE = Path(__file__).parents[1] / "data.py"


def draw() -> None:
    """Draw the bar. Its container's key carries the style."""
    with (
        st.container(horizontal=True, key="context", gap="small", vertical_alignment="center"),
        st.popover("**No data yet**", width="content"),
    ):
        st.page_link(_DATA_PAGE, label="Choose the data")
