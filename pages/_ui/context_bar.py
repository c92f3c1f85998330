"""The line over every page: which data, which K, which queries, and what is being built."""

from dataclasses import replace
from pathlib import Path

import streamlit as st

from pages._ui import jobs, session
from pages._ui.widgets import plain

_PAGES = Path(__file__).parents[1]
_USUAL = (1, 10, 100)
_OTHER = "Other"


def draw() -> None:
    """Draw the bar. Its container's key carries the style."""
    bar = st.container(horizontal=True, key="context", gap="small", vertical_alignment="center")
    with bar:
        _data()
        _answers()
        _queries()
        watching = bool(jobs.of(session.current().owner))
        st.fragment(_jobs, run_every=1.0 if watching else None)(watching)


def _data() -> None:
    chosen = session.current()
    source = chosen.source
    mark = " · simulated" if source.simulated else ""
    with st.popover(f"**{plain(source.name)}** {source.n:,} × {source.d:,}{mark}", width="content"):
        st.markdown(
            f"**{plain(source.name)}**  \n{source.n:,} items · {source.d:,} dimensions{mark}"
        )
        st.page_link(_PAGES / "data.py", label="Use other data")


def _answers() -> None:
    chosen = session.current()
    with st.popover(f"**K** {chosen.K}", width="content"):
        usual = [k for k in _USUAL if k <= chosen.most_answers]
        session.set_widget("context K", chosen.K if chosen.K in usual else _OTHER)
        session.set_widget("context other K", chosen.K)
        st.segmented_control(
            "Answers per query, K",
            [*usual, _OTHER],
            key="context K",
            on_change=_take_usual,
            help="How many of the best items a search must return.",
        )
        if chosen.most_answers > 1:
            st.number_input(
                f"Any K, 1 to {chosen.most_answers}",
                1,
                chosen.most_answers,
                key="context other K",
                on_change=_take_other,
            )


def _take_usual() -> None:
    picked = session.widget("context K")
    if isinstance(picked, int):
        session.current().K = picked


def _take_other() -> None:
    session.current().K = int(session.widget("context other K"))


def _queries() -> None:
    chosen = session.current()
    recipe = chosen.recipe
    m = chosen.dataset.m
    with st.popover(f"{m:,} quer{'y' if m == 1 else 'ies'}, seed {recipe.seed}", width="content"):
        session.set_widget("context count", recipe.count)
        session.set_widget("context seed", recipe.seed)
        st.number_input(
            "Queries",
            1,
            100_000,
            step=100,
            key="context count",
            on_change=_take_queries,
            help="More give narrower intervals: four times as many halve them.",
        )
        st.number_input(
            "Seed",
            0,
            2**31,
            key="context seed",
            on_change=_take_queries,
            help="Fixes every random draw: queries, starts, noise.",
        )


def _take_queries() -> None:
    chosen = session.current()
    count, seed = (int(session.widget(f"context {name}")) for name in ("count", "seed"))
    chosen.recipe = replace(chosen.recipe, count=count, seed=seed)


def _jobs(watching: bool) -> None:
    """What runs now; looks again each second while something does."""
    active = jobs.of(session.current().owner)
    if bool(active) != watching:
        st.rerun()
    if active:
        done = sum(job.fraction for job in active) / len(active)
        noun = "index" if len(active) == 1 else "indexes"
        st.page_link(_PAGES / "build.py", label=f"Building {len(active)} {noun} · {done:.0%}")
