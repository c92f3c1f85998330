"""Two kept runs or more, side by side: a sentence, their curves, their tables."""

from collections.abc import Sequence
from dataclasses import replace

import streamlit as st

from mips_core.base.params import params_of
from mips_core.figures import runs as figures
from mips_core.studies.runs import Run, common_speedup, difference_of
from mips_core.studies.runs.wording import in_words
from pages._ui.compare import runs_files, runs_kept, runs_tables
from pages._ui.elements.chart import chart
from pages._ui.state import app_state
from pages._ui.state.session import Session
from pages._ui.text.widgets import plain
from pages._ui.work import uploads


def draw(session: Session, runs: Sequence[Run]) -> None:
    """The sentence, the picture and the tables of two runs or more."""
    if len(runs) < 2:
        st.caption("Choose two runs or more to compare them.")
        if runs:
            runs_files.download(list(runs))
        return
    K = _common_k(session, runs)
    speedup, precision = _where(session, runs, K)
    compared = difference_of(runs, K, speedup, precision)
    with st.container(key="runs sentence", gap="xxsmall"):
        for sentence in in_words(compared):
            st.markdown(plain(sentence))
        st.caption(_about(len(runs)))
    figure = figures.runs_figure(runs, K, speedup, precision)
    chart(
        figure,
        key="runs",
        height=figures.height(runs),
        narrow=figures.narrow(figure),
        narrow_height=figures.height(runs),
        alt=f"Precision@{K} against speedup of {len(runs)} runs. Their numbers at the speedup and "
        "the precision asked for are in the table below.",
        topic=f"{K} {' '.join(run.digest for run in runs)}",
        file_name=f"runs-{K}",
    )
    runs_tables.draw(compared)
    runs_files.download(list(runs))
    st.caption(
        "The address of this page opens this comparison again, and whoever has it sees these runs. "
        f"They stay on the server while a page is open, and {uploads.LINGER / 60:.0f} minutes "
        "longer; a file stays."
    )


def _about(count: int) -> str:
    """What the intervals cover."""
    wider = (
        ""
        if count == 2
        else f" Those between runs are widened, so that all {count * (count - 1) // 2} pairs "
        "together hold 95 times of 100."
    )
    return (
        "Each run is one build: intervals cover the choice of queries, and another seed may shift "
        f"a run further.{wider}"
    )


def _common_k(session: Session, runs: Sequence[Run]) -> int:
    """The K of the session, or the nearest at which all are measured, which is said."""
    common = [K for K in runs[0].ks if all(K in run.ks for run in runs)]
    if session.K in common or not common:
        return session.K
    K = min(common, key=lambda one: (abs(one - session.K), one))
    st.caption(
        f"Not all of these runs were measured at K = {session.K}; they are shown at K = {K}."
    )
    return K


def _where(session: Session, runs: Sequence[Run], K: int) -> tuple[float, float]:
    """The speedup and the precision at which they are compared."""
    view = runs_kept.view_of(session)
    speedup = view.speedup or common_speedup(runs, K)
    declared = params_of(view)
    with st.container(horizontal=True, gap="medium"):
        for name, value, step in (("speedup", speedup, 1.0), ("precision", view.precision, 0.01)):
            p, key = declared[name], f"runs {name} {value:g}"
            low = p.low or 1.0
            st.number_input(
                p.label, low, p.high, max(value, low), step, "%.4g", help=p.help, key=key,
                on_change=_take_where, args=(key, name, getattr(view, name)), width=200,
            )  # fmt: skip
    return speedup, view.precision


def _take_where(key: str, name: str, before: float) -> None:
    """A widget that is gone may report its old value once more."""
    session = app_state.current()
    view, value = runs_kept.view_of(session), app_state.widget(key)
    if getattr(view, name) == before:
        session.states["runs"] = replace(view, **{name: value})
