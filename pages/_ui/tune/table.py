"""The settings that Tune shows, as a table and as files."""

from math import isfinite
from typing import Any

import pandas as pd
import streamlit as st

from mips_core.studies.tuning import Trial, Tuned, Within
from pages._ui.parts import result_table
from pages._ui.state.session import Session
from pages._ui.tune import search


def draw(session: Session, answer: Tuned | Within, trials: list[Trial]) -> None:
    """The table, folded."""
    with st.expander("The same as a table"):
        st.dataframe(
            _table(session, answer, trials), hide_index=True, column_config=_columns(answer.K)
        )


def downloads(session: Session, answer: Tuned | Within, trials: list[Trial]) -> None:
    """The table, if there is one, as CSV, the whole answer as JSON."""
    name = f"tuned-{answer.K}"
    if trials:
        result_table.draw_csv("tune", name, lambda: _table(session, answer, trials))
    result_table.draw_json("tune", name, lambda: _report(session, answer))


def _table(session: Session, answer: Tuned | Within, trials: list[Trial]) -> pd.DataFrame:
    return pd.DataFrame([_row(session, answer, trial) for trial in trials])


def _row(session: Session, answer: Tuned | Within, trial: Trial) -> dict[str, Any]:
    setting, dataset = trial.setting, session.dataset
    return {
        "answer": trial is answer.chosen,
        "method": setting.index.label,
        "setting": setting.in_words(dataset.n),
        "verdict": trial.verdict,
        f"precision@{answer.K}": trial.precision,
        "low": trial.interval[0],
        "high": trial.interval[1],
        "inner_products": trial.cost,
        "speedup": trial.speedup,
        "megabytes": trial.tried.bytes / search.MEGABYTE,
        "build_seconds": trial.tried.seconds if isfinite(trial.tried.seconds) else None,
        "queries": answer.m_held_out,
        "seed": setting.seed,
        "data": dataset.name,
        "metric": dataset.metric,
        "simulated": dataset.simulated,
    }


def _columns(K: int) -> dict[str, Any]:
    number = st.column_config.NumberColumn
    return {
        **{name: number(format="%.4f") for name in (f"precision@{K}", "low", "high")},
        "inner_products": number("inner products", format="%.1f"),
        "speedup": number(format="%.2f×"),
        "megabytes": number("MB", format="%.3f"),
        "build_seconds": number("seconds to build", format="%.2f"),
    }


def _report(session: Session, answer: Tuned | Within) -> dict[str, Any]:
    dataset = session.dataset
    names = ("name", "n", "d", "fingerprint", "query_fingerprint", "metric", "simulated")
    return {"dataset": {name: getattr(dataset, name) for name in names}, **answer.as_dict()}
