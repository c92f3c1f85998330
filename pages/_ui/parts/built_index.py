"""What the Build page shows of an index: its clustering while it forms, and once it is there."""

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import streamlit as st

from mips_core import Index
from mips_core.base.arrays import Ids
from mips_core.base.text import counted
from mips_core.evaluation.setting import index_in_words
from mips_core.figures import building
from mips_core.figures.styles import METHODS
from mips_core.methods.clustering.rounds import ClusteringSoFar, Round
from pages._ui.elements.chart import chart
from pages._ui.parts import progress
from pages._ui.parts.watch import watch_jobs
from pages._ui.state import app_state
from pages._ui.text.widgets import plain
from pages._ui.work.measurement import Measurement


def watch(index: Index) -> None:
    """The index as it is built, or as it was built; looks again while it changes."""
    session = app_state.current()
    measurement = session.measurement_of(index)
    measurement.start(session.owner, -1)
    before = _state(measurement)
    is_built, active = before
    every = (progress.LOOK if is_built else progress.EAGER) if active else None
    watch_jobs(_draw, every, index, before)


def _state(measurement: Measurement) -> tuple[bool, bool]:
    """Whether the index is built, and whether more of it is still computed."""
    return measurement.built is not None, measurement.job is not None and measurement.job.active


def _draw(index: Index, before: tuple[bool, bool]) -> None:
    measurement = app_state.current().measurement_of(index)
    job, built, name = measurement.job, measurement.built, measurement.label
    if built is not None:
        histories = getattr(built.structure, "histories", ())
        rounds = histories[-1].rounds if histories else ()
        st.success(f"**{name}** · {built.took}{_ending(histories)}")
        groups = index.searcher(built.structure).groups()[-1]
        _pictures(index, rounds, np.bincount(groups))
    else:
        unbuilt(measurement)
        if job is not None and job.active and isinstance(job.partial, ClusteringSoFar):
            _pictures(index, job.partial.rounds, job.partial.sizes)
    if _state(measurement) != before:
        st.rerun()


def unbuilt(measurement: Measurement) -> None:
    """How far an index is that is not there yet, or why it does not come, and what can be done."""
    job, name = measurement.job, measurement.label
    if job is not None and job.active:
        progress.bar(job, "cancel build", name)
    elif job is not None and job.state == "failed":
        st.error(f"**{name} could not be built.** {plain(job.error)}")
    else:
        st.info(f"**{name}: cancelled.** Nothing else was changed.")
        if st.button("Build it after all", key="rebuild"):
            measurement.ask_again(app_state.current().owner)
            st.rerun()


def _ending(histories: Sequence[Any]) -> str:
    """How the finest clustering ended, in words."""
    if not histories:
        return ""
    finest = histories[-1]
    rounds, live = len(finest.rounds), len(finest.centroids)
    how = "no item moved any more" if finest.converged else "the cap on rounds was reached"
    if finest.rounds[0].n < finest.rounds[-1].n:
        how = "samples that grew, and all items at last"
    clusters, after = counted(live, "live cluster", "live clusters"), "round" + "s" * (rounds != 1)
    return f" · {clusters} after {rounds} {after}: {how}"


def _pictures(index: Index, rounds: Sequence[Round], counts: Ids) -> None:
    if rounds:
        left, right = st.columns(2, gap="medium")
        with left:
            _chart("objective", building.objective(rounds, index.key), "Objective by round")
        with right:
            _chart("moves", building.moves(rounds, index.key), "Items that moved, by round")
        if rounds[0].n < rounds[-1].n:
            st.caption(
                f"Rounds see samples that grow, from {rounds[0].n:,} to {rounds[-1].n:,} items: "
                "where one sees more, the mean may fall and more items move."
            )
    if len(counts) > 1:
        nouns = index.group_nouns
        figure = building.sizes(counts, index.key, nouns)
        _chart("sizes", figure, f"Items of each {nouns[0]}, largest first")


def _chart(key: str, figure: dict[str, Any], alt: str) -> None:
    chart(figure, key=f"build {key}", height=230, narrow_height=210, alt=alt)


def kept(indexes: Sequence[Index], on_show: Callable[[Index], None]) -> None:
    """The indexes side by side: what each is, what it took, and how to look at it or drop it."""
    session = app_state.current()
    for number, index in enumerate(indexes):
        built = session.measurement_of(index).built
        took = f"{built.took[0].upper()}{built.took[1:]}." if built else "Not built yet."
        style = METHODS[index.key]
        with st.container(horizontal=True, vertical_alignment="center", gap="small"):
            st.button(
                f"{style.glyph} {style.short}, {index_in_words(index, session.source.n)}",
                key=f"show {number}",
                type="secondary" if index == session.index else "tertiary",
                on_click=on_show,
                args=(index,),
                help=f"{took} Show it here, and use it on every page.",
            )
            st.button(
                "✕",
                key=f"drop {number}",
                type="tertiary",
                on_click=session.drop,
                args=(index,),
                disabled=len(indexes) == 1,
                help="Take it off the list. Building it again gives the same index.",
            )
