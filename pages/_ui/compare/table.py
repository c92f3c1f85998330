"""Two methods at every speedup as a table, and as files."""

from typing import Any

import pandas as pd
import streamlit as st

from mips_core.studies.comparison import Compared
from pages._ui.compare.differences import rows
from pages._ui.parts import result_table
from pages._ui.state.session import Session

POINTS = ("difference", "low_95", "high_95", "seed")


def draw(session: Session, known: dict[float, Compared], ready: bool) -> None:
    """The table, folded, and its files, for when all of it is `ready`."""
    found = rows(session, known)
    table = pd.DataFrame(found)
    with st.expander("Every speedup as a table"):
        st.dataframe(table, hide_index=True, height="content", column_config=_columns(table))
    name = f"compare-{known[min(known)].difference.K}"
    result_table.draw_files("compare", name, lambda: table, lambda: found, ready)


def _columns(table: pd.DataFrame) -> dict[str, Any]:
    """How the columns are called and their numbers shown."""
    number = st.column_config.NumberColumn
    names = {"difference": "points more", "low_95": "95% low", "high_95": "95% high"}
    names |= {"finds_more": "finds more", "queries_needed": "queries needed"}
    formats = {"speedup": "%.4g×", "speedup reached": "%.1f×", "queries_needed": "%d"}
    shown: dict[str, Any] = {"finds_more": names["finds_more"]}
    for column in table.columns:
        what = column.rpartition(": ")[2]
        if what.startswith(POINTS):
            shown[column] = number(names.get(column), format="%+.1f")
        elif what.startswith("precision"):
            shown[column] = number(format="%.3f")
        elif what in formats:
            shown[column] = number(names.get(column), format=formats[what])
    return shown
