"""What was timed as a table, under which conditions, and as files."""

from typing import Any

import pandas as pd
import streamlit as st

from mips_core.base.text import counted
from mips_core.studies.wall_clock import Clock, Timed
from pages._ui.parts import result_table

MICRO = 1e6


def draw(clock: Clock) -> None:
    """The table, the conditions, what to know of the run, files."""
    rows = sorted(clock.rows, key=lambda row: row.took["one by one"].seconds)
    table = pd.DataFrame([_row(clock, row) for row in rows])
    st.dataframe(
        table,
        hide_index=True,
        height="content",
        column_config=_columns(clock),
        placeholder="not counted",
    )
    st.caption(_conditions(clock))
    for remark in clock.remarks():
        st.caption(remark)
    result_table.draw_files(
        "clock", f"clock-{clock.K}", lambda: pd.DataFrame(clock.table()), clock.as_dict
    )


def _row(clock: Clock, row: Timed) -> dict[str, Any]:
    single, low, high = row.took["one by one"], *row.interval
    return {
        "search": row.label,
        f"precision@{clock.K}": row.precision,
        "± points": 50 * (high - low),
        "µs a query": MICRO * single.seconds,
        "µs, 95th percentile": None if single.p95 is None else MICRO * single.p95,
        "by the clock": clock.by_clock(row, "one by one"),
        "by inner products": row.speedup,
        "inner products": None if row.inner_products is None else round(row.inner_products),
        "queries a second, 1 thread": round(1 / row.took["batch"].seconds),
        "queries a second, all threads": round(1 / row.took["batch, all threads"].seconds),
        "setting": row.setting,
    }


def _columns(clock: Clock) -> dict[str, Any]:
    """How the numbers are shown."""
    number = st.column_config.NumberColumn
    whole = number(format="localized")
    return {
        f"precision@{clock.K}": number(
            format="%.3f",
            help=f"Settings reach {clock.target:g} on the queries they were chosen on, and may "
            "miss it a little on these others."
            if clock.split
            else "On the queries that settings were chosen on.",
        ),
        "± points": number(format="%.1f"),
        "µs a query": number(format="%.0f"),
        "µs, 95th percentile": number(format="%.0f"),
        "by the clock": number(
            format="%.2f×",
            help="Against the quicker exact search, one query after another, on one thread.",
        ),
        "by inner products": number(
            format="%.1f×", help="Other libraries do not tell how many inner products they compute."
        ),
        "inner products": whole,
        "queries a second, 1 thread": whole,
        "queries a second, all threads": whole,
    }


def _conditions(clock: Clock) -> str:
    """How the clock was taken."""
    versions = ", ".join(f"{name} {version}" for name, version in clock.versions.items())
    single, batch = (clock.exact(way).label for way in ("one by one", "batch"))
    quicker = single if single == batch else f"{single} one by one, {batch} in a batch"
    return (
        f"1× by the clock is the quicker of two exact searches: {quicker}. "
        f"{counted(clock.processors, 'processor', 'processors')}, all threads are {clock.threads}. "
        f"One by one on one thread; batches of {counted(clock.batch, 'query', 'queries')}. Medians "
        f"of {counted(clock.rounds, 'round', 'rounds')}, each search in turn. Settings were chosen "
        f"on {clock.m_chosen:,} and timed on {counted(clock.m_scored, 'query', 'queries')}. "
        f"{versions}."
    )
