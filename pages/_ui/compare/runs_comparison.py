"""Two kept runs or more, side by side: a sentence, their curves, their tables."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import pandas as pd
import streamlit as st

from mips_core.base.limits import UPLOAD_SECONDS
from mips_core.base.params import params_of
from mips_core.figures import runs as figures
from mips_core.studies.runs import Run, RunsCompared, common_speedup, difference_of, digest_of
from mips_core.studies.runs.wording import in_words
from pages._ui.compare import runs_list, runs_shelf
from pages._ui.elements.chart import chart
from pages._ui.parts import result_table
from pages._ui.state import app_state
from pages._ui.state.session import Session
from pages._ui.text.periods import period
from pages._ui.text.widgets import plain

NUMBERS = {"speedup": "%.1f×", "inner products": "%.0f", "low 95%": "%.3f", "high 95%": "%.3f"}


def draw(session: Session, runs: Sequence[Run]) -> None:
    """The sentence, the picture and the tables of two runs or more."""
    if len(runs) < 2:
        st.caption("Choose two runs or more to compare them.")
        if runs:
            runs_list.draw_download(list(runs))
        return
    draw_together(session, runs)
    st.caption(
        "The address of this page opens this comparison again, and whoever has it sees these runs. "
        f"They stay on the server while a page is open, and {period(UPLOAD_SECONDS)} longer; a "
        "file stays."
    )


def draw_together(session: Session, runs: Sequence[Run]) -> None:
    """Two runs or more, kept or not: the sentence, the picture, the tables and the files."""
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
        topic=f"{K} {' '.join(digest_of(run) for run in runs)}",
        file_name=f"runs-{K}",
    )
    _draw_tables(compared)
    runs_list.draw_download(list(runs))


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
    state = runs_shelf.state_of(session)
    speedup = state.speedup or common_speedup(runs, K)
    declared = params_of(state)
    with st.container(horizontal=True, gap="medium"):
        for name, value, step in (("speedup", speedup, 1.0), ("precision", state.precision, 0.01)):
            p, key = declared[name], f"runs {name} {value:g}"
            low = p.low or 1.0
            st.number_input(
                p.label, low, p.high, max(value, low), step, "%.4g", help=p.help, key=key,
                on_change=_take_where, args=(key, name, getattr(state, name)), width=200,
            )  # fmt: skip
    return speedup, state.precision


def _take_where(key: str, name: str, before: float) -> None:
    """A widget that is gone may report its old value once more."""
    session = app_state.current()
    state, value = runs_shelf.state_of(session), app_state.widget(key)
    if getattr(state, name) == before:
        session.states["runs"] = replace(state, **{name: value})


def rows(compared: RunsCompared) -> list[dict[str, Any]]:
    """A row for each run: at the speedup, at the precision, its costs by part, its groups."""
    return [_row(compared, number) for number in range(len(compared.runs))]


def _row(compared: RunsCompared, number: int) -> dict[str, Any]:
    run, at = compared.runs[number], compared.at_speedup[number]
    saved = compared.at_precision[number]
    precision = f"precision@{compared.K}"
    at_target = f"speedup at {100 * compared.precision:g}%"
    row: dict[str, Any] = {"run": number + 1, "name": run.name}
    if at is not None and saved is not None:
        row |= {
            "speedup": at.speedup,
            precision: at.precision,
            "low 95%": at.low,
            "high 95%": at.high,
            "effort": at.effort,
            at_target: saved.speedup,
            f"{at_target}, low": saved.low,
            f"{at_target}, high": saved.high,
            "inner products": sum(at.costs.values()),
            **{f"of them {part}": cost for part, cost in at.costs.items()},
        }
    return row | _built(run) | {"queries": run.data.m, "simulated": run.data.simulated}


def _built(run: Run) -> dict[str, Any]:
    groups = run.groups
    row: dict[str, Any] = {"seconds to build": run.seconds, "bytes": run.bytes}
    if groups is not None:
        row |= {
            "finest groups": f"{groups.count:,} {groups.one if groups.count == 1 else groups.many}",
            "empty": groups.empty,
            "smallest": groups.smallest,
            "median": groups.median,
            "largest": groups.largest,
        }
    return row


def _draw_tables(compared: RunsCompared) -> None:
    """The tables, and the first of them as files."""
    every = rows(compared)
    table = pd.DataFrame(every)
    result_table.draw_all(table, _columns(table), height="content", placeholder="–")
    result_table.draw_files("runs", f"runs-{compared.K}", lambda: table, lambda: every)
    _settings(compared)


def _columns(table: pd.DataFrame) -> dict[str, Any]:
    number = st.column_config.NumberColumn
    shown: dict[str, Any] = {
        "seconds to build": number(format="%.3g"),
        "bytes": number("memory", format="bytes"),
        "median": number(format="%.4g"),
    }
    for column in table.columns:
        if column.startswith("speedup"):
            shown[column] = number(format="%.1f×")
        elif column.startswith("precision@"):
            shown[column] = number(format="%.3f")
        elif column.startswith("of them "):
            shown[column] = number(format="%.0f")
    return shown | {name: number(format=form) for name, form in NUMBERS.items() if name in table}


def _settings(compared: RunsCompared) -> None:
    """Only what differs; the rest in one line."""
    differing = compared.differing
    st.markdown("**Settings that differ**")
    if differing.rows:
        names = [f"{number} {run.name}" for number, run in enumerate(compared.runs, 1)]
        table = pd.DataFrame(
            [{"setting": row.name, **dict(zip(names, row.values, strict=True))}
             for row in differing.rows]
        )  # fmt: skip
        st.dataframe(table, hide_index=True, height="content")
    else:
        st.markdown("None: they differ in when they were measured alone.")
    st.caption(differing.same_in_words())
