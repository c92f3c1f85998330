"""Runs side by side as tables: what they reach and cost, their groups, how they are set."""

from typing import Any

import pandas as pd
import streamlit as st

from mips_core.studies.runs import Run, RunsCompared
from pages._ui.parts import result_table

NUMBERS = {"speedup": "%.1f×", "inner products": "%.0f", "low 95%": "%.3f", "high 95%": "%.3f"}


def rows(compared: RunsCompared) -> list[dict[str, Any]]:
    """A row for each run: at the speedup, at the precision, its costs by part, its groups."""
    return [_row(compared, number) for number in range(len(compared.runs))]


def _row(compared: RunsCompared, number: int) -> dict[str, Any]:
    run, at = compared.runs[number], compared.at_speedup[number]
    saved = compared.at_precision[number]
    precision = f"precision@{compared.K}"
    at_target = f"speedup at {100 * compared.precision:g}%"
    found: dict[str, Any] = {"run": number + 1, "name": run.name}
    if at is not None and saved is not None:
        found |= {
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
    return found | _built(run) | {"queries": run.data.m, "simulated": run.data.simulated}


def _built(run: Run) -> dict[str, Any]:
    groups = run.groups
    found: dict[str, Any] = {"seconds to build": run.seconds, "bytes": run.bytes}
    if groups is not None:
        found |= {
            "finest groups": f"{groups.count:,} {groups.one if groups.count == 1 else groups.many}",
            "empty": groups.empty,
            "smallest": groups.smallest,
            "median": groups.median,
            "largest": groups.largest,
        }
    return found


def draw(compared: RunsCompared) -> None:
    """The tables, and the first of them as files."""
    found = rows(compared)
    table = pd.DataFrame(found)
    st.dataframe(
        table,
        hide_index=True,
        height="content",
        column_config=_columns(table),
        placeholder="–",
    )
    result_table.draw_files("runs", f"runs-{compared.K}", lambda: table, lambda: found)
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
