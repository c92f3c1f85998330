"""The index in use on two data sets that are open: both curves in one picture, and in numbers."""

import streamlit as st

from mips_core import Dataset
from mips_core.base.text import counted
from mips_core.evaluation.setting import index_in_words
from mips_core.studies.runs import Run
from pages._ui.compare import runs_comparison, runs_shelf
from pages._ui.compare.work import FIRST
from pages._ui.parts import progress
from pages._ui.parts.watch import watch_jobs
from pages._ui.state import app_state
from pages._ui.state.open_sets import OpenSet
from pages._ui.state.session import Session
from pages._ui.text.widgets import PAGES, plain, short
from pages._ui.work.measurement import Measurement

KEY = "compare other set"


def draw() -> None:
    """The choice of the other set, then all that is known of both; looks again while more comes."""
    session = app_state.current()
    others = [one for one in session.open.sets[::-1] if one.here]
    if not others:
        st.info(
            "**Only one data set is open.** Use another on Data: this one stays open beside it, "
            "and the index in use can be compared on both."
        )
        st.page_link(PAGES / "data.py", label="Use other data")
        return
    names = [_about(one) for one in others]
    picked = st.selectbox(
        "Beside the data in use",
        range(len(others)),
        format_func=names.__getitem__,
        key=f"{KEY} {' '.join(names)}",
        help="Data that you have used since you came, and left for others.",
    )
    other = others[picked]
    watching = any(measurement.unsettled for measurement in _both(session, other))
    watch_jobs(_draw, progress.LOOK if watching else None, other, watching)


def _about(one: OpenSet) -> str:
    return f"{plain(short(one.name))} · {one.n:,} × {one.d:,}" + " · simulated" * one.simulated


def _both(session: Session, other: OpenSet) -> list[Measurement]:
    """The index in use on both: rules stay rules, so that each set has the numbers they give it."""
    own = next(one for one in session.indexes if one.explicit(session.source.n) == session.index)
    left: Session = other.left
    K = min(session.K, left.most_answers)
    there = Measurement(left.dataset, own.explicit(left.source.n), session.seed, K)
    return [session.measurement_of(session.index), there]


def _draw(other: OpenSet, watched: bool) -> None:
    session = app_state.current()
    both = _both(session, other)
    session.want("compare sets", [measurement.key for measurement in both])
    for number, measurement in enumerate(both):
        if measurement.evaluation is None:
            measurement.start(session.owner, FIRST + number)
    told = "; ".join(
        f"{short(one.dataset.name)}: {_size(one.dataset)}, {_setting(one)}" for one in both
    )
    st.markdown(f"{plain(session.index.label)} on both. {plain(told)}.")
    progress.draw(both, "data sets", "The curves come when both are in.")
    left: Session = other.left
    sides = zip(both, (session, left), strict=True)
    apart = len({one.dataset.name for one in both}) == len(both)
    runs = [_run(session, measurement, side, named_apart=apart) for measurement, side in sides]
    known = [run for run in runs if run is not None]
    if len(known) == len(both):
        runs_comparison.draw_together(session, known)
    if any(measurement.unsettled for measurement in both) != watched:
        st.rerun()


def _size(dataset: Dataset) -> str:
    return f"{counted(dataset.n, 'item', 'items')}, {counted(dataset.m, 'query', 'queries')}"


def _setting(measurement: Measurement) -> str:
    return index_in_words(measurement.index, measurement.dataset.n)


def _run(
    session: Session, measurement: Measurement, side: Session, *, named_apart: bool
) -> Run | None:
    """What was measured on one of the sets, named after it; by size too where names are equal."""
    dataset = measurement.dataset
    name = short(dataset.name) if named_apart else f"{short(dataset.name)}, {_size(dataset)}"
    ks = runs_shelf.ks_of(session, measurement)
    return runs_shelf.run_from(measurement, ks, name, side.data, side.recipe)
