"""The diagnosis as files."""

import json
from collections.abc import Callable
from typing import Any

import streamlit as st

from mips_core import Dataset, Diagnosis
from mips_core.studies.misses.diagnosis import as_dict, group_rows, query_rows
from pages._ui.parts import group_table
from pages._ui.parts.data_export import file_stem
from pages._ui.state.session import Session


def draw(session: Session, found: Diagnosis) -> None:
    """Tables as CSV where there are any, and all of it as JSON."""
    dataset, stem = session.dataset, file_stem(session)
    groups = found.groups.nouns[1]
    with st.container(horizontal=True, gap="small"):
        if found.misses:
            _button("Queries (CSV)", f"queries-{stem}", lambda: _csv(query_rows(found, dataset)))
            name = f"{groups.replace(' ', '-')}-{stem}"
            _button(f"{groups.capitalize()} (CSV)", name, lambda: _csv(group_rows(found)))
        _button(
            "All (JSON)", f"diagnosis-{stem}", lambda: _json(found, dataset), "application/json"
        )


def _button(label: str, name: str, make: Callable[[], bytes], mime: str = "text/csv") -> None:
    file = f"{name}.{mime.rpartition('/')[2]}"
    st.download_button(label, make, file, mime, on_click="ignore", key=f"diagnosis {mime} {label}")


def _csv(rows: list[dict[str, Any]]) -> bytes:
    return group_table.csv({name: [row[name] for row in rows] for name in rows[0]})


def _json(found: Diagnosis, dataset: Dataset) -> bytes:
    text = json.dumps(as_dict(found, dataset), indent=1, ensure_ascii=False)
    return text.encode("utf-8", "replace")
