"""The worst queries as a table, of which one can be opened in the rest of the page."""

from functools import partial
from typing import Any

import streamlit as st

from mips_core import Dataset, Diagnosis
from mips_core.base.text import counted
from mips_core.data.metrics import measure_of
from mips_core.studies.misses.diagnosis import query_rows
from pages._ui.parts import result_table
from pages._ui.parts.data_facts import as_text
from pages._ui.parts.question.question import Picked
from pages._ui.state import app_state
from pages._ui.state.session import Session

OPENED = "diagnosis opened"  # a query was just picked, and the rest of the page does not show it
ALL_FOUND = "all found with"


def draw(session: Session, found: Diagnosis) -> None:
    """A row for each query that misses anything, the worst first; the one shown above is marked."""
    st.markdown("**Worst queries**  \n:small[:gray[Pick a row to see that query above.]]")
    rows = query_rows(found, session.dataset)
    shown = rows[: result_table.MOST_ROWS]
    names = [Picked("query", row["query"]).text for row in shown]
    result_table.draw_to_pick(
        _columns(found, session.dataset, shown),
        _config(measure_of(session.dataset).label),
        total=len(rows),
        key="diagnosis queries",
        picked=names.index(session.query) if session.query in names else None,
        take=partial(_open, session, names),
    )


def _columns(found: Diagnosis, dataset: Dataset, rows: list[dict[str, Any]]) -> dict[str, Any]:
    columns: dict[str, Any] = {"query": [row["query"] for row in rows]}
    if dataset.query_labels is not None:
        columns["query label"] = [as_text(row["label"]) for row in rows]
    columns["found"] = [f"{row['found']} of {row['answers']}" for row in rows]
    columns["best missed"] = [row["best_missed_rank"] for row in rows]
    if dataset.labels is not None:
        columns["label"] = [as_text(row["best_missed_label"]) for row in rows]
    columns["row"] = [row["best_missed_row"] for row in rows]
    columns[measure_of(dataset).label] = [row["best_missed_score"] for row in rows]
    columns[ALL_FOUND] = [effort_text(found, row["effort_that_finds_all"]) for row in rows]
    return columns


def _config(measure: str) -> dict[str, Any]:
    number, text = st.column_config.NumberColumn, st.column_config.TextColumn
    best = "Of the best true answer that is missed."
    return {
        "query": number(format="localized", width=66),
        "query label": text(width=120),
        "found": text(width=80, help="True answers that are candidates."),
        "best missed": number(
            format="rank %d", width=96, help="Rank of the best true answer that is missed."
        ),
        "label": text(width=120, help=best),
        "row": number(format="localized", width=66, help=best),
        measure: number(format="%.4g", help=best),
        ALL_FOUND: text(help="The least effort that finds all true answers."),
    }


def effort_text(found: Diagnosis, effort: int | None) -> str:
    """24 probes; no effort."""
    return "no effort" if effort is None else counted(effort, *found.index.effort_nouns)


def _open(session: Session, names: list[str], row: int | None) -> None:
    if row is not None and row < len(names):
        session.query = names[row]
        app_state.set_widget(OPENED, True)


def reopen() -> None:
    """Run the whole page once after a query was picked."""
    if not app_state.newly_drawn(OPENED) and app_state.widget(OPENED):
        app_state.set_widget(OPENED, False)
        st.rerun()
