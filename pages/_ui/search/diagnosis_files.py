"""The diagnosis as files."""

import streamlit as st

from mips_core import Diagnosis
from mips_core.studies.misses.diagnosis import as_dict, group_rows, query_rows
from pages._ui.parts import result_table
from pages._ui.parts.data_export import file_stem
from pages._ui.state.session import Session


def draw(session: Session, found: Diagnosis) -> None:
    """Tables as CSV where there are any, and all of it as JSON."""
    dataset, stem = session.dataset, file_stem(session)
    groups = found.groups.nouns[1]
    with st.container(horizontal=True, gap="small"):
        if found.misses:
            result_table.draw_csv(
                "diagnosis queries file",
                f"queries-{stem}",
                lambda: query_rows(found, dataset),
                "Queries (CSV)",
            )
            result_table.draw_csv(
                "diagnosis groups file",
                f"{groups.replace(' ', '-')}-{stem}",
                lambda: group_rows(found),
                f"{groups.capitalize()} (CSV)",
            )
        name = f"diagnosis-{stem}"
        result_table.draw_json("diagnosis", name, lambda: as_dict(found, dataset), "All (JSON)")
