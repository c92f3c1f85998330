"""The first of what a reader of the report sees, drawn by the page: its tables as tables."""

from collections.abc import Sequence

import pandas as pd
import streamlit as st

from mips_core.base.text import times
from mips_core.report import Report
from mips_core.report.gathering import TARGET
from mips_core.report.sentences import amount, between, effort_of, how_scored, share
from pages._ui.text.widgets import plain


def draw(made: Report) -> None:
    """Title and note, the ledger of the chosen setting, the best at usual precisions."""
    st.subheader("Preview", anchor=False)
    with st.container(border=True):
        st.markdown(f"##### {plain(made.title)}")
        for line in filter(str.strip, made.note.splitlines()):
            st.markdown(plain(line))
        point = made.point
        parts = [(part.capitalize(), amount(cost)) for part, cost in point.parts.items() if cost]
        _table(
            "What a query costs, in inner products",
            ["Spent on", "Inner products"],
            [*parts, ("Total", amount(point.measured.cost))],
        )
        _table(
            f"The fewest inner products at a precision of {TARGET:g}, of each method",
            ["Method", "Setting", f"Precision@{made.K}", "95% interval", "Speedup"],
            _targets(made),
        )
        st.caption(how_scored(made))


def _targets(made: Report) -> list[tuple[str, ...]]:
    return [
        (
            row.method,
            ("" if row.reached else "not reached; nearest: ")
            + f"{made.settings[row.measured.setting].words}, {effort_of(made, row.measured)}",
            share(row.measured.precision),
            between(row.measured),
            times(row.measured.speedup),
        )
        for row in made.targets
        if (row.asked, row.value) == ("precision", TARGET)
    ]


def _table(caption: str, names: Sequence[str], rows: Sequence[Sequence[str]]) -> None:
    """Every word can be read: nothing is cut."""
    st.caption(caption)
    cells = [[plain(cell) for cell in row] for row in rows]
    st.table(pd.DataFrame(cells, columns=list(names)), hide_index=True)
