"""The groups of the index that lose most, as a table."""

from typing import Any

import streamlit as st

from mips_core import Diagnosis
from mips_core.studies.misses.diagnosis import group_rows
from pages._ui.parts import result_table
from pages._ui.parts.data_facts import as_text
from pages._ui.search.diagnosis_queries import effort_text


def draw(found: Diagnosis) -> None:
    """A row for each group that misses anything, the most first; nothing where there is one."""
    groups = found.groups
    if len(groups.sizes) == 1:
        return
    one, many = groups.nouns
    st.markdown(f"**{many.capitalize()} that lose most**  \n:small[:gray[Of {groups.label}.]]")
    rows = group_rows(found)
    shown = rows[: result_table.MOST_ROWS]
    result_table.draw(_columns(found, one, shown), _config(one), total=len(rows))


def _columns(found: Diagnosis, one: str, rows: list[dict[str, Any]]) -> dict[str, Any]:
    columns: dict[str, Any] = {
        one: [as_text(row[one]) for row in rows],
        "number": [row["number"] for row in rows],
        "items": [row["items"] for row in rows],
        "misses": [row["misses"] for row in rows],
        "of all misses": [100 * row["share_of_misses"] for row in rows],
        "of all answers": [100 * row["share_of_answers"] for row in rows],
        "found": [100 * row["hit_rate"] for row in rows],
    }
    if found.groups.ranked:
        columns["median rank"] = [row["median_rank"] for row in rows]
    efforts = [row["effort_that_finds_half"] for row in rows]
    columns["half found with"] = [effort_text(found, effort) for effort in efforts]
    return columns


def _config(one: str) -> dict[str, Any]:
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
