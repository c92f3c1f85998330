"""The numbers behind the picture of methods under noise, as a table and as files."""

from typing import Any

import pandas as pd
import streamlit as st

from mips_core.base.text import times
from mips_core.studies.noise import SPEEDUPS, Against
from mips_core.studies.robustness import RobustMethod, rows
from pages._ui.parts import result_table
from pages._ui.robustness.study import Study
from pages._ui.state.session import Session
from pages._ui.work import results


def draw(session: Session, study: Study, at: int, ready: bool) -> None:
    """A line for each method and σ at SPEEDUPS[at]; the files, when `ready`, one for each build."""
    methods = [method for method in study.methods(at).values() if method.by_seed]
    if not methods or study.noise.known is None:
        return
    K, speedup, truth = session.K, SPEEDUPS[at], session.states["robustness"].truth
    every = _every(session, study, methods, at)
    st.subheader(f"Every number at {speedup}×", anchor=False)
    st.dataframe(
        _lines(every, methods, study, truth),
        hide_index=True,
        height=300,
        column_config=_columns(K, truth),
    )
    result_table.draw_files(
        *("robustness", f"robustness-{speedup}x-{K}", lambda: every),
        lambda: _report(session, study, every),
        ready,
    )


def _every(session: Session, study: Study, methods: list[RobustMethod], at: int) -> pd.DataFrame:
    """A row for each method, build and σ; made once."""
    noisy = study.noise.known
    assert noisy is not None
    name = ("robustness rows", study.noise.key, study.seed, study.K, at)
    shown = [under.setting for method in methods for under in method.by_seed]
    made: tuple[Any, pd.DataFrame] | None = results.recall(name)
    if made is None or made[0] != shown:
        made = (shown, pd.DataFrame(rows(session.dataset, noisy, methods, SPEEDUPS[at])))
        results.remember(name, made)
    return made[1]


def _lines(
    every: pd.DataFrame, methods: list[RobustMethod], study: Study, truth: Against
) -> pd.DataFrame:
    """The first build of each method, with the range that all its builds span."""
    held, settings = {}, {}
    for method in methods:
        label, nearest = method.solved.setting.index.label, times(method.solved.speedup)
        held[label] = "reached" if method.solved.reached else f"nearest is {nearest}"
        settings[label] = method.by_seed[0].setting.in_words(study.noise.raw.n)
    builds = every.groupby(["method", "sigma"])[_column(study.K, truth)]
    lines = every.assign(
        setting=every["method"].map(settings),
        held_to_it=every["method"].map(held),
        builds=builds.transform("size"),
        least=builds.transform("min"),
        most=builds.transform("max"),
    )
    return lines[lines["seed"] == study.seed].drop(
        columns=["seed", "effort", "effort_counts", "rms"]
    )


def _column(K: int, truth: Against) -> str:
    return f"precision@{K}" if truth == "noisy" else f"clean_precision@{K}"


def _columns(K: int, truth: Against) -> dict[str, Any]:
    number = st.column_config.NumberColumn
    against = "the noisy query" if truth == "noisy" else "the query before noise"
    return {
        "setting": st.column_config.TextColumn(width=200),
        "speedup_asked": number("asked", format="%d×"),
        "held_to_it": "held to it",
        "sigma": number("σ", format="%.3g"),
        "sigma_in_rms": number("σ / rms", format="%.2f"),
        "speedup": number("speedup", format="%.1f×"),
        f"precision@{K}": number(format="%.3f", help="True answers of the noisy query."),
        "low_95": number("95% low", format="%.3f"),
        "high_95": number("95% high", format="%.3f"),
        f"clean_precision@{K}": number(
            f"clean precision@{K}", format="%.3f", help="True answers of the query before noise."
        ),
        "clean_low_95": number("clean 95% low", format="%.3f"),
        "clean_high_95": number("clean 95% high", format="%.3f"),
        "clean_ceiling": number(
            "ceiling", format="%.3f", help="What exact search finds of the answers before noise."
        ),
        "builds": number(help="Builds with different seeds; intervals are of the first."),
        "least": number("least of builds", format="%.3f", help=f"True answers of {against}."),
        "most": number("most of builds", format="%.3f", help=f"True answers of {against}."),
    }


def _report(session: Session, study: Study, every: pd.DataFrame) -> dict[str, Any]:
    dataset = session.dataset
    return {
        "dataset": dataset.name,
        "fingerprint": dataset.fingerprint,
        "query_fingerprint": dataset.query_fingerprint,
        "K": study.K,
        "unit_of_sigma": study.noise.unit,
        "interval": "95%, over queries",
        "rows": every.to_dict("records"),
    }
