"""Methods under noise as the page places them: the figure, progress, the table of all numbers."""

from collections.abc import Sequence
from functools import partial
from typing import Any

import pandas as pd
import pyarrow as pa
import streamlit as st

from mips_core.base.text import counted, times
from mips_core.evaluation.evaluate import FEWEST_TO_SPLIT, folds_of
from mips_core.figures.robustness import banded
from mips_core.figures.robustness_words import about_unit
from mips_core.studies.noise import SPEEDUPS, Against
from mips_core.studies.robustness import RobustMethod, moved_in_words, rows
from pages._ui.elements.stepped import stepped
from pages._ui.parts import result_table, sampled_settings
from pages._ui.parts.progress import LOOK
from pages._ui.parts.watch import watch_jobs
from pages._ui.robustness import progress
from pages._ui.robustness.picture import (
    asked_of,
    keep_places,
    picture_of,
    places_of,
    settings_of,
    shown_of,
)
from pages._ui.robustness.study import OTHER_SEEDS, Study, study_of
from pages._ui.state import app_state
from pages._ui.state.session import Session
from pages._ui.work.task import while_same


def draw() -> None:
    """The figure under its sliders, progress and the table; each redraws as its results come."""
    session = app_state.current()
    study, at = study_of(session), places_of(session)[0]
    watching = progress.unsettled(study, study.tasks(at))
    watch_jobs(
        _draw_picture,
        LOOK if watching else None,
        below=[(_draw_progress, watching), (_draw_table, not watching)],
        chosen=lambda: (session.states["robustness"],),
        shows=_shown,
    )


def _shown() -> Sequence[object]:
    """For the figure, progress and the table: equal where they would be the same."""
    session = app_state.current()
    study, at = study_of(session), places_of(session)[0]
    under_way = progress.shown_of(study, list(study.tasks(at)))
    known = settings_of(study.methods(at)), study.noise.result is not None
    return [shown_of(session, study), under_way, known]


def _draw_picture() -> None:
    session = app_state.current()
    study = study_of(session)
    message = picture_of(session, study)
    places = stepped(message, key="robustness")
    if places != message.chosen:
        keep_places(session, places)
    app_state.publish()  # always: the run that kept a choice may have ended before this
    moved = moved_in_words([one for one in study.methods(places[0]).values() if one.by_seed])
    about = (_about(study), moved, about_unit(asked_of(session, study)))
    st.caption(" ".join(filter(None, about)))


def _draw_progress(watching: bool) -> None:
    session = app_state.current()
    study = study_of(session)
    tasks = progress.start_missing(session, study, places_of(session)[0])
    progress.draw(study, tasks)
    sampled_settings.draw(session, list(study.grids), "robustness")
    if progress.unsettled(study, tasks) != watching:
        st.rerun()


def _about(study: Study) -> str:
    """How the numbers came about."""
    noisy = study.noise.result
    if noisy is not None and folds_of(noisy.m)[1] is None:
        queries = counted(noisy.m, "query", "queries")
        choice = (
            f"With {queries}, fewer than {FEWEST_TO_SPLIT}, settings were chosen at σ = 0 on what "
            "they are scored on,"
        )
    else:
        choice = "Settings were chosen at σ = 0 on half of the queries"
    drawn = "Bands: 95% intervals over queries. " if banded(list(study.grids)) else ""
    return (
        f"The same noise for every method and σ. {choice} and then left alone, so the speedup may "
        f"drift; the lower panel shows by how much. {drawn}Thin lines: the same settings, built "
        f"with {len(OTHER_SEEDS)} other seeds."
    )


def _draw_table(ready: bool) -> None:
    """A line for each method and σ at the speedup; the files, when `ready`, one for each build."""
    session = app_state.current()
    study, at = study_of(session), places_of(session)[0]
    methods = [method for method in study.methods(at).values() if method.by_seed]
    if not methods or study.noise.result is None:
        return
    K, speedup, truth = session.K, SPEEDUPS[at], session.states["robustness"].truth
    every = _every(session, study, methods, at)
    st.subheader(f"Every number at {speedup}×", anchor=False)

    def made() -> pa.Table:  # as it is sent
        return pa.Table.from_pandas(_lines(every, methods, study, truth), preserve_index=False)

    shown = settings_of(study.methods(at))
    inputs = (study.noise.key, study.seed, K, at, truth, shown)
    lines = while_same(("robustness lines", session.owner), inputs, made)
    result_table.draw_all(lines, _columns(K, truth), height=300)
    name = f"robustness-{speedup}x-{K}"
    report = partial(_report, session, study, every)
    result_table.draw_files("robustness", name, lambda: every, report, ready)


def _every(session: Session, study: Study, methods: list[RobustMethod], at: int) -> pd.DataFrame:
    """A row for each method, build and σ; made once."""
    noisy = study.noise.result
    assert noisy is not None
    name = ("robustness rows", study.noise.key, study.seed, study.K, at)
    shown = [under.setting for method in methods for under in method.by_seed]
    every = partial(rows, session.dataset, noisy, methods, SPEEDUPS[at])
    return while_same(name, shown, lambda: pd.DataFrame(every()))


def _lines(
    every: pd.DataFrame, methods: list[RobustMethod], study: Study, truth: Against
) -> pd.DataFrame:
    """The first build of each method, with the range that all its builds span."""
    held, settings = {}, {}
    for method in methods:
        label, nearest = method.solved.setting.index.label, times(method.solved.speedup)
        held[label] = "reached" if method.solved.reached else f"nearest is {nearest}"
        settings[label] = method.by_seed[0].setting.in_words(study.searched.n)
    column = f"{'' if truth == 'noisy' else 'clean_'}precision@{study.K}"
    builds = every.groupby(["method", "sigma"])[column]
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
        "unit_of_sigma": study.unit,
        "interval": "95%, over queries",
        "rows": every.to_dict("records"),
    }
