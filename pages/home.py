"""Home: what this is, at work, and one click to each task."""

import streamlit as st

from mips_core.base.text import counted
from pages._ui.parts import live_curve
from pages._ui.state import app_state
from pages._ui.text.widgets import PAGES, plain, short

TASKS = {
    "Use my own vectors": (
        "data.py",
        "NumPy, CSV, Parquet, HDF5, word2vec, ratings and more. They stay on this machine.",
    ),
    "Build an index": (
        "build.py",
        "Clusters, trees, hashes, codes: build one, and keep several side by side.",
    ),
    "See what speed costs": (
        "tradeoff.py",
        "Which method and setting find 95% of the true answers on your data, and how sure that is.",
    ),
    "Follow one query": (
        "search.py",
        "Its true answers, which of them an index finds, and how much effort finds the others.",
    ),
    "Know the methods": (
        "methods.py",
        "What each does, what a query costs, what can be set, and where it is from.",
    ),
}

session = app_state.current()


def below() -> None:
    """What was measured, the tasks, and what is under way: last, so that no link moves."""
    st.caption(
        f"{live_curve.origin()}: {plain(short(session.source.name))}, "
        f"{counted(session.source.n, 'item', 'items')}, "
        f"{counted(session.dataset.m, 'query', 'queries')}, seed {session.seed}. "
        "Bands are 95% intervals over queries."
        + (" Simulated data." if session.source.simulated else "")
    )
    for column, (title, (page, text)) in zip(st.columns(len(TASKS)), TASKS.items(), strict=True):
        with column.container(border=True, height="stretch"):
            st.page_link(PAGES / page, label=f"**{title}**")
            st.caption(text)
    live_curve.draw_progress()


st.title("Find the largest inner products without computing them all", anchor=False)
st.markdown(
    ":gray[Clusters, trees, hashes and codes against exact search, on your own vectors. Every "
    "inner product is counted, by one ledger for all.]"
)
live_curve.draw(
    "home",
    below,
    height=316,
    narrow_height=270,
    show_tiles=False,
    show_histogram=False,
)
