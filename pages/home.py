"""Home: what this is, at work, and one click to each task."""

from pathlib import Path

import streamlit as st

from pages._ui import live_page, session
from pages._ui.widgets import plain

PAGES = Path(__file__).parent
TASKS = {
    "Use my own vectors": (
        "data.py",
        "Upload .npy, .npz, CSV, word2vec or GloVe. They stay on this machine.",
    ),
    "Build an index": (
        "build.py",
        "Flat or hierarchical clusters; watch them form, and keep several side by side.",
    ),
    "See what speed costs": (
        "tradeoff.py",
        "How many probes find 95% of the true answers on your data, and how sure that is.",
    ),
}

chosen = session.current()
st.title("Find the largest inner products without computing them all", anchor=False)
st.markdown(
    ":gray[Search by spherical k-means, flat or hierarchical, against exact search, on your own "
    "vectors. Every inner product is counted.]"
)
live_page.draw(
    "home",
    live_page.draw_progress,
    height=316,
    narrow_height=270,
    show_tiles=False,
    show_histogram=False,
)
st.caption(
    f"Measured on this machine: {plain(chosen.source.name)}, {chosen.source.n:,} items, "
    f"{chosen.dataset.m:,} queries, seed {chosen.seed}. Bands are 95% intervals over queries."
    + (" Simulated data." if chosen.source.simulated else "")
)
for column, (title, (page, text)) in zip(st.columns(len(TASKS)), TASKS.items(), strict=True):
    with column.container(border=True, height="stretch"):
        st.page_link(PAGES / page, label=f"**{title}**")
        st.caption(text)
