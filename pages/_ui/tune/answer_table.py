"""An answer of Tune as a table and as files, and what data it is of."""

from collections.abc import Mapping
from dataclasses import dataclass
from math import isfinite
from typing import Any

import pandas as pd
import streamlit as st

from mips_core import Dataset
from mips_core.studies.tuning import Trial
from mips_core.studies.tuning.wording import as_dict
from pages._ui.parts import result_table
from pages._ui.state.session import Session
from pages._ui.tune import search
from pages._ui.tune.answer import Answer


@dataclass(frozen=True, eq=False)
class AnsweredData:
    """What an answer is of: the data as tables name them and a report does.

    `key` is of the place on the page; `on_all`: of vectors in parts, of which a sample is in use.
    """

    key: str
    dataset: Dataset
    report: Mapping[str, Any]
    on_all: bool = False


def in_use(session: Session) -> AnsweredData:
    """The data in use."""
    dataset = session.dataset
    names = ("name", "n", "d", "fingerprint", "query_fingerprint", "metric", "simulated")
    report = {"dataset": {name: getattr(dataset, name) for name in names}}
    return AnsweredData("tune", dataset, report)


def draw(answer: Answer, trials: list[Trial], data: AnsweredData) -> None:
    """The table, folded."""
    with st.expander("The same as a table"):
        result_table.draw_all(_table(answer, trials, data), _columns(answer.K))


def draw_files(answer: Answer, trials: list[Trial], data: AnsweredData) -> None:
    """The table, if there is one, as CSV, the whole answer as JSON."""
    name = f"tuned-{'on-all-' * data.on_all}{answer.K}"
    if trials:
        result_table.draw_csv(data.key, name, lambda: _table(answer, trials, data))
    result_table.draw_json(data.key, name, lambda: {**data.report, **as_dict(answer)})


def _table(answer: Answer, trials: list[Trial], data: AnsweredData) -> pd.DataFrame:
    return pd.DataFrame([_row(answer, trial, data.dataset) for trial in trials])


def _row(answer: Answer, trial: Trial, dataset: Dataset) -> dict[str, Any]:
    setting = trial.setting
    return {
        "answer": trial is answer.chosen and not answer.missing,
        "method": setting.index.label,
        "setting": setting.in_words(trial.n),
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
