"""What is known of two methods at each speedup they both reach; as a table and as files."""

from typing import Any, NamedTuple

import pandas as pd
import streamlit as st

from mips_core.studies.comparison import FEWEST_SEEDS, Compared, Difference, compared
from pages._ui.compare.work import Pair, builds, labels_of, pairs
from pages._ui.parts import result_table
from pages._ui.state.session import Session

IN_POINTS = ("difference", "low_95", "high_95", "seed")


def comparisons(session: Session) -> dict[float, Compared]:
    """Speedup -> both methods held against each other at it."""
    return {pair.speedup: _compared(session, pair) for pair in pairs(session) if pair.reached}


def _compared(session: Session, pair: Pair) -> Compared:
    """Both on the queries to score on, over the builds of which both are measured."""
    evaluations = [
        (first.evaluation, second.evaluation)
        for first, second in builds(session, pair)
        if first.evaluation and second.evaluation
    ]
    builds_of = [one for one, _ in evaluations], [one for _, one in evaluations]
    return compared((pair.first, pair.second), builds_of, session.K)


class MethodMeans(NamedTuple):
    """One of two methods at a speedup: means over its builds."""

    key: str
    setting: str
    speedup: float
    precision: float


def means_of(compared: Compared) -> list[MethodMeans]:
    """The two methods, with what they reach."""
    return [
        MethodMeans(
            one.setting.index.key,
            one.setting.in_words(compared.n),
            _mean(one.speedups),
            _mean(one.precisions),
        )
        for one in compared.scored
    ]


def rows(session: Session, comparisons: dict[float, Compared]) -> list[dict[str, Any]]:
    """Every speedup as a flat row for tables, CSV and JSON; differences in points."""
    return [_row(session, speedup, compared) for speedup, compared in comparisons.items()]


def _row(session: Session, speedup: float, compared: Compared) -> dict[str, Any]:
    d, names = compared.difference, labels_of(session)
    return {
        "speedup": speedup,
        "difference": 100 * d.mean,
        "low_95": 100 * d.low,
        "high_95": 100 * d.high,
        "finds_more": _winner(d, names),
        **{
            f"seed {seed}": 100 * share
            for seed, share in zip(compared.scored[0].seeds, d.by_seed, strict=True)
        },
        **{
            f"{name}: {what}": value
            for name, side in zip(names, means_of(compared), strict=True)
            for what, value in (
                ("setting", side.setting),
                ("speedup reached", side.speedup),
                (f"precision@{d.K}", side.precision),
            )
        },
        "queries": d.m,
        "queries_needed": d.queries_needed,
        "data": session.dataset.name,
        "metric": session.dataset.metric,
        "simulated": session.dataset.simulated,
    }


def _winner(apart: Difference, names: tuple[str, str]) -> str:
    if len(apart.by_seed) < FEWEST_SEEDS:
        return "too few builds"
    return {"first": names[0], "second": names[1], None: "cannot tell"}[apart.winner]


def _mean(values: tuple[float, ...]) -> float:
    return sum(values) / len(values)


def draw_table(session: Session, comparisons: dict[float, Compared], ready: bool) -> None:
    """The table, folded, and its files, for when all of it is `ready`."""
    every = rows(session, comparisons)
    table = pd.DataFrame(every)
    with st.expander("Every speedup as a table"):
        st.dataframe(table, hide_index=True, height="content", column_config=_columns(table))
    name = f"compare-{comparisons[min(comparisons)].difference.K}"
    result_table.draw_files("compare", name, lambda: table, lambda: every, ready)


def _columns(table: pd.DataFrame) -> dict[str, Any]:
    """How the columns are called and their numbers shown."""
    number = st.column_config.NumberColumn
    names = {"difference": "points more", "low_95": "95% low", "high_95": "95% high"}
    names |= {"finds_more": "finds more", "queries_needed": "queries needed"}
    formats = {"speedup": "%.4g×", "speedup reached": "%.1f×", "queries_needed": "%d"}
    shown: dict[str, Any] = {"finds_more": names["finds_more"]}
    for column in table.columns:
        what = column.rpartition(": ")[2]
        if what.startswith(IN_POINTS):
            shown[column] = number(names.get(column), format="%+.1f")
        elif what.startswith("precision"):
            shown[column] = number(format="%.3f")
        elif what in formats:
            shown[column] = number(names.get(column), format=formats[what])
    return shown
