"""What all queries miss as tables and files: the worst queries, and the groups that lose most."""

from functools import partial
from typing import Any

import streamlit as st

from mips_core import Dataset, Diagnosis
from mips_core.base.text import counted
from mips_core.data.metrics import measure_of
from mips_core.studies.misses import as_dict, group_rows, query_rows
from pages._ui.parts import result_table
from pages._ui.parts.data_export import file_stem
from pages._ui.parts.data_facts import as_text
from pages._ui.parts.question.question import QueryChoice
from pages._ui.state import app_state
from pages._ui.state.session import Session

OPENED = "diagnosis opened"  # a query was just picked, and the rest of the page does not show it
ALL_FOUND = "all found with"


def draw_queries(session: Session, diagnosis: Diagnosis) -> None:
    """A row for each query that misses anything, the worst first; the one shown above is marked."""
    st.markdown("**Worst queries**  \n:small[:gray[Pick a row to see that query.]]")
    rows = query_rows(diagnosis, session.dataset)
    shown = rows[: result_table.MOST_ROWS]
    names = [QueryChoice("query", row["query"]).text for row in shown]
    result_table.draw_to_pick(
        _query_columns(diagnosis, session.dataset, shown),
        _query_config(measure_of(session.dataset).label),
        total=len(rows),
        key="diagnosis queries",
        picked=names.index(session.query) if session.query in names else None,
        take=partial(_open, session, names),
    )


def _query_columns(
    diagnosis: Diagnosis, dataset: Dataset, rows: list[dict[str, Any]]
) -> dict[str, Any]:
    columns: dict[str, Any] = {"query": [row["query"] for row in rows]}
    if dataset.query_labels is not None:
        columns["query label"] = [as_text(row["label"]) for row in rows]
    columns["found"] = [f"{row['found']} of {row['answers']}" for row in rows]
    columns["best missed"] = [row["best_missed_rank"] for row in rows]
    if dataset.labels is not None:
        columns["label"] = [as_text(row["best_missed_label"]) for row in rows]
    columns["row"] = [row["best_missed_row"] for row in rows]
    columns[measure_of(dataset).label] = [row["best_missed_score"] for row in rows]
    columns[ALL_FOUND] = [effort_text(diagnosis, row["effort_that_finds_all"]) for row in rows]
    return columns


def _query_config(measure: str) -> dict[str, Any]:
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


def effort_text(diagnosis: Diagnosis, effort: int | None) -> str:
    """24 probes; no effort."""
    return "no effort" if effort is None else counted(effort, *diagnosis.index.effort_nouns)


def _open(session: Session, names: list[str], row: int | None) -> None:
    if row is not None and row < len(names):
        session.query = names[row]
        app_state.set_widget(OPENED, True)
        app_state.set_widget("search tab", "One query")


def reopen() -> None:
    """Run the whole page once after a query was picked."""
    if not app_state.newly_drawn(OPENED) and app_state.widget(OPENED):
        app_state.set_widget(OPENED, False)
        st.rerun()


def draw_groups(diagnosis: Diagnosis) -> None:
    """A row for each group that misses anything, the most first; nothing where there is one."""
    groups = diagnosis.groups
    if len(groups.sizes) == 1:
        return
    one, many = groups.nouns
    st.markdown(f"**{many.capitalize()} that lose most**  \n:small[:gray[Of {groups.label}.]]")
    rows = group_rows(diagnosis)
    shown = rows[: result_table.MOST_ROWS]
    result_table.draw(_group_columns(diagnosis, one, shown), _group_config(one), total=len(rows))


def _group_columns(diagnosis: Diagnosis, one: str, rows: list[dict[str, Any]]) -> dict[str, Any]:
    columns: dict[str, Any] = {
        one: [as_text(row[one]) for row in rows],
        "number": [row["number"] for row in rows],
        "items": [row["items"] for row in rows],
        "misses": [row["misses"] for row in rows],
        "of all misses": [100 * row["share_of_misses"] for row in rows],
        "of all answers": [100 * row["share_of_answers"] for row in rows],
        "found": [100 * row["hit_rate"] for row in rows],
    }
    if diagnosis.groups.ranked:
        columns["median rank"] = [row["median_rank"] for row in rows]
    efforts = [row["effort_that_finds_half"] for row in rows]
    columns["half found with"] = [effort_text(diagnosis, effort) for effort in efforts]
    return columns


def _group_config(one: str) -> dict[str, Any]:
    number, text = st.column_config.NumberColumn, st.column_config.TextColumn
    share, count = number(format="%.1f%%", width=90), number(format="localized", width=66)
    return {
        one: text(width=120),
        "number": count,
        "items": count,
        "misses": number(format="localized", width=66, help="True answers in it that are missed."),
        "of all misses": share,
        "of all answers": share,
        "found": number(format="%.1f%%", width=80, help="Of the true answers in it."),
        "median rank": number(
            format="localized",
            width=90,
            help="In the order in which a query that misses answers in it would open all: the rank "
            "that reaches half of those answers.",
        ),
        "half found with": text(help="The least effort that finds half of its misses."),
    }


def draw_files(session: Session, diagnosis: Diagnosis) -> None:
    """Tables as CSV where there are any, and all of it as JSON."""
    dataset, stem = session.dataset, file_stem(session)
    groups = diagnosis.groups.nouns[1]
    with st.container(horizontal=True, gap="small"):
        if diagnosis.misses:
            result_table.draw_csv(
                "diagnosis queries file",
                f"queries-{stem}",
                lambda: query_rows(diagnosis, dataset),
                "Queries (CSV)",
            )
            result_table.draw_csv(
                "diagnosis groups file",
                f"{groups.replace(' ', '-')}-{stem}",
                lambda: group_rows(diagnosis),
                f"{groups.capitalize()} (CSV)",
            )
        name = f"diagnosis-{stem}"
        result_table.draw_json("diagnosis", name, lambda: as_dict(diagnosis, dataset), "All (JSON)")
