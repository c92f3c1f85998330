"""If the data grows: what the answer of Tune will cost on more items of this kind."""

from dataclasses import replace
from math import floor
from typing import Any

import streamlit as st

from mips_core import MipsError
from mips_core.base.params import params_of
from mips_core.base.progress import Progress
from mips_core.base.text import percent
from mips_core.figures import growth, tradeoff
from mips_core.studies.growth import FEWEST_ITEMS, ScalePoint, Scaling, in_words, measure_scaling
from mips_core.studies.tuning import Trial, Tuned, Within
from pages._ui.elements.chart import chart
from pages._ui.parts import fields, progress, result_table
from pages._ui.state import app_state
from pages._ui.state.session import Session
from pages._ui.text.widgets import plain, refusal
from pages._ui.tune import search
from pages._ui.work import jobs
from pages._ui.work.measurement import data_name
from pages._ui.work.task import Task

USUAL = 10  # times as many items
FORMATS = {"items": "localized", "inner products": "localized", "precision": "%.4f"}
FORMATS |= {"processor s": "%.3f", "MB": "%.3f"}


def draw(session: Session, answer: Tuned | Within) -> None:
    """The section, folded; nothing where there is no answer to be sized, or it is provisional."""
    if answer.chosen is None or answer.missing:
        return
    with st.expander("If the data grows"):
        if session.source.n < FEWEST_ITEMS:
            st.markdown(f"Too few items to tell how costs grow: it takes {FEWEST_ITEMS:,} or more.")
            return
        growing = growth_of(session, answer, answer.chosen)
        margin = ", without the margin that being sure takes" if isinstance(answer, Tuned) else ""
        st.markdown(
            f"What **{plain(answer.chosen.built_in_words())}** will cost on more items of this "
            "kind, its size fitted to their number: extrapolated from sub-samples of this data of "
            "an eighth, a quarter and a half, and all of it. At each size its effort is chosen "
            f"anew, to find {percent(precision_of(answer, answer.chosen))} on "
            f"average{margin}."
        )
        _ask(session, growing)
        scaling = growing.result
        if scaling is not None:
            _show(session, scaling)
        else:
            progress.bar(growing.job, "cancel scaling")


def _ask(session: Session, growing: Task[Scaling]) -> None:
    """How many items there will be, and the button."""
    n = session.source.n
    declared = replace(params_of(search.state_of(session))["items"], low=n)
    with st.container(horizontal=True, vertical_alignment="bottom"):
        key = f"tune items {items_of(session)}"
        fields.number(declared, items_of(session), n, key, _take_items, key, width=220)
        if growing.result is None and st.button(
            "Measure how it scales",
            disabled=growing.active,
            key="tune scale",
            on_click=_start,
            args=(session, growing),
        ):
            st.rerun()


def items_of(session: Session) -> int:
    """The number of items asked about, never fewer than there are."""
    state, n = search.state_of(session), session.source.n
    return max(state.items or USUAL * n, n)


def _take_items(key: str) -> None:
    """A field that is gone may report its old value once more."""
    session = app_state.current()
    if key == f"tune items {items_of(session)}":
        search.change(session, items=app_state.widget(key))


def _show(session: Session, scaling: Scaling) -> None:
    """The advice in words, and the picture it comes from."""
    n = items_of(session)
    try:
        advice, figure, narrow = scaling.at(n), growth.growth(scaling, n), growth.narrow(scaling)
    except MipsError as error:
        st.warning(refusal(error))
        return
    st.markdown(in_words(advice))
    if session.source.simulated:
        below = {"y": 0, "yanchor": "bottom"}
        figure["layout"]["annotations"].append(tradeoff.SIMULATED | below)
    chart(
        figure,
        key="tune scaling",
        height=growth.HEIGHT,
        narrow=narrow,
        narrow_height=growth.NARROW_HEIGHT,
        alt="Inner products, build time and memory against items, as in the table below.",
        topic=f"{session.source.fingerprint} {n}",
        file_name="scaling",
    )
    config = {name: st.column_config.NumberColumn(format=how) for name, how in FORMATS.items()}
    result_table.draw_all([_row(point) for point in scaling.sizes], config)


def _row(point: ScalePoint) -> dict[str, Any]:
    return {
        "items": point.n,
        "setting": point.setting.in_words(point.n),
        "inner products": round(point.cost, 1),
        "precision": point.precision,
        "processor s": point.seconds,
        "MB": point.bytes / search.MEGABYTE,
        "reached": point.reached,
    }


def growth_of(session: Session, answer: Tuned | Within, trial: Trial) -> Task[Scaling]:
    """The answer on more items; its effort is no part of the key, it is chosen at every size."""
    dataset, setting, K = session.dataset, trial.setting, answer.K
    precision = precision_of(answer, trial)

    def make(progress: Progress) -> Scaling:
        return measure_scaling(dataset, setting, K, precision, progress=progress)

    key = ("scaling", *data_name(dataset), setting.index, setting.seed, K, precision)
    return Task(key, "Measuring how it scales", make)


def precision_of(answer: Tuned | Within, trial: Trial) -> float:
    """What every size is held to: what was asked for, or what the answer has within the budget.

    The latter in round numbers, and as both halves of the queries found it.
    """
    if isinstance(answer, Tuned):
        return answer.need.precision
    return max(floor(100 * min(trial.precision, trial.tuned_precision)) / 100, 0.01)


def _start(session: Session, growth: Task[Scaling]) -> None:
    """Measure it, as a job; what was cancelled or failed is started anew."""
    session.want("scaling", [growth.key])
    growth.start_now(session.owner)


def under_way(session: Session) -> bool:
    """Whether this visitor waits for such a job."""
    return any(isinstance(job.key, tuple) and job.key[0] == "scaling"
               for job in jobs.of(session.owner))  # fmt: skip
