"""Home: what this is, at work, and one click to each task."""

import streamlit as st

from mips_core.base.text import counted
from mips_core.data.example import example
from pages._ui.parts import example_bill, live_curve
from pages._ui.state import app_state
from pages._ui.text.dataset_words import problem
from pages._ui.text.widgets import PAGES, plain, short
from pages._ui.work.measurement import data_name
from pages._ui.work.task import once

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
        "Every method at its best, live: how much it still finds, and what it saves.",
    ),
    "Learn how it works": (
        "course.py",
        "Short lessons you can drag: what is searched, what clusters save, and what they miss.",
    ),
    "Reach a precision": (
        "tune.py",
        "The cheapest setting that finds 95% of the true answers, and how sure that is.",
    ),
    "Follow one query": (
        "search.py",
        "Its true answers, which of them an index finds, and how much effort finds the others.",
    ),
}

session = app_state.current()


def below() -> None:
    """What was measured, the tasks, and what is under way: last, so that no link moves."""
    if bill := example_bill.sentence(session.snapshot(), shown.query):
        st.markdown(bill)
    live_curve.draw_key()
    st.caption(
        f"{live_curve.origin()}: {plain(short(session.source.name))}, "
        f"{counted(session.source.n, 'item', 'items')}, "
        f"{counted(session.dataset.m, 'query', 'queries')}, seed {session.seed}. "
        "± and bands are 95% intervals over queries."
        + (" Simulated data." if session.source.simulated else "")
    )
    for first in range(0, len(TASKS), 3):
        tasks = list(TASKS.items())[first : first + 3]
        for column, (title, (page, text)) in zip(st.columns(3), tasks, strict=True):
            with column.container(border=True, height="stretch", gap=None):
                st.page_link(PAGES / page, label=f"**{title}**")
                st.caption(text)
    live_curve.draw_progress()


shown = once(("example", *data_name(session.dataset)), lambda: example(session.dataset))
st.title("Find the largest inner products without computing them all", anchor=False)
st.markdown(
    f":gray[{problem(session.dataset, shown)} Exact search computes all of them; clusters, trees, "
    "hashes and codes compute few and find most.]"
)
live_curve.draw(
    "home",
    below,
    height=316,
    narrow_height=270,
    show_tiles=False,
    show_histogram=False,
)
